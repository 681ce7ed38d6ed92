// Functions that guarded code calls in place of others that would touch memory for it, by any pointer. Each
// is named as the one that it stands for, after `warplab_isolation_`.

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

#include "emulator/src/isolation/calls.hpp"
#include "emulator/src/isolation/checks.hpp"
#include "emulator/src/isolation/heap.hpp"
#include "emulator/src/isolation/image.hpp"
#include "emulator/src/isolation/stand_in.hpp"

namespace warplab::emulator::isolation {

// --- Memory ---

void* new_block(std::size_t bytes) WARPLAB_STANDS_FOR("_Znwm");
void* new_block(std::size_t bytes) { return new_memory(bytes, WARPLAB_GUARDED_CALLER); }
void* new_array(std::size_t bytes) WARPLAB_STANDS_FOR("_Znam");
void* new_array(std::size_t bytes) { return new_memory(bytes, WARPLAB_GUARDED_CALLER); }
void delete_block(void* p) WARPLAB_STANDS_FOR("_ZdlPv");
void delete_block(void* p) { delete_memory(p); }
void delete_sized(void* p, std::size_t) WARPLAB_STANDS_FOR("_ZdlPvm");
void delete_sized(void* p, std::size_t) { delete_memory(p); }
void delete_array(void* p) WARPLAB_STANDS_FOR("_ZdaPv");
void delete_array(void* p) { delete_memory(p); }
void* new_aligned(std::size_t bytes, std::align_val_t alignment) WARPLAB_STANDS_FOR("_ZnwmSt11align_val_t");
void* new_aligned(std::size_t bytes, std::align_val_t alignment) {
  if (static_cast<std::size_t>(alignment) > guarded_alignment) throw std::bad_alloc();
  return new_memory(bytes, WARPLAB_GUARDED_CALLER);
}
void delete_aligned(void* p, std::size_t, std::align_val_t) WARPLAB_STANDS_FOR("_ZdlPvmSt11align_val_t");
void delete_aligned(void* p, std::size_t, std::align_val_t) { delete_memory(p); }

void* copy(void* to, const void* from, std::size_t bytes) WARPLAB_STANDS_FOR("memcpy");
void* copy(void* to, const void* from, std::size_t bytes) {
  require(to, bytes, true, WARPLAB_GUARDED_CALLER);
  require(from, bytes, false, WARPLAB_GUARDED_CALLER);
  return std::memmove(to, from, bytes);
}
void* move(void* to, const void* from, std::size_t bytes) WARPLAB_STANDS_FOR("memmove");
void* move(void* to, const void* from, std::size_t bytes) {
  require(to, bytes, true, WARPLAB_GUARDED_CALLER);
  require(from, bytes, false, WARPLAB_GUARDED_CALLER);
  return std::memmove(to, from, bytes);
}
void* fill(void* to, int value, std::size_t bytes) WARPLAB_STANDS_FOR("memset");
void* fill(void* to, int value, std::size_t bytes) {
  require(to, bytes, true, WARPLAB_GUARDED_CALLER);
  return std::memset(to, value, bytes);
}
/// std::string::replace where the new characters are part of the string: `kept` characters
/// follow those that are replaced.
void replace_within(void* string, char* at, std::size_t old_bytes, const char* from, std::size_t new_bytes,
                    std::size_t kept)
    WARPLAB_STANDS_FOR("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE15_M_replace_coldEPcmPKcmm");
void replace_within(void*, char* at, std::size_t old_bytes, const char* from, std::size_t new_bytes,
                    std::size_t kept) {
  require(from, new_bytes, false, WARPLAB_GUARDED_CALLER);
  require(at, old_bytes, true, WARPLAB_GUARDED_CALLER);
  require(at, new_bytes, true, WARPLAB_GUARDED_CALLER);
  require(at + old_bytes, kept, true, WARPLAB_GUARDED_CALLER);
  require(at + new_bytes, kept, true, WARPLAB_GUARDED_CALLER);
  const std::string characters(from, new_bytes);
  std::memmove(at + new_bytes, at + old_bytes, kept);
  std::memcpy(at, characters.data(), new_bytes);
}
int compare(const void* a, const void* b, std::size_t bytes) WARPLAB_STANDS_FOR("memcmp");
int compare(const void* a, const void* b, std::size_t bytes) {
  require(a, bytes, false, WARPLAB_GUARDED_CALLER);
  require(b, bytes, false, WARPLAB_GUARDED_CALLER);
  return std::memcmp(a, b, bytes);
}

int compare_texts(const char* a, const char* b) WARPLAB_STANDS_FOR("strcmp");
int compare_texts(const char* a, const char* b) {
  checked_length(a, WARPLAB_GUARDED_CALLER);
  checked_length(b, WARPLAB_GUARDED_CALLER);
  return std::strcmp(a, b);
}
int compare_parts(const char* a, const char* b, std::size_t most) WARPLAB_STANDS_FOR("strncmp");
int compare_parts(const char* a, const char* b, std::size_t most) {
  checked_length(a, WARPLAB_GUARDED_CALLER);
  checked_length(b, WARPLAB_GUARDED_CALLER);
  return std::strncmp(a, b, most);
}
char* copy_text(char* to, const char* from) WARPLAB_STANDS_FOR("strcpy");
char* copy_text(char* to, const char* from) {
  const std::size_t bytes = checked_length(from, WARPLAB_GUARDED_CALLER) + 1;
  require(to, bytes, true, WARPLAB_GUARDED_CALLER);
  return static_cast<char*>(std::memmove(to, from, bytes));
}
char* copy_part(char* to, const char* from, std::size_t most) WARPLAB_STANDS_FOR("strncpy");
char* copy_part(char* to, const char* from, std::size_t most) {
  const std::size_t bytes = checked_length(from, WARPLAB_GUARDED_CALLER);
  require(to, most, true, WARPLAB_GUARDED_CALLER);
  std::memmove(to, from, bytes < most ? bytes : most);
  if (bytes < most) std::memset(to + bytes, 0, most - bytes);
  return to;
}
std::size_t length(const char* text) WARPLAB_STANDS_FOR("strlen");
std::size_t length(const char* text) { return checked_length(text, WARPLAB_GUARDED_CALLER); }

// --- Exceptions: of the standard library's two classes, and of classes derived from them ---

namespace {

/// An exception that guarded code has begun. Only the library may use the place of its text.
struct Exception {
  enum class State { raw, built, thrown, ending, none };
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  State state = State::none;
  void (*end)(void*) = nullptr;  ///< the destructor of a class of its own, once it is thrown
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

/// The virtual tables of the library's classes.
const std::array<std::uintptr_t, 9>& library_tables() {
  static const std::array<std::uintptr_t, 9> tables = {
      table_of<std::logic_error>(),  table_of<std::invalid_argument>(), table_of<std::out_of_range>(),
      table_of<std::length_error>(), table_of<std::domain_error>(),     table_of<std::runtime_error>(),
      table_of<std::range_error>(),  table_of<std::overflow_error>(),   table_of<std::underflow_error>()};
  return tables;
}

constexpr std::size_t table_slots = 3;  // of a virtual table: two destructors, and what()
using Slots = std::array<const void*, table_slots>;

Slots slots_of(std::uintptr_t table) {
  Slots read;
  std::memcpy(read.data(), reinterpret_cast<const void*>(table), sizeof read);
  return read;
}

/// Whoever catches the exception calls by its table: it must be one that nobody can write to, of functions of
/// guarded code and of the library's own classes.
bool is_true_table(std::uintptr_t table) {
  if (std::ranges::find(library_tables(), table) != library_tables().end()) return true;
  if (table % sizeof table != 0 || image_at(table - 2 * sizeof table, 5 * sizeof table) != Image::constant)
    return false;
  return std::ranges::all_of(slots_of(table), [](const void* slot) {
    return is_entry(slot) || std::ranges::any_of(library_tables(), [&](std::uintptr_t known) {
             return std::ranges::count(slots_of(known), slot) != 0;
           });
  });
}

/// Whoever catches the exception asks its type's own virtual functions, and those of its base.
bool is_true_type(const std::type_info* type, int depth = 16) {
  for (const std::type_info* const known :
       {&typeid(std::logic_error), &typeid(std::invalid_argument), &typeid(std::out_of_range),
        &typeid(std::length_error), &typeid(std::domain_error), &typeid(std::runtime_error),
        &typeid(std::range_error), &typeid(std::overflow_error), &typeid(std::underflow_error)})
    if (type == known) return true;
  struct Words {
    std::uintptr_t table, name, base;
  } words;
  const auto place = reinterpret_cast<std::uintptr_t>(type);
  if (depth == 0 || place % sizeof place != 0 || image_at(place, sizeof words) != Image::constant)
    return false;
  std::uintptr_t of_one_base;  // the table of types of classes with one base, as that of runtime_error
  std::memcpy(&of_one_base, static_cast<const void*>(&typeid(std::runtime_error)), sizeof of_one_base);
  std::memcpy(&words, type, sizeof words);
  return words.table == of_one_base && image_at(words.name, 1) == Image::constant &&
         is_true_type(reinterpret_cast<const std::type_info*>(words.base), depth - 1);
}

/// Before the destructor of a class of guarded code's own.
void end_own_exception(void* object) {
  Exception* const known = find_exception(object);
  if (known == nullptr || known->end == nullptr) return;
  known->state = Exception::State::ending;
  known->end(object);
}

}  // namespace

bool is_exception(std::uintptr_t address, std::size_t bytes, bool write) noexcept {
  for (const Exception& e : pending) {
    if (e.state == Exception::State::none || address - e.address >= e.bytes) continue;
    const std::size_t offset = address - e.address;
    // Its virtual table was looked at when it was thrown.
    if (write && e.state == Exception::State::thrown && offset < text_begin) return false;
    return bytes <= e.bytes - offset && (offset + bytes <= text_begin || offset >= text_end);
  }
  return false;
}

void* begin_exception(std::size_t bytes) WARPLAB_STANDS_FOR("__cxa_allocate_exception");
void* begin_exception(std::size_t bytes) {
  if (bytes > 4096) refuse_exception(nullptr, WARPLAB_GUARDED_CALLER);
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
  if (known == nullptr || known->state == Exception::State::thrown)
    refuse_exception(object, WARPLAB_GUARDED_CALLER);
  known->state = Exception::State::none;
  abi::__cxa_free_exception(object);
}

#define WARPLAB_EXCEPTION(type, mangled, constructor)                                                \
  void constructor##_1(void* object, const char* text) WARPLAB_STANDS_FOR("_ZN" mangled "C1EPKc");   \
  void constructor##_1(void* object, const char* text) {                                             \
    build<type>(object, std::string(text, checked_length(text, WARPLAB_GUARDED_CALLER)),             \
                WARPLAB_GUARDED_CALLER);                                                             \
  }                                                                                                  \
  void constructor##_2(void* object, const char* text) WARPLAB_STANDS_FOR("_ZN" mangled "C2EPKc");   \
  void constructor##_2(void* object, const char* text) {                                             \
    build<type>(object, std::string(text, checked_length(text, WARPLAB_GUARDED_CALLER)),             \
                WARPLAB_GUARDED_CALLER);                                                             \
  }                                                                                                  \
  void constructor##_3(void* object, const std::string& text)                                        \
      WARPLAB_STANDS_FOR("_ZN" mangled "C1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"); \
  void constructor##_3(void* object, const std::string& text) {                                      \
    build<type>(object, checked_string(text, WARPLAB_GUARDED_CALLER), WARPLAB_GUARDED_CALLER);       \
  }                                                                                                  \
  void constructor##_4(void* object, const std::string& text)                                        \
      WARPLAB_STANDS_FOR("_ZN" mangled "C2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"); \
  void constructor##_4(void* object, const std::string& text) {                                      \
    build<type>(object, checked_string(text, WARPLAB_GUARDED_CALLER), WARPLAB_GUARDED_CALLER);       \
  }                                                                                                  \
  void constructor##_end(void* object) WARPLAB_STANDS_FOR("_ZN" mangled "D2Ev");                     \
  void constructor##_end(void* object) {                                                             \
    Exception* const known = find_exception(object);                                                 \
    if (known == nullptr || known->state == Exception::State::raw ||                                 \
        known->state == Exception::State::thrown)                                                    \
      refuse_exception(object, WARPLAB_GUARDED_CALLER);                                              \
    known->state =                                                                                   \
        known->state == Exception::State::ending ? Exception::State::none : Exception::State::raw;   \
    static_cast<type*>(object)->type::~type();                                                       \
  }                                                                                                  \
  void constructor##_whole_end(void* object) WARPLAB_STANDS_FOR("_ZN" mangled "D1Ev");               \
  void constructor##_whole_end(void* object) { constructor##_end(object); }

using std::domain_error;
using std::invalid_argument;
using std::length_error;
using std::logic_error;
using std::out_of_range;
using std::overflow_error;
using std::range_error;
using std::runtime_error;
using std::underflow_error;
WARPLAB_EXCEPTION(invalid_argument, "St16invalid_argument", invalid_argument_made)
WARPLAB_EXCEPTION(runtime_error, "St13runtime_error", runtime_error_made)
WARPLAB_EXCEPTION(logic_error, "St11logic_error", logic_error_made)
WARPLAB_EXCEPTION(out_of_range, "St12out_of_range", out_of_range_made)
WARPLAB_EXCEPTION(length_error, "St12length_error", length_error_made)
WARPLAB_EXCEPTION(domain_error, "St12domain_error", domain_error_made)
WARPLAB_EXCEPTION(range_error, "St11range_error", range_error_made)
WARPLAB_EXCEPTION(overflow_error, "St14overflow_error", overflow_error_made)
WARPLAB_EXCEPTION(underflow_error, "St15underflow_error", underflow_error_made)

namespace {

/// A class of the library whose exceptions guarded code may make, and how one is ended.
struct KnownException {
  const std::type_info& type;
  void (*own)(void*);  ///< what guarded code names
  void (*end)(void*);  ///< the library's
};
template <class E>
KnownException known_exception(void (*own)(void*)) {
  return {typeid(E), own, [](void* object) { static_cast<E*>(object)->~E(); }};
}
const KnownException known_exceptions[] = {
    known_exception<invalid_argument>(invalid_argument_made_whole_end),
    known_exception<runtime_error>(runtime_error_made_whole_end),
    known_exception<logic_error>(logic_error_made_whole_end),
    known_exception<out_of_range>(out_of_range_made_whole_end),
    known_exception<length_error>(length_error_made_whole_end),
    known_exception<domain_error>(domain_error_made_whole_end),
    known_exception<range_error>(range_error_made_whole_end),
    known_exception<overflow_error>(overflow_error_made_whole_end),
    known_exception<underflow_error>(underflow_error_made_whole_end),
};

}  // namespace

void throw_exception(void* object, std::type_info* type, void (*end)(void*))
    WARPLAB_STANDS_FOR("__cxa_throw");
void throw_exception(void* object, std::type_info* type, void (*end)(void*)) {
  Exception& exception = expect(object, Exception::State::built, WARPLAB_GUARDED_CALLER);
  std::uintptr_t table;
  std::memcpy(&table, object, sizeof table);
  if (!is_true_type(type) || !is_true_table(table)) refuse_throw(WARPLAB_GUARDED_CALLER);
  const auto* const of_library = std::ranges::find(known_exceptions, end, &KnownException::own);
  if (of_library != std::end(known_exceptions))
    end = of_library->end;
  else
    require_entry(reinterpret_cast<const void*>(end), "ends an exception by");
  // Of a class of its own, the destructor is guarded code, which touches it once more.
  const bool own = is_entry(reinterpret_cast<const void*>(end));
  exception.state = own ? Exception::State::thrown : Exception::State::none;
  exception.end = own ? end : nullptr;
  abi::__cxa_throw(object, type, own ? end_own_exception : end);
}

}  // namespace warplab::emulator::isolation
