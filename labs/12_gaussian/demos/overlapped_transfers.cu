// A picture filtered in bands, each in a stream of its own: while one band is filtered, the next is on its
// way to the GPU and the one before on its way back.
//
// A GPU copies in both directions and computes at the same time, if the copies are asynchronous, the host's
// memory is pinned and the work is in different streams. A band needs `radius` rows of its neighbours as
// well: it copies them too, so that no stream waits for another.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

constexpr int radius = 4, side = 2 * radius + 1, channels = 4, max_streams = 8;

#define CHECK(call)                                                       \
  do {                                                                    \
    if (const cudaError_t error = (call); error != cudaSuccess) {         \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)); \
      std::exit(1);                                                       \
    }                                                                     \
  } while (false)

/// Rows [begin, begin + rows) of the picture, of which a band's buffer holds those from `first_held` on.
struct Band {
  int begin, rows, first_held, held;
};

/// A mean over side x side pixels. One thread per byte; pixels beyond the picture's edge are those at the
/// edge.
__global__ void mean_of_band(const unsigned char* in, unsigned char* out, int width, int height, Band band) {
  const int row = width * channels;
  const int position = blockIdx.x * blockDim.x + threadIdx.x;
  if (position >= band.rows * row) return;
  const int y = band.begin + position / row, x = position % row / channels, channel = position % channels;
  float sum = 0;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx) {
      const int from_y = min(max(y + dy, 0), height - 1), from_x = min(max(x + dx, 0), width - 1);
      sum += in[(from_y - band.first_held) * row + from_x * channels + channel];
    }
  out[position] = static_cast<unsigned char>(rintf(sum / (side * side)));
}

/// Filters `in` in as many bands as there are streams. @param in, out pinned @return milliseconds
float filter(const unsigned char* in, unsigned char* out, int width, int height, int streams) {
  const int row = width * channels, rows_of_band = (height + streams - 1) / streams;
  std::vector<cudaStream_t> stream(streams);
  std::vector<unsigned char*> device_in(streams), device_out(streams);
  for (int i = 0; i < streams; ++i) {
    CHECK(cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking));
    CHECK(cudaMalloc(&device_in[i], static_cast<size_t>(rows_of_band + 2 * radius) * row));
    CHECK(cudaMalloc(&device_out[i], static_cast<size_t>(rows_of_band) * row));
  }
  CHECK(cudaDeviceSynchronize());
  timespec begin{}, end{};
  timespec_get(&begin, TIME_UTC);
  for (int i = 0; i < streams; ++i) {
    Band band{};
    band.begin = i * rows_of_band;
    band.rows = std::min(rows_of_band, height - band.begin);
    if (band.rows <= 0) break;
    band.first_held = std::max(band.begin - radius, 0);
    band.held = std::min(band.begin + band.rows + radius, height) - band.first_held;
    CHECK(cudaMemcpyAsync(device_in[i], in + static_cast<size_t>(band.first_held) * row,
                          static_cast<size_t>(band.held) * row, cudaMemcpyHostToDevice, stream[i]));
    mean_of_band<<<(band.rows * row + 255) / 256, 256, 0, stream[i]>>>(device_in[i], device_out[i], width,
                                                                       height, band);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(out + static_cast<size_t>(band.begin) * row, device_out[i],
                          static_cast<size_t>(band.rows) * row, cudaMemcpyDeviceToHost, stream[i]));
  }
  CHECK(cudaDeviceSynchronize());
  timespec_get(&end, TIME_UTC);
  for (int i = 0; i < streams; ++i) {
    CHECK(cudaFree(device_in[i]));
    CHECK(cudaFree(device_out[i]));
    CHECK(cudaStreamDestroy(stream[i]));
  }
  return static_cast<float>(end.tv_sec - begin.tv_sec) * 1e3f +
         static_cast<float>(end.tv_nsec - begin.tv_nsec) * 1e-6f;
}

int main(int argc, char** argv) {
  const int width = argc > 2 ? std::atoi(argv[1]) : 96, height = argc > 2 ? std::atoi(argv[2]) : 64;
  if (width < 1 || height < 1 || width > 20000 || height > 20000) {
    std::fprintf(stderr, "usage: %s WIDTH HEIGHT, each from 1 to 20000\n", argv[0]);
    return 2;
  }
  const size_t bytes = static_cast<size_t>(width) * height * channels;
  unsigned char *in = nullptr, *one = nullptr, *several = nullptr;
  for (unsigned char** buffer : {&in, &one, &several}) CHECK(cudaMallocHost(buffer, bytes));
  for (size_t i = 0; i < bytes; ++i) in[i] = static_cast<unsigned char>(i * 2654435761u >> 24);
  filter(in, one, width, height, 1);  // the first launch pays for the start of the context
  std::printf("one stream: %.2f ms\n", static_cast<double>(filter(in, one, width, height, 1)));
  bool same = true;
  for (int streams = 2; streams <= max_streams; streams *= 2) {
    std::memset(several, 0, bytes);
    const double ms = filter(in, several, width, height, streams);
    std::printf("%d streams: %.2f ms\n", streams, ms);
    same = same && std::memcmp(one, several, bytes) == 0;
  }
  std::printf("the pictures are %s\n", same ? "the same" : "different");
  for (unsigned char* buffer : {in, one, several}) CHECK(cudaFreeHost(buffer));
  return same ? 0 : 1;
}
