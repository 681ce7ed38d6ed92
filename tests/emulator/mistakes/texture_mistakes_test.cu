// Mistakes with textures, surfaces and arrays: each is one sentence.
#include <string>
#include <vector>

#include "tests/emulator/device_array.hpp"

namespace {

/// What the calls say on stderr.
template <class Calls>
std::string said(Calls calls) {
  testing::internal::CaptureStderr();
  calls();
  return testing::internal::GetCapturedStderr();
}
#define EXPECT_SAYS(calls, text) \
  EXPECT_NE(said([&] { calls; }).find(text), std::string::npos) << said([&] { calls; })

class TextureMistakes : public testing::Test {
 protected:
  TextureMistakes() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
    EXPECT_EQ(cudaMallocArray(&array_, &format, 8, 2, cudaArraySurfaceLoadStore), cudaSuccess);
    resource_.resType = cudaResourceTypeArray;
    resource_.res.array.array = array_;
  }
  ~TextureMistakes() override { cudaDeviceReset(); }  // a kernel that fails breaks the device

  cudaTextureObject_t texture() {
    cudaTextureObject_t object = 0;
    EXPECT_EQ(cudaCreateTextureObject(&object, &resource_, &description_, nullptr), cudaSuccess);
    return object;
  }
  cudaError_t create() {
    cudaTextureObject_t object = 0;
    return cudaCreateTextureObject(&object, &resource_, &description_, nullptr);
  }

  cudaArray_t array_ = nullptr;
  cudaResourceDesc resource_{};
  cudaTextureDesc description_{};
};

template <class T>
__global__ void read(cudaTextureObject_t texture) {
  const T texel = tex2D<T>(texture, 0, 0);
  if (texel == 3) __trap();
}
__global__ void fetch(cudaTextureObject_t texture) {
  if (tex1Dfetch<unsigned char>(texture, 0) == 3) __trap();
}
__global__ void write(cudaSurfaceObject_t surface, int x) { surf2Dwrite<unsigned char>(1, surface, x, 0); }
__global__ void write_wide(cudaSurfaceObject_t surface) { surf2Dwrite<int>(1, surface, 0, 0); }

/// The report of a kernel that fails.
template <class Launch>
std::string failed(Launch launch) {
  return said([&] {
    launch();
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  });
}
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(TextureMistakes, AKernelThatAsksForAnotherType) {
  const cudaTextureObject_t object = texture();
  const std::string report = failed([&] { read<float><<<1, 1>>>(object); });
  EXPECT_TRUE(contains(report, "tex2D at ")) << report;
  EXPECT_TRUE(contains(report, "texture_mistakes_test.cu:")) << report;
  EXPECT_TRUE(contains(
      report, "floats of 32 bits, but the texture has unsigned integers of 8 bits, read as they are"))
      << report;
}

TEST_F(TextureMistakes, AKernelThatReadsInAnotherWay) {
  const cudaTextureObject_t object = texture();
  const std::string report = failed([&] { fetch<<<1, 1>>>(object); });
  EXPECT_TRUE(contains(report, "the texture reads an array or rows of memory: use tex1D or tex2D")) << report;
}

TEST_F(TextureMistakes, ATextureThatIsDestroyed) {
  const cudaTextureObject_t object = texture();
  EXPECT_EQ(cudaDestroyTextureObject(object), cudaSuccess);
  EXPECT_EQ(cudaDestroyTextureObject(object), cudaErrorInvalidValue);
  const std::string report = failed([&] { read<unsigned char><<<1, 1>>>(object); });
  EXPECT_TRUE(contains(report, "is not a texture; was its object destroyed")) << report;
}

TEST_F(TextureMistakes, ASurfaceIsLeft) {
  cudaSurfaceObject_t surface = 0;
  ASSERT_EQ(cudaCreateSurfaceObject(&surface, &resource_), cudaSuccess);
  const std::string report = failed([&] { write<<<1, 1>>>(surface, 8); });
  EXPECT_TRUE(contains(report, "byte 8 of row 0, but the surface has 2 rows of 8 bytes")) << report;
}

TEST_F(TextureMistakes, AnElementOfAnotherSize) {
  cudaSurfaceObject_t surface = 0;
  ASSERT_EQ(cudaCreateSurfaceObject(&surface, &resource_), cudaSuccess);
  const std::string report = failed([&] { write_wide<<<1, 1>>>(surface); });
  EXPECT_TRUE(contains(report, "4 bytes at byte 0 of a row whose elements have 1 bytes each")) << report;
}

TEST_F(TextureMistakes, WhatCannotBeATextureIsRefused) {
  description_.filterMode = cudaFilterModeLinear;
  EXPECT_SAYS(EXPECT_EQ(create(), cudaErrorInvalidFilterSetting), "linear filtering needs floats");
  description_ = {};
  description_.sRGB = 1;
  EXPECT_SAYS(EXPECT_EQ(create(), cudaErrorNotSupported), "does not convert from sRGB");
  description_ = {};
  float* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 4096), cudaSuccess);
  resource_.resType = cudaResourceTypeLinear;
  resource_.res.linear = {memory + 1, cudaCreateChannelDesc<float>(), 64};
  EXPECT_SAYS(EXPECT_EQ(create(), cudaErrorInvalidValue), "must begin at a multiple of 512 bytes");
  resource_.res.linear = {memory, cudaCreateChannelDesc<float>(), 8192};
  EXPECT_SAYS(EXPECT_EQ(create(), cudaErrorInvalidValue), "only 4096 are left");
  resource_.res.linear = {memory, cudaCreateChannelDesc<int>(), 64};
  description_.readMode = cudaReadModeNormalizedFloat;
  EXPECT_SAYS(EXPECT_EQ(create(), cudaErrorInvalidNormSetting), "of 8 and 16 bits");
  description_ = {};
  resource_.resType = cudaResourceTypePitch2D;
  resource_.res.pitch2D = {memory, cudaCreateChannelDesc<float>(), 16, 2, 60};
  EXPECT_SAYS(EXPECT_EQ(create(), cudaErrorInvalidValue), "must be a multiple of 32, and no less than a row");
  resource_.resType = cudaResourceTypeMipmappedArray;
  EXPECT_SAYS(EXPECT_EQ(create(), cudaErrorNotSupported), "no mipmaps");
}

TEST_F(TextureMistakes, ArraysAreChecked) {
  const unsigned char row[8] = {};
  EXPECT_SAYS(EXPECT_EQ(cudaMemcpy2DToArray(array_, 4, 0, row, 8, 8, 1, cudaMemcpyHostToDevice),
                        cudaErrorInvalidValue),
              "from byte 4 of row 0 on, but the array has 2 rows of 8 bytes");
  EXPECT_SAYS(
      EXPECT_EQ(cudaMemcpyToArray(array_, 4, 1, row, 8, cudaMemcpyHostToDevice), cudaErrorInvalidValue),
      "8 bytes from byte 4 of row 1 on");
  cudaArray_t other = nullptr;
  const cudaChannelFormatDesc three = {8, 8, 8, 0, cudaChannelFormatKindUnsigned};
  EXPECT_SAYS(EXPECT_EQ(cudaMallocArray(&other, &three, 8), cudaErrorInvalidChannelDescriptor),
              "1, 2 or 4 channels");
  const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<unsigned char>();
  EXPECT_SAYS(EXPECT_EQ(cudaMallocArray(&other, &bytes, 0), cudaErrorInvalidValue), "1 to 131072 elements");
  ASSERT_EQ(cudaMallocArray(&other, &bytes, 8), cudaSuccess);
  resource_.res.array.array = other;
  cudaSurfaceObject_t surface = 0;
  EXPECT_SAYS(EXPECT_EQ(cudaCreateSurfaceObject(&surface, &resource_), cudaErrorInvalidValue),
              "not made with cudaArraySurfaceLoadStore");
  ASSERT_EQ(cudaFreeArray(other), cudaSuccess);
  EXPECT_SAYS(EXPECT_EQ(cudaFreeArray(other), cudaErrorInvalidValue), "is not an array; was it freed");
}

__global__ void read_volume(cudaTextureObject_t texture) {
  if (tex3D<unsigned char>(texture, 0, 0, 0) == 3) __trap();
}
__global__ void read_layer(cudaTextureObject_t texture) {
  if (tex2DLayered<unsigned char>(texture, 0, 0, 0) == 3) __trap();
}
__global__ void write_volume(cudaSurfaceObject_t surface) { surf3Dwrite<unsigned char>(1, surface, 0, 0, 2); }

TEST_F(TextureMistakes, ATextureOfAnotherShape) {
  const cudaTextureObject_t plane = texture();
  const std::string report = failed([&] { read_volume<<<1, 1>>>(plane); });
  EXPECT_TRUE(contains(report, "tex3D at ")) << report;
  EXPECT_TRUE(contains(report, "the texture reads an array or rows of memory: use tex1D or tex2D")) << report;
}

/// Arrays of three dimensions in place of the two.
class VolumeMistakes : public TextureMistakes {
 protected:
  VolumeMistakes() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
    EXPECT_EQ(cudaMalloc3DArray(&volume_, &format, {8, 2, 2}, cudaArraySurfaceLoadStore), cudaSuccess);
    resource_.res.array.array = volume_;
  }
  cudaArray_t volume_ = nullptr;
};

TEST_F(VolumeMistakes, AreReadAsLayersOrPlanes) {
  const cudaTextureObject_t object = texture();
  EXPECT_TRUE(contains(failed([&] { read_layer<<<1, 1>>>(object); }),
                       "the texture reads an array of three dimensions: use tex3D"));
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
}

__global__ void read_layers_at(cudaTextureObject_t rows, cudaTextureObject_t planes, float* out) {
  out[0] = tex1DLayered<float>(rows, 0, 7);
  out[1] = tex1DLayered<float>(rows, 0, -3);
  out[2] = tex2DLayered<float>(planes, 0, 0, 5);
}

// CUDA does not say what such an index reads.
TEST_F(TextureMistakes, AnIndexOutsideIsThatOfTheNearestLayer) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  float values[] = {1, 2, 4, 8, 16, 32};
  cudaTextureObject_t objects[2] = {};
  for (const std::size_t rows : {0, 1}) {
    cudaArray_t layers = nullptr;
    ASSERT_EQ(cudaMalloc3DArray(&layers, &format, {3, rows, 2}, cudaArrayLayered), cudaSuccess);
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(values, 3 * sizeof(float), 3, 1);
    copy.dstArray = layers;
    copy.extent = make_cudaExtent(3, 1, 2);
    copy.kind = cudaMemcpyHostToDevice;
    ASSERT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
    resource_.res.array.array = layers;
    objects[rows] = texture();
  }
  const warplab::test::DeviceArray<float> out(3);
  read_layers_at<<<1, 1>>>(objects[0], objects[1], out.data());
  EXPECT_EQ(out.host(), (std::vector<float>{8, 1, 8}));
}

TEST_F(VolumeMistakes, AreLeft) {
  cudaSurfaceObject_t surface = 0;
  ASSERT_EQ(cudaCreateSurfaceObject(&surface, &resource_), cudaSuccess);
  const std::string report = failed([&] { write_volume<<<1, 1>>>(surface); });
  EXPECT_TRUE(
      contains(report, "byte 0 of row 0 of layer 2, but the surface has 2 layers of 2 rows of 8 bytes"))
      << report;
}

TEST_F(VolumeMistakes, AreAllocatedAndCopied) {
  const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<unsigned char>();
  cudaArray_t other = nullptr;
  EXPECT_SAYS(EXPECT_EQ(cudaMalloc3DArray(&other, &bytes, {8, 0, 2}), cudaErrorInvalidValue),
              "three dimensions has 1 to 16384 elements in a row, 1 to 16384 rows and 1 to 16384 layers");
  EXPECT_SAYS(
      EXPECT_EQ(cudaMalloc3DArray(&other, &bytes, {8, 2, 0}, cudaArrayLayered), cudaErrorInvalidValue),
      "an array of layers has 1 to 32768 elements");
  EXPECT_SAYS(EXPECT_EQ(cudaMallocArray(&other, &bytes, 8, 2, cudaArrayLayered), cudaErrorInvalidValue),
              "is made with cudaMalloc3DArray");
  EXPECT_SAYS(
      EXPECT_EQ(cudaMalloc3DArray(&other, &bytes, {8, 8, 6}, cudaArrayCubemap), cudaErrorInvalidValue),
      "no cubemaps");
  unsigned char host[32] = {};
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(host, 8, 8, 2);
  copy.dstArray = volume_;
  copy.dstPos = make_cudaPos(0, 0, 1);
  copy.extent = make_cudaExtent(8, 2, 2);
  copy.kind = cudaMemcpyHostToDevice;
  EXPECT_SAYS(EXPECT_EQ(cudaMemcpy3D(&copy), cudaErrorInvalidValue),
              "2 layers of 2 rows of 8 bytes from layer 1, row 0 and byte 0 on, but the array has 2 layers");
  copy.dstPos = {};
  copy.srcPtr.pitch = 4;
  EXPECT_SAYS(EXPECT_EQ(cudaMemcpy3D(&copy), cudaErrorInvalidPitchValue), "rows of 8 bytes do not fit");
  copy.srcPtr.ptr = nullptr;
  EXPECT_SAYS(EXPECT_EQ(cudaMemcpy3D(&copy), cudaErrorInvalidValue), "there is no array");
  cudaArray_t words = nullptr;
  const cudaChannelFormatDesc word = cudaCreateChannelDesc<int>();
  ASSERT_EQ(cudaMalloc3DArray(&words, &word, {8, 2, 2}), cudaSuccess);
  copy.srcArray = words;
  EXPECT_SAYS(EXPECT_EQ(cudaMemcpy3D(&copy), cudaErrorInvalidValue), "elements of 4 bytes are copied into");
}

}  // namespace
