#include "emulator/src/base/line_reader.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include "warplab_emulator/lens/line_reader.hpp"

extern char** environ;

namespace warplab::emulator {
namespace {

// To the line reader and back, each message after its length; -1 if there is none.
int to_reader = -1, from_reader = -1;
constexpr std::uint32_t longest_message = 1u << 28;

bool write_all(int file, const void* bytes, std::size_t count) {
  const char* at = static_cast<const char*>(bytes);
  while (count != 0) {
    const ssize_t written = write(file, at, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    at += written;
    count -= static_cast<std::size_t>(written);
  }
  return true;
}

bool read_all(int file, void* bytes, std::size_t count) {
  char* at = static_cast<char*>(bytes);
  while (count != 0) {
    const ssize_t length = read(file, at, count);
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) return false;
    at += length;
    count -= static_cast<std::size_t>(length);
  }
  return true;
}

bool send(int file, std::string_view message) {
  const auto length = static_cast<std::uint32_t>(message.size());
  return write_all(file, &length, sizeof length) && write_all(file, message.data(), length);
}

bool receive(int file, std::string& message) {
  std::uint32_t length = 0;
  if (!read_all(file, &length, sizeof length) || length > longest_message) return false;
  message.resize(length);
  return read_all(file, message.data(), length);
}

std::string until_end(int file) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t length = read(file, buffer, sizeof buffer);
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(length));
  }
}

// Runs addr2line on addresses, one per line. Their text is in anonymous memory: no
// place to write to is needed.
std::string run(const std::string& module, std::string_view addresses) {
  const int input = memfd_create("addresses", MFD_CLOEXEC);
  int output[2];
  if (input < 0) return "";
  if (!write_all(input, addresses.data(), addresses.size()) || lseek(input, 0, SEEK_SET) != 0 ||
      pipe2(output, O_CLOEXEC) != 0) {
    close(input);
    return "";
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, 0);
  posix_spawn_file_actions_adddup2(&actions, output[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  std::string words[] = {"addr2line", "-f", "-C", "-i", "-a", "-e", module};
  char* arguments[std::size(words) + 1] = {};
  for (std::size_t i = 0; i < std::size(words); ++i) arguments[i] = words[i].data();
  pid_t child = -1;
  const bool started = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(input);
  close(output[1]);
  const std::string answer = started ? until_end(output[0]) : "";
  close(output[0]);
  while (started && waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return answer;
}

// The line reader: a question is a module's path and addresses, one per line.
[[noreturn]] void serve(int questions, int answers) {
  for (int descriptor = 0; descriptor < 1024; ++descriptor)
    if (descriptor != questions && descriptor != answers) close(descriptor);
  while (open("/dev/null", O_RDWR) >= 0 && fcntl(2, F_GETFD) < 0) {
  }
  std::string question;
  while (receive(questions, question)) {
    const std::size_t end = question.find('\n');
    if (end == std::string::npos ||
        !send(answers, run(question.substr(0, end), std::string_view(question).substr(end + 1))))
      break;
  }
  _exit(0);
}

}  // namespace

bool start_line_reader() {
  int questions[2], answers[2];
  if (to_reader >= 0 || pipe2(questions, O_CLOEXEC) != 0) return to_reader >= 0;
  if (pipe2(answers, O_CLOEXEC) != 0) {
    close(questions[0]);
    close(questions[1]);
    return false;
  }
  const pid_t child = fork();
  if (child == 0) serve(questions[0], answers[1]);
  close(questions[0]);
  close(answers[1]);
  if (child < 0) {
    close(questions[1]);
    close(answers[0]);
    return false;
  }
  to_reader = questions[1];
  from_reader = answers[0];
  return true;
}

std::string addr2line(const std::string& module, const std::vector<std::size_t>& offsets) {
  std::string addresses;
  char line[32];
  for (const std::size_t offset : offsets) {
    std::snprintf(line, sizeof line, "0x%zx\n", offset);
    addresses += line;
  }
  if (to_reader < 0) return run(module, addresses);
  std::string answer;
  if (module.find('\n') != std::string::npos || !send(to_reader, module + "\n" + addresses) ||
      !receive(from_reader, answer))
    return "";
  return answer;
}

}  // namespace warplab::emulator
