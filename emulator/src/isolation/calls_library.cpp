// Functions of C and C++ with results by pointers, and what would make a graded run differ from the next:
// clocks and the environment.

#include <cfenv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>

#include "emulator/src/isolation/heap.hpp"
#include "emulator/src/isolation/stand_in.hpp"

namespace warplab::emulator::isolation {

// --- Mathematics ---

void sine_and_cosine_float(float x, float* sine, float* cosine) WARPLAB_STANDS_FOR("sincosf");
void sine_and_cosine_float(float x, float* sine, float* cosine) {
  require(sine, sizeof *sine, true, WARPLAB_GUARDED_CALLER);
  require(cosine, sizeof *cosine, true, WARPLAB_GUARDED_CALLER);
  *sine = std::sin(x), *cosine = std::cos(x);
}
float fraction_float(float x, int* exponent) WARPLAB_STANDS_FOR("frexpf");
float fraction_float(float x, int* exponent) {
  require(exponent, sizeof *exponent, true, WARPLAB_GUARDED_CALLER);
  return std::frexp(x, exponent);
}
float parts_float(float x, float* whole) WARPLAB_STANDS_FOR("modff");
float parts_float(float x, float* whole) {
  require(whole, sizeof *whole, true, WARPLAB_GUARDED_CALLER);
  return std::modf(x, whole);
}
float remainder_float(float x, float y, int* quotient) WARPLAB_STANDS_FOR("remquof");
float remainder_float(float x, float y, int* quotient) {
  require(quotient, sizeof *quotient, true, WARPLAB_GUARDED_CALLER);
  return std::remquo(x, y, quotient);
}
void sine_and_cosine_double(double x, double* sine, double* cosine) WARPLAB_STANDS_FOR("sincos");
void sine_and_cosine_double(double x, double* sine, double* cosine) {
  require(sine, sizeof *sine, true, WARPLAB_GUARDED_CALLER);
  require(cosine, sizeof *cosine, true, WARPLAB_GUARDED_CALLER);
  *sine = std::sin(x), *cosine = std::cos(x);
}
double fraction_double(double x, int* exponent) WARPLAB_STANDS_FOR("frexp");
double fraction_double(double x, int* exponent) {
  require(exponent, sizeof *exponent, true, WARPLAB_GUARDED_CALLER);
  return std::frexp(x, exponent);
}
double parts_double(double x, double* whole) WARPLAB_STANDS_FOR("modf");
double parts_double(double x, double* whole) {
  require(whole, sizeof *whole, true, WARPLAB_GUARDED_CALLER);
  return std::modf(x, whole);
}
double remainder_double(double x, double y, int* quotient) WARPLAB_STANDS_FOR("remquo");
double remainder_double(double x, double y, int* quotient) {
  require(quotient, sizeof *quotient, true, WARPLAB_GUARDED_CALLER);
  return std::remquo(x, y, quotient);
}

// --- Numbers of a program's arguments ---

namespace {

/// Reads a number by a function of C's, where the caller may read the text and learn where the number ends.
template <class Number, class... Base>
Number parsed(Number (*parse)(const char*, char**, Base...), const char* text, char** end, const void* code,
              Base... base) {
  require_host(code);
  checked_length(text, code);
  if (end != nullptr) require(end, sizeof *end, true, code);
  return parse(text, end, base...);
}

}  // namespace

int parse_int(const char* text) WARPLAB_STANDS_FOR("atoi");
int parse_int(const char* text) {
  return static_cast<int>(parsed(std::strtol, text, nullptr, WARPLAB_GUARDED_CALLER, 10));
}
long parse_long(const char* text) WARPLAB_STANDS_FOR("atol");
long parse_long(const char* text) { return parsed(std::strtol, text, nullptr, WARPLAB_GUARDED_CALLER, 10); }
double parse_double(const char* text) WARPLAB_STANDS_FOR("atof");
double parse_double(const char* text) { return parsed(std::strtod, text, nullptr, WARPLAB_GUARDED_CALLER); }
long read_long(const char* text, char** end, int base) WARPLAB_STANDS_FOR("strtol");
long read_long(const char* text, char** end, int base) {
  return parsed(std::strtol, text, end, WARPLAB_GUARDED_CALLER, base);
}
unsigned long read_unsigned(const char* text, char** end, int base) WARPLAB_STANDS_FOR("strtoul");
unsigned long read_unsigned(const char* text, char** end, int base) {
  return parsed(std::strtoul, text, end, WARPLAB_GUARDED_CALLER, base);
}
long long read_long_long(const char* text, char** end, int base) WARPLAB_STANDS_FOR("strtoll");
long long read_long_long(const char* text, char** end, int base) {
  return parsed(std::strtoll, text, end, WARPLAB_GUARDED_CALLER, base);
}
unsigned long long read_unsigned_long_long(const char* text, char** end, int base)
    WARPLAB_STANDS_FOR("strtoull");
unsigned long long read_unsigned_long_long(const char* text, char** end, int base) {
  return parsed(std::strtoull, text, end, WARPLAB_GUARDED_CALLER, base);
}
double read_double(const char* text, char** end) WARPLAB_STANDS_FOR("strtod");
double read_double(const char* text, char** end) {
  return parsed(std::strtod, text, end, WARPLAB_GUARDED_CALLER);
}
float read_float(const char* text, char** end) WARPLAB_STANDS_FOR("strtof");
float read_float(const char* text, char** end) {
  return parsed(std::strtof, text, end, WARPLAB_GUARDED_CALLER);
}

// --- Memory of C ---

void* allocate(std::size_t bytes) WARPLAB_STANDS_FOR("malloc");
void* allocate(std::size_t bytes) {
  require_host(WARPLAB_GUARDED_CALLER);
  try {
    return allocate_guarded(bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* allocate_zeros(std::size_t count, std::size_t bytes) WARPLAB_STANDS_FOR("calloc");
void* allocate_zeros(std::size_t count, std::size_t bytes) {
  if (bytes != 0 && count > ~std::size_t{0} / bytes) return nullptr;
  void* const block = allocate(count * bytes);
  return block == nullptr ? nullptr : std::memset(block, 0, count * bytes);
}
void* reallocate(void* block, std::size_t bytes) WARPLAB_STANDS_FOR("realloc");
void* reallocate(void* block, std::size_t bytes) {
  require_host(WARPLAB_GUARDED_CALLER);
  try {
    return block == nullptr ? allocate_guarded(bytes) : reallocate_guarded(block, bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void release(void* block) WARPLAB_STANDS_FOR("free");
void release(void* block) {
  require_host(WARPLAB_GUARDED_CALLER);
  free_guarded(block);
}

// --- Clocks ---

int read_clock(clockid_t, timespec* to) WARPLAB_STANDS_FOR("clock_gettime");
int read_clock(clockid_t, timespec* to) {
  require(to, sizeof *to, true, WARPLAB_GUARDED_CALLER);
  const std::int64_t now = next_time();
  *to = {now / 1'000'000'000, now % 1'000'000'000};
  return 0;
}
std::int64_t steady_time() WARPLAB_STANDS_FOR("_ZNSt6chrono3_V212steady_clock3nowEv");
std::int64_t steady_time() { return next_time(); }
std::int64_t system_time() WARPLAB_STANDS_FOR("_ZNSt6chrono3_V212system_clock3nowEv");
std::int64_t system_time() { return next_time(); }
std::time_t read_time(std::time_t* to) WARPLAB_STANDS_FOR("time");
std::time_t read_time(std::time_t* to) {
  if (to == nullptr) return 0;
  require(to, sizeof *to, true, WARPLAB_GUARDED_CALLER);
  return *to = 0;
}
std::clock_t read_cpu_time() WARPLAB_STANDS_FOR("clock");
std::clock_t read_cpu_time() { return next_time() / clock_step_ns; }

// --- Random numbers, which kernels have not: who asked for one would be seen by the others ---

int random_number() WARPLAB_STANDS_FOR("rand");
int random_number() {
  require_host(WARPLAB_GUARDED_CALLER);
  return std::rand();
}
void seed_random_numbers(unsigned seed) WARPLAB_STANDS_FOR("srand");
void seed_random_numbers(unsigned seed) {
  require_host(WARPLAB_GUARDED_CALLER);
  std::srand(seed);
}

// --- Rounding, which __fadd_rz() and its kin set for an operation ---

int rounding() WARPLAB_STANDS_FOR("fegetround");
int rounding() { return std::fegetround(); }
int round_by(int mode) WARPLAB_STANDS_FOR("fesetround");
int round_by(int mode) { return set_rounding(mode); }

/// The environment is empty.
char* read_environment(const char* name) WARPLAB_STANDS_FOR("getenv");
char* read_environment(const char* name) {
  checked_length(name, WARPLAB_GUARDED_CALLER);
  return nullptr;
}

}  // namespace warplab::emulator::isolation
