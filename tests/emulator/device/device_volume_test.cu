// Textures and surfaces of three dimensions and of layers, and copies of boxes, against the programming
// guide.

#include <utility>
#include <vector>

#include "tests/emulator/device_array.hpp"

using warplab::test::DeviceArray;

namespace {

using Row = std::vector<float>;

/// An array of three dimensions or of layers, filled by cudaMemcpy3D from rows without gaps.
class Volume {
 public:
  Volume(const Row& values, cudaExtent extent, unsigned flags = cudaArrayDefault) : extent_(extent) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    EXPECT_EQ(cudaMalloc3DArray(&array_, &format, extent, flags), cudaSuccess);
    cudaMemcpy3DParms copy = whole();
    copy.srcPtr = pitched(const_cast<float*>(values.data()));
    copy.dstArray = array_;
    copy.kind = cudaMemcpyHostToDevice;
    EXPECT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
  }
  ~Volume() { EXPECT_EQ(cudaFreeArray(array_), cudaSuccess); }
  Volume(const Volume&) = delete;
  Volume& operator=(const Volume&) = delete;

  cudaArray_t array() const { return array_; }
  cudaResourceDesc resource() const {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    return resource;
  }
  Row values() const {
    Row out(whole().extent.width * whole().extent.height * whole().extent.depth);
    cudaMemcpy3DParms copy = whole();
    copy.srcArray = array_;
    copy.dstPtr = pitched(out.data());
    copy.kind = cudaMemcpyDeviceToHost;
    EXPECT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
    return out;
  }

 private:
  cudaMemcpy3DParms whole() const {
    cudaMemcpy3DParms copy{};
    copy.extent = make_cudaExtent(extent_.width, extent_.height ? extent_.height : 1, extent_.depth);
    return copy;
  }
  cudaPitchedPtr pitched(float* data) const {
    return make_cudaPitchedPtr(data, extent_.width * sizeof(float), extent_.width,
                               extent_.height ? extent_.height : 1);
  }

  cudaExtent extent_;
  cudaArray_t array_ = nullptr;
};

/// A texture of a volume.
class VolumeTexture {
 public:
  VolumeTexture(const Volume& volume, cudaTextureAddressMode mode, cudaTextureFilterMode filter,
                bool is_normalized = false) {
    cudaTextureDesc description{};
    for (cudaTextureAddressMode& each : description.addressMode) each = mode;
    description.filterMode = filter;
    description.normalizedCoords = is_normalized;
    const cudaResourceDesc resource = volume.resource();
    EXPECT_EQ(cudaCreateTextureObject(&texture_, &resource, &description, nullptr), cudaSuccess);
  }
  ~VolumeTexture() { EXPECT_EQ(cudaDestroyTextureObject(texture_), cudaSuccess); }
  VolumeTexture(const VolumeTexture&) = delete;
  VolumeTexture& operator=(const VolumeTexture&) = delete;

  cudaTextureObject_t object() const { return texture_; }

 private:
  cudaTextureObject_t texture_ = 0;
};

enum class Read { volume, row_of_layer, plane_of_layer };

__global__ void read_texture(cudaTextureObject_t texture, Read read, const float3* at, float* out) {
  const float3 p = at[threadIdx.x];
  const int layer = static_cast<int>(p.z);
  if (read == Read::volume)
    out[threadIdx.x] = tex3D<float>(texture, p.x, p.y, p.z);
  else if (read == Read::row_of_layer)
    tex1DLayered(&out[threadIdx.x], texture, p.x, layer);
  else
    out[threadIdx.x] = tex2DLayered<float>(texture, p.x, p.y, layer);
}

Row texels(const VolumeTexture& texture, Read read, const std::vector<float3>& at) {
  const DeviceArray<float3> places(at);
  const DeviceArray<float> out(at.size());
  read_texture<<<1, static_cast<unsigned>(at.size())>>>(texture.object(), read, places.data(), out.data());
  return out.host();
}

/// 3 columns, 2 rows, 2 layers.
const Row numbers{0, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192};
const cudaExtent box{3, 2, 2};

TEST(DeviceVolume, EveryElementIsRead) {
  const Volume volume(numbers, box);
  EXPECT_EQ(volume.values(), numbers);
  const VolumeTexture texture(volume, cudaAddressModeClamp, cudaFilterModePoint);
  std::vector<float3> at;
  for (const float z : {0.5f, 1.5f})
    for (const float y : {0.5f, 1.5f})
      for (const float x : {0.5f, 1.5f, 2.5f}) at.push_back({x, y, z});
  EXPECT_EQ(texels(texture, Read::volume, at), numbers);
}

TEST(DeviceVolume, EachDimensionHasItsAddressMode) {
  const Volume volume(numbers, box);
  const std::vector<float3> outside{{-1, 0, 0}, {0, 5, 0}, {0, 0, 2}, {2.5f, 1.5f, 9}};
  const VolumeTexture clamped(volume, cudaAddressModeClamp, cudaFilterModePoint);
  EXPECT_EQ(texels(clamped, Read::volume, outside), (Row{0, 32, 256, 8192}));
  const VolumeTexture bordered(volume, cudaAddressModeBorder, cudaFilterModePoint);
  EXPECT_EQ(texels(bordered, Read::volume, {{2, 1, 1}, {2, 1, -0.5f}, {2, 1, 2}}), (Row{8192, 0, 0}));
  const VolumeTexture wrapped(volume, cudaAddressModeWrap, cudaFilterModePoint, true);
  EXPECT_EQ(texels(wrapped, Read::volume, {{0.5f, 0.25f, 1.25f}, {0.5f, 0.25f, -0.25f}}), (Row{8, 512}));
  const VolumeTexture mirrored(volume, cudaAddressModeMirror, cudaFilterModePoint, true);
  EXPECT_EQ(texels(mirrored, Read::volume, {{0.5f, 0.25f, 1.25f}, {0.5f, 0.25f, -0.25f}}), (Row{512, 8}));
}

TEST(DeviceVolume, EightNeighboursAreMixed) {
  const Volume volume(numbers, box);
  const VolumeTexture texture(volume, cudaAddressModeClamp, cudaFilterModeLinear);
  const float all = (0 + 8 + 32 + 64 + 256 + 512 + 2048 + 4096) / 8.f;
  EXPECT_EQ(texels(texture, Read::volume,
                   {{0.5f, 0.5f, 0.5f}, {2.5f, 1.5f, 1.5f}, {1, 1, 1}, {0.5f, 0.5f, 0.75f}, {9, 9, 1}}),
            (Row{0, 8192, all, 64, (128 + 8192) / 2.f}))
      << "the fourth is a quarter of the way from 0 to 256";
}

TEST(DeviceVolume, WeightsAreWhole256ths) {
  const std::vector<float3> at{{1.03125f, 1.1875f, 0.53125f},  // 136, 176 and 8 of 256 further than the first
                               {0.71875f, 0.65625f, 1.4375f},  // 56, 40, 240
                               {1.3125f, 1.03125f, 0.5f},      // 208, 136, 0: ties
                               {0.59375f, 1.0625f, 1.1875f}};  // 24, 144, 176
  const std::vector<Row> weights{{36, 41, 80, 91, 1, 1, 3, 3},  // seen on an H100
                                 {10, 3, 2, 1, 158, 45, 29, 8},
                                 {23, 97, 25, 111, 0, 0, 0, 0},
                                 {32, 3, 40, 5, 70, 7, 89, 10}};
  for (std::size_t corner = 0; corner < 8; ++corner) {
    Row one(8, 0);
    one[corner] = 256;
    const Volume volume(one, make_cudaExtent(2, 2, 2));
    const VolumeTexture texture(volume, cudaAddressModeClamp, cudaFilterModeLinear);
    const Row got = texels(texture, Read::volume, at);
    for (std::size_t i = 0; i < at.size(); ++i) EXPECT_EQ(got[i], weights[i][corner]) << i << ", " << corner;
  }
}

TEST(DeviceVolume, LayersAreNotMixed) {
  const Volume rows({1, 2, 4, 8, 16, 32}, make_cudaExtent(3, 0, 2), cudaArrayLayered);
  EXPECT_EQ(rows.values(), (Row{1, 2, 4, 8, 16, 32}));
  const VolumeTexture row(rows, cudaAddressModeClamp, cudaFilterModeLinear);
  EXPECT_EQ(texels(row, Read::row_of_layer, {{1, 0, 0}, {1, 0, 1}, {2.5f, 0, 1}}), (Row{1.5f, 12, 32}));
  const Volume planes(numbers, box, cudaArrayLayered);
  const VolumeTexture plane(planes, cudaAddressModeClamp, cudaFilterModeLinear);
  EXPECT_EQ(texels(plane, Read::plane_of_layer, {{1, 1, 0}, {1, 1, 1}, {2.5f, 1.5f, 1}}),
            (Row{26, 1728, 8192}));
}

__global__ void swap_layers(cudaSurfaceObject_t volume, cudaSurfaceObject_t layers, float* outside) {
  const int x = static_cast<int>(threadIdx.x * sizeof(float)), y = static_cast<int>(threadIdx.y);
  const int z = static_cast<int>(threadIdx.z);
  const float value = surf3Dread<float>(volume, x, y, z);
  __syncthreads();
  surf3Dwrite(value, volume, x, y, 1 - z);
  surf2DLayeredwrite(-value, layers, x, y, 1 - z);
  surf3Dwrite(9.f, volume, x, y, 2 + z, cudaBoundaryModeZero);  // nothing is written
  if (x == 0 && y == 0 && z == 0) {
    outside[0] = surf2DLayeredread<float>(layers, 0, 0, 5, cudaBoundaryModeZero);
    surf3Dread(&outside[1], volume, 0, 7, 0, cudaBoundaryModeZero);
  }
}

TEST(DeviceVolume, SurfacesHaveLayers) {
  const Volume volume(numbers, box, cudaArraySurfaceLoadStore);
  const Volume layers(numbers, box, cudaArrayLayered | cudaArraySurfaceLoadStore);
  cudaSurfaceObject_t surfaces[2] = {};
  for (const auto& [surface, of] : {std::pair{&surfaces[0], &volume}, {&surfaces[1], &layers}}) {
    const cudaResourceDesc resource = of->resource();
    ASSERT_EQ(cudaCreateSurfaceObject(surface, &resource), cudaSuccess);
  }
  const DeviceArray<float> outside{5, 5};
  swap_layers<<<1, dim3(3, 2, 2)>>>(surfaces[0], surfaces[1], outside.data());
  EXPECT_EQ(outside.host(), (Row{0, 0}));
  Row swapped(numbers.begin() + 6, numbers.end()), negative;
  swapped.insert(swapped.end(), numbers.begin(), numbers.begin() + 6);
  for (const float value : swapped) negative.push_back(-value);
  EXPECT_EQ(volume.values(), swapped);
  EXPECT_EQ(layers.values(), negative);
  for (const cudaSurfaceObject_t surface : surfaces)
    EXPECT_EQ(cudaDestroySurfaceObject(surface), cudaSuccess);
}

TEST(DeviceVolume, BoxesAreCopiedAndFilled) {
  const Volume volume(numbers, box);
  cudaPitchedPtr memory{};
  ASSERT_EQ(cudaMalloc3D(&memory, make_cudaExtent(3 * sizeof(float), 2, 2)), cudaSuccess);
  ASSERT_EQ(cudaMemset3D(memory, 0xff, make_cudaExtent(3 * sizeof(float), 2, 2)), cudaSuccess);
  ASSERT_EQ(cudaMemset3D(memory, 0, make_cudaExtent(2 * sizeof(float), 1, 2)), cudaSuccess);
  cudaMemcpy3DParms into{};  // columns 1 and 2 of row 1 of layer 1, to columns 0 and 1 of row 1 of layer 0
  into.srcArray = volume.array();
  into.srcPos = make_cudaPos(1, 1, 1);
  into.dstPtr = memory;
  into.dstPos = make_cudaPos(0, 1, 0);
  into.extent = make_cudaExtent(2, 1, 1);
  into.kind = cudaMemcpyDeviceToDevice;
  ASSERT_EQ(cudaMemcpy3D(&into), cudaSuccess);
  into.srcPtr = memory;
  EXPECT_EQ(cudaMemcpy3D(&into), cudaErrorInvalidValue) << "it has two sources";
  cudaGetLastError();
  std::vector<unsigned> words(12);
  cudaMemcpy3DParms back{};
  back.srcPtr = memory;
  back.dstPtr = make_cudaPitchedPtr(words.data(), 3 * sizeof(unsigned), 3, 2);
  back.extent = make_cudaExtent(3 * sizeof(unsigned), 2, 2);
  back.kind = cudaMemcpyDeviceToHost;
  ASSERT_EQ(cudaMemcpy3DAsync(&back), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  constexpr unsigned ones = 0xffffffff, f4096 = 0x45800000, f8192 = 0x46000000;
  EXPECT_EQ(words, (std::vector<unsigned>{0, 0, ones, f4096, f8192, ones, 0, 0, ones, ones, ones, ones}));
  EXPECT_EQ(cudaFree(memory.ptr), cudaSuccess);
}

TEST(DeviceVolume, BoxesAreCopiedBetweenDevices) {
  const Volume volume(numbers, box), other(Row(numbers.size(), -1), box);
  cudaMemcpy3DPeerParms peer{};
  peer.srcArray = volume.array();
  peer.srcPos = make_cudaPos(1, 1, 1);
  peer.dstArray = other.array();
  peer.dstPos = make_cudaPos(0, 1, 0);
  peer.extent = make_cudaExtent(2, 1, 1);
  ASSERT_EQ(cudaMemcpy3DPeer(&peer), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  Row expected(numbers.size(), -1);
  for (std::size_t i = 0; i < 2; ++i) expected[box.width + i] = numbers[box.width * (box.height + 1) + 1 + i];
  EXPECT_EQ(other.values(), expected);
  const DeviceArray<float> row(2);  // the same elements, to memory
  peer.dstArray = nullptr;
  peer.dstPos = make_cudaPos(0, 0, 0);
  peer.dstPtr = make_cudaPitchedPtr(row.data(), 2 * sizeof(float), 2, 1);
  ASSERT_EQ(cudaMemcpy3DPeerAsync(&peer), cudaSuccess);
  EXPECT_EQ(row.host(), Row(expected.begin() + box.width, expected.begin() + box.width + 2));
  peer.dstDevice = 77;
  EXPECT_EQ(cudaMemcpy3DPeer(&peer), cudaErrorInvalidDevice);
  cudaGetLastError();
}

/// An array of two dimensions, filled with one number.
class Plane {
 public:
  static constexpr std::size_t width = 4, height = 3;

  explicit Plane(const Row& values) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    EXPECT_EQ(cudaMallocArray(&array_, &format, width, height), cudaSuccess);
    EXPECT_EQ(cudaMemcpy2DToArray(array_, 0, 0, values.data(), row, row, height, cudaMemcpyHostToDevice),
              cudaSuccess);
  }
  ~Plane() { EXPECT_EQ(cudaFreeArray(array_), cudaSuccess); }
  Plane(const Plane&) = delete;
  Plane& operator=(const Plane&) = delete;

  cudaArray_t array() const { return array_; }
  Row values() const {
    Row out(width * height);
    EXPECT_EQ(cudaMemcpy2DFromArray(out.data(), row, array_, 0, 0, row, height, cudaMemcpyDeviceToHost),
              cudaSuccess);
    return out;
  }

 private:
  static constexpr std::size_t row = width * sizeof(float);
  cudaArray_t array_ = nullptr;
};

TEST(DeviceVolume, RectanglesAreCopiedFromArrayToArray) {
  const Plane from({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}), to(Row(12, -1));
  ASSERT_EQ(
      cudaMemcpy2DArrayToArray(to.array(), 0, 0, from.array(), 2 * sizeof(float), 1, 2 * sizeof(float), 2),
      cudaSuccess);
  EXPECT_EQ(to.values(), (Row{6, 7, -1, -1, 10, 11, -1, -1, -1, -1, -1, -1}));
  EXPECT_EQ(cudaMemcpy2DArrayToArray(to.array(), 0, 0, from.array(), 0, 2, 2 * sizeof(float), 2),
            cudaErrorInvalidValue);
  cudaGetLastError();
}

#if defined(__NVCC__)
#pragma nv_diag_suppress 1444
#endif
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

TEST(DeviceVolume, RunsOfBytesGoOnInTheNextRow) {
  const Plane from({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}), to(Row(12, -1));
  ASSERT_EQ(cudaMemcpyArrayToArray(to.array(), 0, 1, from.array(), 0, 0, 5 * sizeof(float)), cudaSuccess);
  EXPECT_EQ(to.values(), (Row{-1, -1, -1, -1, 0, 1, 2, 3, 4, -1, -1, -1}));
  float* pinned = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, 3 * sizeof(float)), cudaSuccess);
  ASSERT_EQ(cudaMemcpyFromArrayAsync(pinned, from.array(), 0, 2, 3 * sizeof(float), cudaMemcpyDeviceToHost),
            cudaSuccess);
  ASSERT_EQ(cudaMemcpyToArrayAsync(to.array(), 0, 0, pinned, 3 * sizeof(float), cudaMemcpyHostToDevice),
            cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(to.values(), (Row{8, 9, 10, -1, 0, 1, 2, 3, 4, -1, -1, -1}));
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

}  // namespace
