// Generators of cuRAND's host side.
#include <curand.h>

#include <cmath>
#include <memory>
#include <utility>
#include <variant>

#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/libraries/curand_sequence.hpp"
#include "emulator/src/memory/memory.hpp"
#include "emulator/src/streams/stream_queue.hpp"
#include "emulator/src/transfers/operand.hpp"

using namespace warplab::emulator;

namespace {

using Sequence = std::variant<XorwowSequence, PhiloxSequence>;

}  // namespace

struct curandGenerator_st {
  curandRngType type;
  bool for_host;
  cudaStream_t stream = nullptr;
  unsigned long long seed = 0, offset = 0;
  std::shared_ptr<Sequence> sequence = nullptr;  ///< queued work holds it too; null until it is asked for
};

namespace {

bool is_xorwow(curandRngType type) {
  return type == CURAND_RNG_PSEUDO_DEFAULT || type == CURAND_RNG_PSEUDO_XORWOW;
}

curandStatus_t create(curandGenerator_t* generator, curandRngType type, bool for_host, const char* function) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (!is_xorwow(type) && type != CURAND_RNG_PSEUDO_PHILOX4_32_10) {
    report("%s: the emulator has the generators XORWOW (the default) and Philox4_32_10, not number %d",
           function, static_cast<int>(type));
    return CURAND_STATUS_TYPE_ERROR;
  }
  int devices = 0;
  if (!for_host && cudaGetDeviceCount(&devices) != cudaSuccess) return CURAND_STATUS_INITIALIZATION_FAILED;
  *generator = new curandGenerator_st{type, for_host};
  return CURAND_STATUS_SUCCESS;
}

const std::shared_ptr<Sequence>& sequence_of(curandGenerator_st& generator) {
  if (!generator.sequence)
    generator.sequence =
        is_xorwow(generator.type)
            ? std::make_shared<Sequence>(std::in_place_type<XorwowSequence>, generator.seed, generator.offset)
            : std::make_shared<Sequence>(std::in_place_type<PhiloxSequence>, generator.seed,
                                         generator.offset);
  return generator.sequence;
}

// In the generator's stream, or at once for the host.
template <class T>
curandStatus_t run(curandGenerator_t generator, const char* function, T* numbers, std::size_t count,
                   std::function<void()> work) {
  if (generator->for_host) {
    if (is_device_only(numbers)) {
      report("%s: the numbers are for device memory, but curandCreateGeneratorHost made this generator",
             function);
      return CURAND_STATUS_LAUNCH_FAILURE;
    }
    work();
    return CURAND_STATUS_SUCCESS;
  }
  const Operand operand{"the array", numbers, count * sizeof(T)};
  const cudaError_t error = enqueue(generator->stream, [=, work = std::move(work)] {
    const cudaError_t closed = open_operand(function, operand);
    if (closed == cudaSuccess) work();
    return closed;
  });
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

/// @param then changes each number that was drawn
template <class T, class Draw, class Then>
curandStatus_t generate(curandGenerator_t generator, const char* function, T* numbers, std::size_t count,
                        Draw draw, Then then) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  curandStateXORWOW xorwow{};
  if (is_xorwow(generator->type) && count % draw(xorwow).size() != 0) {
    report("%s: XORWOW makes normal numbers in pairs, and %zu is odd", function, count);
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  }
  return run(generator, function, numbers, count, [=, sequence = sequence_of(*generator)] {
    std::visit([&](auto& turns) { turns.fill(numbers, count, draw); }, *sequence);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = then(numbers[i]);
  });
}

constexpr auto unchanged = [](auto number) { return number; };

template <class T>
auto scaled(T mean, T deviation) {
  return [=](T number) { return mean + deviation * number; };
}
template <class T>
auto exponential(T mean, T deviation) {
  return [=](T number) { return std::exp(mean + deviation * number); };
}

// Another beginning for what is generated from now on.
template <class Change>
curandStatus_t restart(curandGenerator_t generator, Change change) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  change(*generator);
  generator->sequence = nullptr;
  return CURAND_STATUS_SUCCESS;
}

}  // namespace

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, false, "curandCreateGenerator");
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return create(generator, type, true, "curandCreateGeneratorHost");
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  delete generator;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetVersion(int* version) {
  if (version == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  return restart(generator, [&](curandGenerator_st& changed) { changed.seed = seed; });
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  return restart(generator, [&](curandGenerator_st& changed) { changed.offset = offset; });
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  if (order != CURAND_ORDERING_PSEUDO_BEST && order != CURAND_ORDERING_PSEUDO_DEFAULT &&
      order != CURAND_ORDERING_PSEUDO_LEGACY) {
    report(
        "curandSetGeneratorOrdering: the emulator has the orders BEST, DEFAULT and LEGACY of pseudorandom "
        "numbers, not number %d",
        static_cast<int>(order));
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  return restart(generator, [](curandGenerator_st&) {});  // they are the same
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  sequence_of(*generator);
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* numbers, std::size_t count) {
  return generate(generator, "curandGenerate", numbers, count, DrawBits{}, unchanged);
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* numbers, std::size_t count) {
  return generate(generator, "curandGenerateUniform", numbers, count, DrawUniform{}, unchanged);
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* numbers, std::size_t count) {
  return generate(generator, "curandGenerateUniformDouble", numbers, count, DrawUniformDouble{}, unchanged);
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* numbers, std::size_t count,
                                    float mean, float deviation) {
  return generate(generator, "curandGenerateNormal", numbers, count, DrawNormal{}, scaled(mean, deviation));
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* numbers, std::size_t count,
                                          double mean, double deviation) {
  return generate(generator, "curandGenerateNormalDouble", numbers, count, DrawNormalDouble{},
                  scaled(mean, deviation));
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* numbers, std::size_t count,
                                       float mean, float deviation) {
  return generate(generator, "curandGenerateLogNormal", numbers, count, DrawNormal{},
                  exponential(mean, deviation));
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* numbers, std::size_t count,
                                             double mean, double deviation) {
  return generate(generator, "curandGenerateLogNormalDouble", numbers, count, DrawNormalDouble{},
                  exponential(mean, deviation));
}
