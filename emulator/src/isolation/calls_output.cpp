// What guarded code prints, and how it ends. All is looked at, and dropped: nothing that a student prints
// counts.

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>

#include "emulator/src/isolation/checks.hpp"
#include "emulator/src/isolation/stand_in.hpp"
#include "warplab_emulator/block/block.hpp"

namespace warplab::emulator::isolation {

int print(char* to, std::size_t bytes, const char* format, ...) WARPLAB_STANDS_FOR("snprintf");
int print(char* to, std::size_t bytes, const char* format, ...) {
  require(to, bytes, true, WARPLAB_GUARDED_CALLER);
  Arguments arguments;
  va_start(arguments.list, format);
  check_format(format, arguments, WARPLAB_GUARDED_CALLER);
  va_end(arguments.list);
  va_list list;
  va_start(list, format);
  const int length = std::vsnprintf(to, bytes, format, list);
  va_end(list);
  return length;
}

int print_line(const char* format, ...) WARPLAB_STANDS_FOR("printf");
int print_line(const char* format, ...) {
  Arguments arguments;
  va_start(arguments.list, format);
  check_format(format, arguments, WARPLAB_GUARDED_CALLER);
  va_end(arguments.list);
  return 0;
}
int print_text(const char* text) WARPLAB_STANDS_FOR("puts");
int print_text(const char* text) {
  checked_length(text, WARPLAB_GUARDED_CALLER);
  return 0;
}
int print_character(int character) WARPLAB_STANDS_FOR("putchar");
int print_character(int character) { return character; }

// A stream of the graded program is null (graded/without_streams.h): there is nothing to read in it.
int print_to_stream(std::FILE*, const char* format, ...) WARPLAB_STANDS_FOR("fprintf");
int print_to_stream(std::FILE*, const char* format, ...) {
  Arguments arguments;
  va_start(arguments.list, format);
  check_format(format, arguments, WARPLAB_GUARDED_CALLER);
  va_end(arguments.list);
  return 0;
}
int text_to_stream(const char* text, std::FILE*) WARPLAB_STANDS_FOR("fputs");
int text_to_stream(const char* text, std::FILE*) {
  checked_length(text, WARPLAB_GUARDED_CALLER);
  return 0;
}
int character_to_stream(int character, std::FILE*) WARPLAB_STANDS_FOR("fputc");
int character_to_stream(int character, std::FILE*) { return character; }
int put_character(int character, std::FILE*) WARPLAB_STANDS_FOR("putc");
int put_character(int character, std::FILE*) { return character; }
std::size_t bytes_to_stream(const void* from, std::size_t bytes, std::size_t count, std::FILE*)
    WARPLAB_STANDS_FOR("fwrite");
std::size_t bytes_to_stream(const void* from, std::size_t bytes, std::size_t count, std::FILE*) {
  if (count != 0)
    require(from, bytes <= ~std::size_t{0} / count ? bytes * count : ~std::size_t{0}, false,
            WARPLAB_GUARDED_CALLER);
  return count;
}
int flush_stream(std::FILE*) WARPLAB_STANDS_FOR("fflush");
int flush_stream(std::FILE*) { return 0; }

// --- Ends ---

[[noreturn]] void fail_assertion(const char* expression, const char* file, unsigned line, const char*)
    WARPLAB_STANDS_FOR("__assert_fail");
[[noreturn]] void fail_assertion(const char* expression, const char* file, unsigned line, const char*) {
  checked_length(expression, WARPLAB_GUARDED_CALLER);
  checked_length(file, WARPLAB_GUARDED_CALLER);
  if (in_kernel()) device_fault(cudaErrorAssert, "assertion `%s` failed at %s:%u", expression, file, line);
  stop_at_end("has an assertion that failed", WARPLAB_GUARDED_CALLER);
}
[[noreturn]] void end_program(int) WARPLAB_STANDS_FOR("exit");
[[noreturn]] void end_program(int) { stop_at_end("ends its program (exit)", WARPLAB_GUARDED_CALLER); }
[[noreturn]] void end_program_at_once(int) WARPLAB_STANDS_FOR("_Exit");
[[noreturn]] void end_program_at_once(int) {
  stop_at_end("ends its program (_Exit)", WARPLAB_GUARDED_CALLER);
}
[[noreturn]] void end_program_quickly(int) WARPLAB_STANDS_FOR("quick_exit");
[[noreturn]] void end_program_quickly(int) {
  stop_at_end("ends its program (quick_exit)", WARPLAB_GUARDED_CALLER);
}
[[noreturn]] void end_process(int) WARPLAB_STANDS_FOR("_exit");
[[noreturn]] void end_process(int) { stop_at_end("ends its program (_exit)", WARPLAB_GUARDED_CALLER); }
[[noreturn]] void give_up() WARPLAB_STANDS_FOR("abort");
[[noreturn]] void give_up() { stop_at_end("ends its program (abort)", WARPLAB_GUARDED_CALLER); }

/// Destructors of static variables would run when nobody looks any more.
int destroy_at_exit(void (*)(void*), void*, void*) WARPLAB_STANDS_FOR("__cxa_atexit");
int destroy_at_exit(void (*)(void*), void*, void*) { return 0; }

/// The end of a kernel, with a sentence.
void end_kernel_with(int error, const char* format, ...)
    WARPLAB_STANDS_FOR("_ZN7warplab8emulator12device_faultEiPKcz");
void end_kernel_with(int error, const char* format, ...) {
  Arguments arguments;
  va_start(arguments.list, format);
  check_format(format, arguments, WARPLAB_GUARDED_CALLER);
  va_end(arguments.list);
  char sentence[1000];
  va_list list;
  va_start(list, format);
  std::vsnprintf(sentence, sizeof sentence, format, list);
  va_end(list);
  device_fault(error, "%s", sentence);
}

}  // namespace warplab::emulator::isolation
