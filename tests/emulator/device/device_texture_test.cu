// Textures and surfaces against the formulas of the programming guide. Coordinates lie on multiples of 1/256,
// where a GPU's fractions are exact too.

#include <cmath>
#include <cstring>
#include <vector>

#include "tests/emulator/device_array.hpp"

using warplab::test::DeviceArray;

namespace {

/// A row or a matrix of elements with a texture of it.
template <class T>
class ArrayTexture {
 public:
  ArrayTexture(const std::vector<T>& values, std::size_t width, std::size_t height,
               cudaTextureDesc description) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    EXPECT_EQ(cudaMallocArray(&array_, &format, width, height), cudaSuccess);
    EXPECT_EQ(cudaMemcpy2DToArray(array_, 0, 0, values.data(), width * sizeof(T), width * sizeof(T),
                                  values.size() / width, cudaMemcpyHostToDevice),
              cudaSuccess);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    EXPECT_EQ(cudaCreateTextureObject(&texture_, &resource, &description, nullptr), cudaSuccess);
  }
  ~ArrayTexture() {
    EXPECT_EQ(cudaDestroyTextureObject(texture_), cudaSuccess);
    EXPECT_EQ(cudaFreeArray(array_), cudaSuccess);
  }
  ArrayTexture(const ArrayTexture&) = delete;
  ArrayTexture& operator=(const ArrayTexture&) = delete;

  cudaTextureObject_t object() const { return texture_; }

 private:
  cudaArray_t array_ = nullptr;
  cudaTextureObject_t texture_ = 0;
};

cudaTextureDesc described(cudaTextureAddressMode mode, cudaTextureFilterMode filter,
                          bool is_normalized = false, cudaTextureReadMode read = cudaReadModeElementType) {
  cudaTextureDesc description{};
  description.addressMode[0] = description.addressMode[1] = mode;
  description.filterMode = filter;
  description.readMode = read;
  description.normalizedCoords = is_normalized;
  return description;
}

__global__ void read_row(cudaTextureObject_t texture, const float* x, float* out) {
  out[threadIdx.x] = tex1D<float>(texture, x[threadIdx.x]);
}
template <class T>
__global__ void read_plane(cudaTextureObject_t texture, const float2* at, T* out) {
  out[threadIdx.x] = tex2D<T>(texture, at[threadIdx.x].x, at[threadIdx.x].y);
}

std::vector<float> row_at(cudaTextureObject_t texture, const std::vector<float>& x) {
  const DeviceArray<float> places(x), out(x.size());
  read_row<<<1, static_cast<unsigned>(x.size())>>>(texture, places.data(), out.data());
  return out.host();
}
template <class T>
std::vector<T> plane_at(cudaTextureObject_t texture, const std::vector<float2>& at) {
  const DeviceArray<float2> places(at);
  const DeviceArray<T> out(at.size());
  read_plane<<<1, static_cast<unsigned>(at.size())>>>(texture, places.data(), out.data());
  return out.host();
}

using Row = std::vector<float>;
const Row steps{10, 20, 40, 80};

TEST(DeviceTexture, PointsOutsideFollowTheAddressMode) {
  const Row outside{-3, -0.25f, 0, 3.75f, 4, 7};
  const auto read = [&](cudaTextureAddressMode mode) {
    return row_at(ArrayTexture<float>(steps, 4, 0, described(mode, cudaFilterModePoint)).object(), outside);
  };
  EXPECT_EQ(read(cudaAddressModeClamp), (Row{10, 10, 10, 80, 80, 80}));
  EXPECT_EQ(read(cudaAddressModeBorder), (Row{0, 0, 10, 80, 0, 0}));
  EXPECT_EQ(read(cudaAddressModeWrap), read(cudaAddressModeClamp)) << "coordinates are not normalised";
}

TEST(DeviceTexture, NormalisedCoordinatesWrapAndMirror) {
  const Row at{-0.25f, 0, 0.25f, 0.875f, 1, 1.25f, 2.125f, -1.125f};
  const auto read = [&](cudaTextureAddressMode mode) {
    return row_at(ArrayTexture<float>(steps, 4, 0, described(mode, cudaFilterModePoint, true)).object(), at);
  };
  EXPECT_EQ(read(cudaAddressModeWrap), (Row{80, 10, 20, 80, 10, 20, 10, 80}));
  EXPECT_EQ(read(cudaAddressModeMirror), (Row{10, 10, 20, 80, 80, 40, 10, 80}))
      << "elements are mirrored, not coordinates: what is one left of the first is the first";
  EXPECT_EQ(read(cudaAddressModeClamp), (Row{10, 10, 20, 80, 80, 80, 80, 10}));
}

TEST(DeviceTexture, LinearFilteringMixesNeighbours) {
  // 20 lies at 1.5, in the middle of its element; 1.75 is a quarter of the way to 40 at 2.5.
  const Row at{0.5f, 1.5f, 1.75f, 2, 3.5f, 0.25f, 0, 4, 1.5f + 3.f / 256};
  cudaTextureDesc description = described(cudaAddressModeClamp, cudaFilterModeLinear);
  const auto read = [&] { return row_at(ArrayTexture<float>(steps, 4, 0, description).object(), at); };
  EXPECT_EQ(read(), (Row{10, 20, 25, 30, 80, 10, 10, 80, 20 + 20 * 3.f / 256}));
  description.addressMode[0] = cudaAddressModeBorder;
  EXPECT_EQ(read(), (Row{10, 20, 25, 30, 80, 7.5f, 5, 40, 20 + 20 * 3.f / 256}));
  description.addressMode[1] = cudaAddressModeBorder;
  EXPECT_EQ(read(), (Row{5, 10, 12.5f, 15, 40, 3.75f, 2.5f, 20, (126 * 20 + 2 * 40) / 256.f}))
      << "a row lies at y = 0, half way to the border above it; of 3 / 512 two 256ths are left";
  const ArrayTexture<float> wrapped(steps, 4, 0, described(cudaAddressModeWrap, cudaFilterModeLinear, true));
  EXPECT_EQ(row_at(wrapped.object(), {0, 1, 0.4375f}), (Row{45, 45, 25}));
}

TEST(DeviceTexture, FractionsHaveEightBits) {
  const ArrayTexture<float> texture({0, 256}, 2, 0, described(cudaAddressModeClamp, cudaFilterModeLinear));
  Row at;
  for (int i = 0; i < 200; ++i) at.push_back(0.5f + static_cast<float>(i) / 200);
  const Row got = row_at(texture.object(), at);
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i], std::floor(got[i])) << at[i];
    EXPECT_NEAR(got[i], 256 * (at[i] - 0.5f), 1) << at[i];
  }
}

TEST(DeviceTexture, PlanesAreFilteredInBothDimensions) {
  const ArrayTexture<float> texture({0, 8, 16, 32, 64, 128}, 3, 2,
                                    described(cudaAddressModeClamp, cudaFilterModeLinear));
  EXPECT_EQ(plane_at<float>(texture.object(), {{0.5f, 0.5f}, {2.5f, 1.5f}, {1, 1}, {1.75f, 1.25f}, {9, -9}}),
            (Row{0, 128, 26, 62.5f, 16}))
      << "(0 + 8 + 32 + 64) / 4; of (8, 16) and (64, 128) a quarter to the right, three quarters down";
}

TEST(DeviceTexture, BytesCanBeReadAsFractions) {
  const std::vector<uchar4> colours{{0, 51, 102, 255}, {255, 0, 255, 51}};
  const ArrayTexture<uchar4> fractions(
      colours, 2, 1,
      described(cudaAddressModeClamp, cudaFilterModeLinear, false, cudaReadModeNormalizedFloat));
  const auto got = plane_at<float4>(fractions.object(), {{0.5f, 0.5f}, {1, 0.5f}});
  EXPECT_NEAR(got[0].y, 0.2, 1e-6);
  EXPECT_NEAR(got[0].z, 0.4, 1e-6);
  EXPECT_NEAR(got[0].w, 1, 1e-6);
  EXPECT_FLOAT_EQ(got[1].x, 32768.f / 65535) << "fractions of 16 bits are filtered, and rounded";
  EXPECT_FLOAT_EQ(got[1].y, 6554.f / 65535);
  const ArrayTexture<short> negative(
      {-32768, -32767, 16384}, 3, 1,
      described(cudaAddressModeClamp, cudaFilterModePoint, false, cudaReadModeNormalizedFloat));
  const auto fraction = plane_at<float>(negative.object(), {{0, 0}, {1, 0}, {2, 0}});
  EXPECT_EQ(fraction[0], -1);
  EXPECT_EQ(fraction[1], -1);
  EXPECT_NEAR(fraction[2], 16384.0 / 32767, 1e-6);
  const ArrayTexture<uchar4> elements(colours, 2, 1, described(cudaAddressModeClamp, cudaFilterModePoint));
  const auto same = plane_at<uchar4>(elements.object(), {{1.5f, 0}});
  EXPECT_EQ(same[0].x, 255);
  EXPECT_EQ(same[0].w, 51);
}

__global__ void read_elements(cudaTextureObject_t texture, int first, int2* out) {
  out[threadIdx.x] = tex1Dfetch<int2>(texture, first + static_cast<int>(threadIdx.x));
}

/// Its destructor runs after main(), when CUDA may be gone: a program must not crash then.
struct TextureOfTheProgram {
  cudaArray_t array = nullptr;
  cudaTextureObject_t texture = 0;
  ~TextureOfTheProgram() {
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
  }
};

TEST(DeviceTexture, MayBeDestroyedAfterMain) {
  static TextureOfTheProgram kept;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  ASSERT_EQ(cudaMallocArray(&kept.array, &format, 64, 64), cudaSuccess);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = kept.array;
  const cudaTextureDesc description = described(cudaAddressModeClamp, cudaFilterModePoint);
  ASSERT_EQ(cudaCreateTextureObject(&kept.texture, &resource, &description, nullptr), cudaSuccess);
}

TEST(DeviceTexture, LinearMemoryIsReadByIndex) {
  const DeviceArray<int2> memory{{1, -1}, {2, -2}, {3, -3}, {4, -4}};
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {memory.data(), cudaCreateChannelDesc<int2>(), 3 * sizeof(int2)};
  const cudaTextureDesc description = described(cudaAddressModeClamp, cudaFilterModePoint);
  cudaTextureObject_t texture = 0;
  ASSERT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr), cudaSuccess);
  const DeviceArray<int2> out(5);
  read_elements<<<1, 5>>>(texture, -1, out.data());
  const auto got = out.host();
  const int expected[5] = {0, 1, 2, 3, 0};  // outside there is nothing
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(got[i].x, expected[i]) << i;
    EXPECT_EQ(got[i].y, -expected[i]) << i;
  }
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
}

TEST(DeviceTexture, RowsInMemoryAreATexture) {
  float* rows = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&rows, &pitch, 3 * sizeof(float), 2), cudaSuccess);
  const Row values{1, 2, 3, 4, 5, 6};
  ASSERT_EQ(cudaMemcpy2D(rows, pitch, values.data(), 3 * sizeof(float), 3 * sizeof(float), 2,
                         cudaMemcpyHostToDevice),
            cudaSuccess);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {rows, cudaCreateChannelDesc<float>(), 3, 2, pitch};
  const cudaTextureDesc description = described(cudaAddressModeClamp, cudaFilterModeLinear);
  cudaTextureObject_t texture = 0;
  ASSERT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr), cudaSuccess);
  EXPECT_EQ(plane_at<float>(texture, {{0.5f, 1.5f}, {2.5f, 0.5f}, {2, 1}}), (Row{4, 3, 4}));
  cudaResourceDesc made_of{};
  cudaTextureDesc read_as{};
  ASSERT_EQ(cudaGetTextureObjectResourceDesc(&made_of, texture), cudaSuccess);
  EXPECT_EQ(made_of.resType, cudaResourceTypePitch2D);
  EXPECT_EQ(made_of.res.pitch2D.devPtr, rows);
  EXPECT_EQ(made_of.res.pitch2D.width, 3u);
  EXPECT_EQ(made_of.res.pitch2D.pitchInBytes, pitch);
  ASSERT_EQ(cudaGetTextureObjectTextureDesc(&read_as, texture), cudaSuccess);
  EXPECT_EQ(read_as.filterMode, cudaFilterModeLinear);
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
  EXPECT_EQ(cudaFree(rows), cudaSuccess);
}

__global__ void transpose_surface(cudaSurfaceObject_t from, cudaSurfaceObject_t to, float2* outside) {
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y), size = sizeof(float2);
  surf2Dwrite(surf2Dread<float2>(from, x * size, y), to, y * size, x);
  surf2Dwrite(make_float2(9, 9), to, -size, y, cudaBoundaryModeZero);  // nothing is written
  if (x == 0 && y == 0) {
    outside[0] = surf2Dread<float2>(from, 100 * size, 1, cudaBoundaryModeClamp);
    surf2Dread(&outside[1], from, 0, -1, cudaBoundaryModeZero);
  }
}

TEST(DeviceTexture, SurfacesAreReadAndWritten) {
  constexpr std::size_t width = 3, height = 2, row = width * sizeof(float2);
  const std::vector<float2> values{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}, {10, 11}};
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float2>();
  cudaArray_t from = nullptr, to = nullptr;
  ASSERT_EQ(cudaMallocArray(&from, &format, width, height, cudaArraySurfaceLoadStore), cudaSuccess);
  ASSERT_EQ(cudaMallocArray(&to, &format, height, width, cudaArraySurfaceLoadStore), cudaSuccess);
  ASSERT_EQ(cudaMemcpy2DToArray(from, 0, 0, values.data(), row, row, height, cudaMemcpyHostToDevice),
            cudaSuccess);
  cudaSurfaceObject_t surfaces[2] = {};
  for (int i = 0; i < 2; ++i) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = i == 0 ? from : to;
    ASSERT_EQ(cudaCreateSurfaceObject(&surfaces[i], &resource), cudaSuccess);
  }
  cudaResourceDesc made_of{};
  ASSERT_EQ(cudaGetSurfaceObjectResourceDesc(&made_of, surfaces[1]), cudaSuccess);
  EXPECT_EQ(made_of.resType, cudaResourceTypeArray);
  EXPECT_EQ(made_of.res.array.array, to);
  const DeviceArray<float2> outside(2);
  transpose_surface<<<1, dim3(width, height)>>>(surfaces[0], surfaces[1], outside.data());
  EXPECT_EQ(outside.host()[0].x, 10) << "the last element of row 1";
  EXPECT_EQ(outside.host()[1].x, 0);
  std::vector<float2> got(values.size());
  ASSERT_EQ(cudaMemcpy2DFromArray(got.data(), height * sizeof(float2), to, 0, 0, height * sizeof(float2),
                                  width, cudaMemcpyDeviceToHost),
            cudaSuccess);
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x) EXPECT_EQ(got[x * height + y].y, values[y * width + x].y);
  for (const cudaSurfaceObject_t surface : surfaces)
    EXPECT_EQ(cudaDestroySurfaceObject(surface), cudaSuccess);
  EXPECT_EQ(cudaFreeArray(from), cudaSuccess);
  EXPECT_EQ(cudaFreeArray(to), cudaSuccess);
}

}  // namespace
