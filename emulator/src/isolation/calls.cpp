// Functions that guarded code calls in place of others that would touch memory for it, by any pointer. Each
// is named as the one that it stands for, after `warplab_strict_`.

#include <cuda_runtime_api.h>
#include <cxxabi.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

#include "emulator/src/isolation/calls.hpp"
#include "emulator/src/isolation/heap.hpp"
#include "emulator/src/isolation/strict.hpp"
#include "emulator/src/memory/arena.hpp"
#include "emulator/src/memory/memory.hpp"
#include "warplab_emulator/runtime_templates.hpp"
#include "warplab_emulator/thread.hpp"

namespace warplab::emulator::strict {

#define WARPLAB_CALLER (static_cast<const std::byte*>(__builtin_return_address(0)) - 1)
#define WARPLAB_STANDS_FOR(name) asm("warplab_strict_" name) __attribute__((visibility("default")))

// --- Memory ---

void* new_block(std::size_t bytes) WARPLAB_STANDS_FOR("_Znwm");
void* new_block(std::size_t bytes) { return allocate_guarded(bytes); }
void* new_array(std::size_t bytes) WARPLAB_STANDS_FOR("_Znam");
void* new_array(std::size_t bytes) { return allocate_guarded(bytes); }
void delete_block(void* p) WARPLAB_STANDS_FOR("_ZdlPv");
void delete_block(void* p) { free_guarded(p); }
void delete_sized(void* p, std::size_t) WARPLAB_STANDS_FOR("_ZdlPvm");
void delete_sized(void* p, std::size_t) { free_guarded(p); }
void delete_array(void* p) WARPLAB_STANDS_FOR("_ZdaPv");
void delete_array(void* p) { free_guarded(p); }
void* new_aligned(std::size_t bytes, std::align_val_t alignment) WARPLAB_STANDS_FOR("_ZnwmSt11align_val_t");
void* new_aligned(std::size_t bytes, std::align_val_t alignment) {
  if (static_cast<std::size_t>(alignment) > guarded_alignment) throw std::bad_alloc();
  return allocate_guarded(bytes);
}
void delete_aligned(void* p, std::size_t, std::align_val_t) WARPLAB_STANDS_FOR("_ZdlPvmSt11align_val_t");
void delete_aligned(void* p, std::size_t, std::align_val_t) { free_guarded(p); }

void* copy(void* to, const void* from, std::size_t bytes) WARPLAB_STANDS_FOR("memcpy");
void* copy(void* to, const void* from, std::size_t bytes) {
  require(to, bytes, true, WARPLAB_CALLER);
  require(from, bytes, false, WARPLAB_CALLER);
  return std::memmove(to, from, bytes);
}
void* move(void* to, const void* from, std::size_t bytes) WARPLAB_STANDS_FOR("memmove");
void* move(void* to, const void* from, std::size_t bytes) {
  require(to, bytes, true, WARPLAB_CALLER);
  require(from, bytes, false, WARPLAB_CALLER);
  return std::memmove(to, from, bytes);
}
void* fill(void* to, int value, std::size_t bytes) WARPLAB_STANDS_FOR("memset");
void* fill(void* to, int value, std::size_t bytes) {
  require(to, bytes, true, WARPLAB_CALLER);
  return std::memset(to, value, bytes);
}
/// std::string::replace where the new characters are part of the string: `kept` characters
/// follow those that are replaced.
void replace_within(void* string, char* at, std::size_t old_bytes, const char* from, std::size_t new_bytes,
                    std::size_t kept)
    WARPLAB_STANDS_FOR("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE15_M_replace_coldEPcmPKcmm");
void replace_within(void*, char* at, std::size_t old_bytes, const char* from, std::size_t new_bytes,
                    std::size_t kept) {
  require(from, new_bytes, false, WARPLAB_CALLER);
  require(at, old_bytes, true, WARPLAB_CALLER);
  require(at, new_bytes, true, WARPLAB_CALLER);
  require(at + old_bytes, kept, true, WARPLAB_CALLER);
  require(at + new_bytes, kept, true, WARPLAB_CALLER);
  const std::string characters(from, new_bytes);
  std::memmove(at + new_bytes, at + old_bytes, kept);
  std::memcpy(at, characters.data(), new_bytes);
}
int compare(const void* a, const void* b, std::size_t bytes) WARPLAB_STANDS_FOR("memcmp");
int compare(const void* a, const void* b, std::size_t bytes) {
  require(a, bytes, false, WARPLAB_CALLER);
  require(b, bytes, false, WARPLAB_CALLER);
  return std::memcmp(a, b, bytes);
}

namespace {

std::size_t checked_length(const char* text, const void* code) {
  std::size_t length = 0;
  do require(text + length, 1, false, code);
  while (text[length++] != '\0');
  return length - 1;
}

}  // namespace

std::size_t length(const char* text) WARPLAB_STANDS_FOR("strlen");
std::size_t length(const char* text) { return checked_length(text, WARPLAB_CALLER); }

// --- Text: formats with only numbers and strings ---

namespace {

struct Arguments {
  va_list list;
};

void check_format(const char* format, Arguments& arguments, const void* code) {
  const std::string_view text(format, checked_length(format, code));
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') continue;
    long precision = -1;
    bool dot = false, wide = false;
    for (++i;
         i < text.size() && std::string_view("-+ #0123456789.*hlzjt").find(text[i]) != std::string_view::npos;
         ++i) {
      if (text[i] == '.') dot = true, precision = 0;
      if (text[i] == '*') {
        const int given = va_arg(arguments.list, int);
        if (dot) precision = given;
      }
      if (dot && text[i] >= '0' && text[i] <= '9') precision = precision * 10 + (text[i] - '0');
      wide |= text[i] == 'l' || text[i] == 'z' || text[i] == 'j' || text[i] == 't';
    }
    if (i >= text.size()) break;
    switch (text[i]) {
      case '%':
        break;
      case 'd':
      case 'i':
      case 'u':
      case 'x':
      case 'X':
      case 'o':
      case 'c':
        wide ? (void)va_arg(arguments.list, long) : (void)va_arg(arguments.list, int);
        break;
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'e':
      case 'E':
        (void)va_arg(arguments.list, double);
        break;
      case 's': {
        const char* const string = va_arg(arguments.list, const char*);
        if (precision < 0) {
          checked_length(string, code);
        } else {
          for (long k = 0; k < precision; ++k) {
            require(string + k, 1, false, code);
            if (string[k] == '\0') break;
          }
        }
        break;
      }
      default:  // %n writes, and others nobody needs
        require(nullptr, 1, true, code);
    }
  }
}

}  // namespace

int print(char* to, std::size_t bytes, const char* format, ...) WARPLAB_STANDS_FOR("snprintf");
int print(char* to, std::size_t bytes, const char* format, ...) {
  require(to, bytes, true, WARPLAB_CALLER);
  Arguments arguments;
  va_start(arguments.list, format);
  check_format(format, arguments, WARPLAB_CALLER);
  va_end(arguments.list);
  va_list list;
  va_start(list, format);
  const int length = std::vsnprintf(to, bytes, format, list);
  va_end(list);
  return length;
}

// --- Exceptions: of the standard library's two classes, and of classes derived from them ---

namespace {

/// An exception that guarded code has begun. Only the library may use the place of its text.
struct Exception {
  enum class State { raw, built, thrown, none };
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  State state = State::none;
};
thread_local Exception pending[8];

constexpr std::size_t text_begin = 8, text_end = 16;
static_assert(sizeof(std::runtime_error) == text_end && sizeof(std::invalid_argument) == text_end);

Exception* find_exception(const void* address) {
  for (Exception& e : pending)
    if (e.state != Exception::State::none && e.address == reinterpret_cast<std::uintptr_t>(address))
      return &e;
  return nullptr;
}

[[noreturn]] void refuse_exception(const void* address, const void* code) {
  require(address, 0, true, code);
  require(nullptr, 1, true, code);
  std::abort();
}

Exception& expect(const void* object, Exception::State state, const void* code) {
  Exception* const known = find_exception(object);
  if (known == nullptr || known->state != state) refuse_exception(object, code);
  return *known;
}

struct StringView {
  const char* data;
  std::size_t bytes;
};
std::string checked_string(const std::string& given, const void* code) {
  require(&given, sizeof given, false, code);
  StringView raw;
  std::memcpy(&raw, &given, sizeof raw);
  require(raw.data, raw.bytes, false, code);
  return {raw.data, raw.bytes};
}

template <class E>
void build(void* object, const std::string& text, const void* code) {
  Exception& exception = expect(object, Exception::State::raw, code);
  if (exception.bytes < sizeof(E)) refuse_exception(object, code);
  new (object) E(text);
  exception.state = Exception::State::built;
}

template <class E>
std::uintptr_t table_of() {
  const E sample("");
  std::uintptr_t table;
  std::memcpy(&table, &sample, sizeof table);
  return table;
}

bool may_be_table(std::uintptr_t table) {
  return table == table_of<std::invalid_argument>() || table == table_of<std::runtime_error>() ||
         table == table_of<std::logic_error>();
}

}  // namespace

bool is_exception(std::uintptr_t address, std::size_t bytes) noexcept {
  for (const Exception& e : pending) {
    if (e.state == Exception::State::none || address - e.address >= e.bytes) continue;
    const std::size_t offset = address - e.address;
    return bytes <= e.bytes - offset && (offset + bytes <= text_begin || offset >= text_end);
  }
  return false;
}

void* begin_exception(std::size_t bytes) WARPLAB_STANDS_FOR("__cxa_allocate_exception");
void* begin_exception(std::size_t bytes) {
  if (bytes > 4096) refuse_exception(nullptr, WARPLAB_CALLER);
  void* const object = abi::__cxa_allocate_exception(bytes);
  std::memset(object, 0, bytes);
  static thread_local unsigned turn = 0;
  pending[turn++ % std::size(pending)] = {reinterpret_cast<std::uintptr_t>(object), bytes,
                                          Exception::State::raw};
  return object;
}
void drop_exception(void* object) WARPLAB_STANDS_FOR("__cxa_free_exception");
void drop_exception(void* object) {
  Exception* const known = find_exception(object);
  if (known == nullptr || known->state == Exception::State::thrown) refuse_exception(object, WARPLAB_CALLER);
  known->state = Exception::State::none;
  abi::__cxa_free_exception(object);
}

#define WARPLAB_EXCEPTION(type, mangled, constructor)                                                        \
  void constructor##_1(void* object, const char* text) WARPLAB_STANDS_FOR("_ZN" mangled "C1EPKc");           \
  void constructor##_1(void* object, const char* text) {                                                     \
    build<type>(object, std::string(text, checked_length(text, WARPLAB_CALLER)), WARPLAB_CALLER);            \
  }                                                                                                          \
  void constructor##_2(void* object, const char* text) WARPLAB_STANDS_FOR("_ZN" mangled "C2EPKc");           \
  void constructor##_2(void* object, const char* text) {                                                     \
    build<type>(object, std::string(text, checked_length(text, WARPLAB_CALLER)), WARPLAB_CALLER);            \
  }                                                                                                          \
  void constructor##_3(void* object, const std::string& text)                                                \
      WARPLAB_STANDS_FOR("_ZN" mangled "C1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE");         \
  void constructor##_3(void* object, const std::string& text) {                                              \
    build<type>(object, checked_string(text, WARPLAB_CALLER), WARPLAB_CALLER);                               \
  }                                                                                                          \
  void constructor##_4(void* object, const std::string& text)                                                \
      WARPLAB_STANDS_FOR("_ZN" mangled "C2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE");         \
  void constructor##_4(void* object, const std::string& text) {                                              \
    build<type>(object, checked_string(text, WARPLAB_CALLER), WARPLAB_CALLER);                               \
  }                                                                                                          \
  void constructor##_end(void* object) WARPLAB_STANDS_FOR("_ZN" mangled "D2Ev");                             \
  void constructor##_end(void* object) {                                                                     \
    Exception* const known = find_exception(object);                                                         \
    if (known == nullptr || known->state == Exception::State::raw) refuse_exception(object, WARPLAB_CALLER); \
    known->state =                                                                                           \
        known->state == Exception::State::thrown ? Exception::State::none : Exception::State::raw;           \
    static_cast<type*>(object)->type::~type();                                                               \
  }                                                                                                          \
  void constructor##_whole_end(void* object) WARPLAB_STANDS_FOR("_ZN" mangled "D1Ev");                       \
  void constructor##_whole_end(void* object) { constructor##_end(object); }

using std::invalid_argument;
using std::logic_error;
using std::runtime_error;
WARPLAB_EXCEPTION(invalid_argument, "St16invalid_argument", invalid_argument_made)
WARPLAB_EXCEPTION(runtime_error, "St13runtime_error", runtime_error_made)
WARPLAB_EXCEPTION(logic_error, "St11logic_error", logic_error_made)

void throw_exception(void* object, std::type_info* type, void (*end)(void*))
    WARPLAB_STANDS_FOR("__cxa_throw");
void throw_exception(void* object, std::type_info* type, void (*end)(void*)) {
  Exception& exception = expect(object, Exception::State::built, WARPLAB_CALLER);
  std::uintptr_t table;
  std::memcpy(&table, object, sizeof table);
  const bool known = *type == typeid(std::invalid_argument) || *type == typeid(std::runtime_error) ||
                     *type == typeid(std::logic_error);
  if (!known) require(type, sizeof *type, false, WARPLAB_CALLER);
  if (!may_be_table(table)) require(reinterpret_cast<const void*>(table - 16), 40, false, WARPLAB_CALLER);
  if (end == invalid_argument_made_whole_end)
    end = [](void* o) { static_cast<invalid_argument*>(o)->~invalid_argument(); };
  else if (end == runtime_error_made_whole_end)
    end = [](void* o) { static_cast<runtime_error*>(o)->~runtime_error(); };
  else if (end == logic_error_made_whole_end)
    end = [](void* o) { static_cast<logic_error*>(o)->~logic_error(); };
  else
    require_entry(reinterpret_cast<const void*>(end), "ends an exception by");
  // Of a class of its own, the destructor is guarded code, which touches it once more.
  exception.state =
      is_entry(reinterpret_cast<const void*>(end)) ? Exception::State::thrown : Exception::State::none;
  abi::__cxa_throw(object, type, end);
}

// --- CUDA: results go where the caller may write ---

cudaError_t get_device(int* to) WARPLAB_STANDS_FOR("_Z13cudaGetDevicePi");
cudaError_t get_device(int* to) {
  require(to, sizeof *to, true, WARPLAB_CALLER);
  return cudaGetDevice(to);
}
cudaError_t get_count(int* to) WARPLAB_STANDS_FOR("_Z18cudaGetDeviceCountPi");
cudaError_t get_count(int* to) {
  require(to, sizeof *to, true, WARPLAB_CALLER);
  return cudaGetDeviceCount(to);
}
cudaError_t get_attribute(int* to, cudaDeviceAttr what, int device)
    WARPLAB_STANDS_FOR("_Z22cudaDeviceGetAttributePi14cudaDeviceAttri");
cudaError_t get_attribute(int* to, cudaDeviceAttr what, int device) {
  require(to, sizeof *to, true, WARPLAB_CALLER);
  return cudaDeviceGetAttribute(to, what, device);
}
cudaError_t get_properties(cudaDeviceProp* to, int device)
    WARPLAB_STANDS_FOR("_Z23cudaGetDevicePropertiesP14cudaDevicePropi");
cudaError_t get_properties(cudaDeviceProp* to, int device) {
  require(to, sizeof *to, true, WARPLAB_CALLER);
  return cudaGetDeviceProperties(to, device);
}
cudaError_t get_function(cudaFuncAttributes* to, const void* function)
    WARPLAB_STANDS_FOR("_Z21cudaFuncGetAttributesP18cudaFuncAttributesPKv");
cudaError_t get_function(cudaFuncAttributes* to, const void* function) {
  require(to, sizeof *to, true, WARPLAB_CALLER);
  require_entry(function, "asks about");
  return cudaFuncGetAttributes(to, function);
}
cudaError_t get_occupancy(int* to, const void* function, int block, std::size_t shared)
    WARPLAB_STANDS_FOR("_Z45cudaOccupancyMaxActiveBlocksPerMultiprocessorPiPKvim");
cudaError_t get_occupancy(int* to, const void* function, int block, std::size_t shared) {
  require(to, sizeof *to, true, WARPLAB_CALLER);
  require_entry(function, "asks about");
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(to, function, block, shared);
}
cudaError_t fill_device(void* to, int value, std::size_t bytes, cudaStream_t stream)
    WARPLAB_STANDS_FOR("_Z15cudaMemsetAsyncPvimP11CUstream_st");
cudaError_t fill_device(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  if (bytes != 0 && !arena::holds(to)) require(to, bytes, true, WARPLAB_CALLER);
  return cudaMemsetAsync(to, value, bytes, stream);
}

// --- What whole host programs call besides (grader/guard/guard_symbols.cpp lets no other file call these)
// ---

namespace {

/// Stops a kernel that calls what only the host has.
void require_host(const void* code) {
  if (in_kernel()) require(nullptr, 1, true, code);
}

/// Stops the caller unless it may read, or write, this end of a copy. The runtime itself looks at the bounds
/// of what the emulator handed out.
void require_end(const void* end, std::size_t bytes, bool write, const void* code) {
  if (bytes != 0 && !arena::holds(end)) require(end, bytes, write, code);
}

}  // namespace

cudaError_t allocate_device(void** to, std::size_t bytes) WARPLAB_STANDS_FOR("_Z10cudaMallocPPvm");
cudaError_t allocate_device(void** to, std::size_t bytes) {
  require_host(WARPLAB_CALLER);
  require(to, sizeof *to, true, WARPLAB_CALLER);
  return cudaMalloc(to, bytes);
}
cudaError_t free_device(void* pointer) WARPLAB_STANDS_FOR("_Z8cudaFreePv");
cudaError_t free_device(void* pointer) {
  require_host(WARPLAB_CALLER);
  return cudaFree(pointer);
}
cudaError_t copy_by_host(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind)
    WARPLAB_STANDS_FOR("_Z10cudaMemcpyPvPKvm14cudaMemcpyKind");
cudaError_t copy_by_host(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  require_host(WARPLAB_CALLER);
  require_end(to, bytes, true, WARPLAB_CALLER);
  require_end(from, bytes, false, WARPLAB_CALLER);
  return cudaMemcpy(to, from, bytes, kind);
}
cudaError_t fill_by_host(void* to, int value, std::size_t bytes) WARPLAB_STANDS_FOR("_Z10cudaMemsetPvim");
cudaError_t fill_by_host(void* to, int value, std::size_t bytes) {
  require_host(WARPLAB_CALLER);
  require_end(to, bytes, true, WARPLAB_CALLER);
  return cudaMemset(to, value, bytes);
}
cudaError_t wait_for_device() WARPLAB_STANDS_FOR("_Z21cudaDeviceSynchronizev");
cudaError_t wait_for_device() {
  require_host(WARPLAB_CALLER);
  return cudaDeviceSynchronize();
}
cudaError_t create_event(cudaEvent_t* to) WARPLAB_STANDS_FOR("_Z15cudaEventCreatePP10CUevent_st");
cudaError_t create_event(cudaEvent_t* to) {
  require_host(WARPLAB_CALLER);
  require(to, sizeof *to, true, WARPLAB_CALLER);
  return cudaEventCreate(to);
}
cudaError_t record_event(cudaEvent_t event, cudaStream_t stream)
    WARPLAB_STANDS_FOR("_Z15cudaEventRecordP10CUevent_stP11CUstream_st");
cudaError_t record_event(cudaEvent_t event, cudaStream_t stream) {
  require_host(WARPLAB_CALLER);
  return cudaEventRecord(event, stream);
}
cudaError_t wait_for_event(cudaEvent_t event) WARPLAB_STANDS_FOR("_Z20cudaEventSynchronizeP10CUevent_st");
cudaError_t wait_for_event(cudaEvent_t event) {
  require_host(WARPLAB_CALLER);
  return cudaEventSynchronize(event);
}
cudaError_t elapsed_time(float* to, cudaEvent_t start, cudaEvent_t end)
    WARPLAB_STANDS_FOR("_Z20cudaEventElapsedTimePfP10CUevent_stS1_");
cudaError_t elapsed_time(float* to, cudaEvent_t start, cudaEvent_t end) {
  require_host(WARPLAB_CALLER);
  require(to, sizeof *to, true, WARPLAB_CALLER);
  return cudaEventElapsedTime(to, start, end);
}
cudaError_t destroy_event(cudaEvent_t event) WARPLAB_STANDS_FOR("_Z16cudaEventDestroyP10CUevent_st");
cudaError_t destroy_event(cudaEvent_t event) {
  require_host(WARPLAB_CALLER);
  return cudaEventDestroy(event);
}

// What a graded program prints is looked at, and dropped: nothing that a student prints counts.
int print_line(const char* format, ...) WARPLAB_STANDS_FOR("printf");
int print_line(const char* format, ...) {
  Arguments arguments;
  va_start(arguments.list, format);
  check_format(format, arguments, WARPLAB_CALLER);
  va_end(arguments.list);
  return 0;
}
int print_text(const char* text) WARPLAB_STANDS_FOR("puts");
int print_text(const char* text) {
  checked_length(text, WARPLAB_CALLER);
  return 0;
}
int print_character(int character) WARPLAB_STANDS_FOR("putchar");
int print_character(int character) { return character; }

// A launcher has device memory to copy, and nothing else: host memory might be gone when the copy begins.
cudaError_t copy_on_device(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                           cudaStream_t stream)
    WARPLAB_STANDS_FOR("_Z15cudaMemcpyAsyncPvPKvm14cudaMemcpyKindP11CUstream_st");
cudaError_t copy_on_device(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                           cudaStream_t stream) {
  if (kind != cudaMemcpyDeviceToDevice) refuse_direction(WARPLAB_CALLER);
  if (bytes != 0 && !arena::holds(to)) require(to, bytes, true, WARPLAB_CALLER);
  if (bytes != 0 && !arena::holds(from)) require(from, bytes, false, WARPLAB_CALLER);
  return cudaMemcpyAsync(to, from, bytes, kind, stream);
}

cudaError_t get_limit(std::size_t* to, cudaLimit limit)
    WARPLAB_STANDS_FOR("_Z18cudaDeviceGetLimitPm9cudaLimit");
cudaError_t get_limit(std::size_t* to, cudaLimit limit) {
  if (to != nullptr) require(to, sizeof *to, true, WARPLAB_CALLER);
  return cudaDeviceGetLimit(to, limit);
}

cudaError_t fill_symbol(SymbolReference symbol, const void* from, std::size_t bytes, std::size_t offset,
                        cudaMemcpyKind kind, cudaStream_t stream, bool async)
    WARPLAB_STANDS_FOR(
        "_ZN7warplab8emulator14copy_to_symbolENS0_15SymbolReferenceEPKvmm14cudaMemcpyKindP11CUstream_stb");
cudaError_t fill_symbol(SymbolReference symbol, const void* from, std::size_t bytes, std::size_t offset,
                        cudaMemcpyKind kind, cudaStream_t stream, bool async) {
  if (bytes != 0 && !arena::holds(from)) require(from, bytes, false, WARPLAB_CALLER);
  return copy_to_symbol(symbol, from, bytes, offset, kind, stream, async);
}

}  // namespace warplab::emulator::strict
