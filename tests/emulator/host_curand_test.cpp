// cuRAND's host side. The numbers expected are those of libcurand 10.4.0 (CUDA 13.0) for the seed 1234.

#include <curand.h>

#include <string>
#include <vector>

#include "tests/emulator/device_array.hpp"

using warplab::test::DeviceArray;

namespace {

constexpr std::size_t total = 300000;
constexpr std::size_t looked_at[] = {0, 1, 4095, 4096, 262143, 262144, 299999};

class Generator {
 public:
  explicit Generator(curandRngType_t type, bool on_host = false) {
    EXPECT_EQ(on_host ? curandCreateGeneratorHost(&handle_, type) : curandCreateGenerator(&handle_, type),
              CURAND_STATUS_SUCCESS);
    EXPECT_EQ(curandSetPseudoRandomGeneratorSeed(handle_, 1234), CURAND_STATUS_SUCCESS);
  }
  ~Generator() { EXPECT_EQ(curandDestroyGenerator(handle_), CURAND_STATUS_SUCCESS); }
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;

  operator curandGenerator_t() const { return handle_; }

 private:
  curandGenerator_t handle_ = nullptr;
};

/// `make` fills an array of the device.
template <class T, class Make>
void expect_numbers(curandRngType_t type, const std::vector<T>& expected, double tolerance, Make make) {
  const Generator generator(type);
  const DeviceArray<T> device(total);
  EXPECT_EQ(make(generator, device.data()), CURAND_STATUS_SUCCESS);
  const std::vector<T> got = device.host();
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(got[looked_at[i]], expected[i], tolerance) << type << ", element " << looked_at[i];
}

constexpr auto bits = [](curandGenerator_t g, unsigned* to) { return curandGenerate(g, to, total); };
constexpr auto uniform = [](curandGenerator_t g, float* to) { return curandGenerateUniform(g, to, total); };
constexpr auto uniform_double = [](curandGenerator_t g, double* to) {
  return curandGenerateUniformDouble(g, to, total);
};
constexpr auto normal = [](curandGenerator_t g, float* to) {
  return curandGenerateNormal(g, to, total, 1, 2);
};
constexpr auto normal_double = [](curandGenerator_t g, double* to) {
  return curandGenerateNormalDouble(g, to, total, 1, 2);
};
constexpr auto log_normal = [](curandGenerator_t g, float* to) {
  return curandGenerateLogNormal(g, to, total, 1, 0.5f);
};
constexpr auto log_normal_double = [](curandGenerator_t g, double* to) {
  return curandGenerateLogNormalDouble(g, to, total, 1, 0.5);
};

/// The elements `looked_at` of 300000 numbers of each kind.
struct LibraryNumbers {
  curandRngType_t type;
  std::vector<unsigned> bits;
  std::vector<float> uniform;
  std::vector<double> uniform_double;
  std::vector<float> normal;
  std::vector<double> normal_double;
  std::vector<float> log_normal;
  std::vector<double> log_normal_double;
};

const LibraryNumbers library[] = {
    {
        .type = CURAND_RNG_PSEUDO_DEFAULT,
        .bits = {0x253d5e15, 0xd1f7605a, 0xe5dcbada, 0x6f558604, 0xa4d12b83, 0x406c7b5a, 0x1f47e364},
        .uniform = {0.145467639f, 0.820180893f, 0.89789933f, 0.434898734f, 0.64381671f, 0.25165531f,
                    0.122190677f},
        .uniform_double = {0.43489880438841294, 0.92641692020243771, 0.98820661192243198, 0.45516523048612917,
                           0.97223086231797029, 0.57850144559783079, 0.21202962770472583},
        .normal = {2.56194711f, -2.60315633f, 3.59487867f, 4.87805367f, 0.321521163f, -1.72020364f,
                   0.817522824f},
        .normal_double = {1.7174795970489101, -1.4791850064471039, 1.412707079090282, 3.8877006921929356,
                          3.8130673774184669, 1.911107448657045, 4.4792724741525873},
        .log_normal = {4.0168047f, 1.10429919f, 5.20031738f, 7.16718817f, 2.29419112f, 1.37705767f,
                       2.59706163f},
        .log_normal_double = {3.2523242652048894, 1.4625825579167149, 3.013724742648634, 5.5952900035514759,
                              5.4918591674230459, 3.413632119644086, 6.4871164057653985},
    },
    {
        .type = CURAND_RNG_PSEUDO_PHILOX4_32_10,
        .bits = {0x2090b348, 0xda7cf0ab, 0x3aad5500, 0x7a6635c0, 0x8e29d01a, 0x9eeede35, 0x6f565f99},
        .uniform = {0.12720795f, 0.853468955f, 0.229207337f, 0.478122115f, 0.555325508f, 0.620832324f,
                    0.434911698f},
        .uniform_double = {0.85346899543001431, 0.79605514883270523, 0.80878207458661233, 0.21564764650400298,
                           0.4712686749563671, 0.98448155967187301, 0.69092721973027604},
        .normal = {-2.23298097f, 3.45831084f, 1.14840066f, 3.37325549f, -2.33064795f, 2.26616573f,
                   -3.14329576f},
        .normal_double = {-0.079053391814637664, 1.3212666928840457, 1.2037563001584921, -1.9612066632622365,
                          -2.3016309522531215, 0.92153134934195624, -0.83481347909047021},
        .log_normal = {1.21137345f, 5.02576542f, 2.82102466f, 4.92002678f, 1.18215382f, 3.73049688f,
                       0.964810133f},
        .log_normal_double = {2.0755717378574396, 2.9456121998884659, 2.8603359273214655, 1.2965389061993084,
                              1.1907605991961867, 2.6654764905397732, 1.718233331694659},
    },
};

TEST(Curand, GivesTheNumbersOfTheLibrary) {
  for (const LibraryNumbers& numbers : library) {
    expect_numbers(numbers.type, numbers.bits, 0, bits);
    expect_numbers(numbers.type, numbers.uniform, 1e-9, uniform);
    expect_numbers(numbers.type, numbers.uniform_double, 1e-17, uniform_double);
    expect_numbers(numbers.type, numbers.normal, 4e-6, normal);
    expect_numbers(numbers.type, numbers.normal_double, 1e-13, normal_double);
    expect_numbers(numbers.type, numbers.log_normal, 1e-5, log_normal);
    expect_numbers(numbers.type, numbers.log_normal_double, 1e-13, log_normal_double);
  }
}

TEST(Curand, GoesOnWhereTheLastCallEnded) {
  for (const auto type : {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_PHILOX4_32_10}) {
    const Generator whole(type, true), parts(type, true), later(type, true);
    std::vector<unsigned> expected(10000), got(10000), rest(10000 - 4101);
    ASSERT_EQ(curandGenerate(whole, expected.data(), expected.size()), CURAND_STATUS_SUCCESS);
    for (std::size_t at = 0, count = 1; at < got.size(); at += count, count *= 3)
      ASSERT_EQ(curandGenerate(parts, got.data() + at, std::min(count, got.size() - at)),
                CURAND_STATUS_SUCCESS);
    EXPECT_EQ(got, expected);
    ASSERT_EQ(curandSetGeneratorOffset(later, 4101), CURAND_STATUS_SUCCESS);
    ASSERT_EQ(curandGenerate(later, rest.data(), rest.size()), CURAND_STATUS_SUCCESS);
    EXPECT_EQ(rest, std::vector<unsigned>(expected.begin() + 4101, expected.end()));
    ASSERT_EQ(curandSetPseudoRandomGeneratorSeed(parts, 1234), CURAND_STATUS_SUCCESS);
    ASSERT_EQ(curandGenerate(parts, got.data(), got.size()), CURAND_STATUS_SUCCESS);
    EXPECT_EQ(got, expected) << "the same seed begins again";
  }
}

TEST(Curand, WorksInTheStreamOfTheGenerator) {
  const Generator generator(CURAND_RNG_PSEUDO_PHILOX4_32_10);
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(curandSetStream(generator, stream), CURAND_STATUS_SUCCESS);
  const DeviceArray<unsigned> device(4);
  ASSERT_EQ(curandGenerate(generator, device.data(), 4), CURAND_STATUS_SUCCESS);
  unsigned first = 1;
  ASSERT_EQ(cudaMemcpy(&first, device.data(), sizeof first, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(first, 0u) << "nobody has waited for the stream";
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(device.host()[0], 0x2090b348u);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

/// What a call says on stderr, and its status.
template <class Call>
std::string said(curandStatus_t status, Call call) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(call(), status);
  return testing::internal::GetCapturedStderr();
}

TEST(Curand, RefusesWhatCannotBeRight) {
  curandGenerator_t none = nullptr;
  EXPECT_NE(
      said(CURAND_STATUS_TYPE_ERROR, [&] { return curandCreateGenerator(&none, CURAND_RNG_QUASI_SOBOL32); })
          .find("the emulator has the generators XORWOW (the default) and Philox4_32_10"),
      std::string::npos);
  EXPECT_EQ(curandGenerate(nullptr, nullptr, 1), CURAND_STATUS_NOT_INITIALIZED);
  const Generator generator(CURAND_RNG_PSEUDO_XORWOW);
  EXPECT_NE(said(CURAND_STATUS_OUT_OF_RANGE,
                 [&] { return curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_SEEDED); })
                .find("BEST, DEFAULT and LEGACY"),
            std::string::npos);
  EXPECT_EQ(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_LEGACY), CURAND_STATUS_SUCCESS);
  float* d = nullptr;  // freed by the reset below
  ASSERT_EQ(cudaMalloc(&d, 4 * sizeof(float)), cudaSuccess);
  EXPECT_NE(
      said(CURAND_STATUS_LENGTH_NOT_MULTIPLE, [&] { return curandGenerateNormal(generator, d, 3, 0, 1); })
          .find("in pairs, and 3 is odd"),
      std::string::npos);
  {
    const Generator on_host(CURAND_RNG_PSEUDO_XORWOW, true);
    EXPECT_NE(said(CURAND_STATUS_LAUNCH_FAILURE, [&] { return curandGenerateUniform(on_host, d, 4); })
                  .find("curandCreateGeneratorHost made this generator"),
              std::string::npos);
  }
  EXPECT_EQ(curandGenerateUniform(generator, d, 5), CURAND_STATUS_SUCCESS)
      << "seen when it runs, as on a GPU";
  testing::internal::CaptureStderr();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress) << "5 of 4 elements";
  EXPECT_NE(testing::internal::GetCapturedStderr().find("curandGenerateUniform: the array has 20 bytes"),
            std::string::npos);
  EXPECT_EQ(curandGenerateUniform(generator, d, 4), CURAND_STATUS_LAUNCH_FAILURE) << "the device is broken";
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
}

}  // namespace
