// warplab-cc: makes a program of CUDA C++ files that runs on this CPU, and beside it what the lens needs to
// count (PROGRAM.lens.so). The flags are those that this build compiles its own kernels with.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>

#include "arguments.hpp"
#include "commands.hpp"
#include "configuration.hpp"
#include "unsupported.hpp"

namespace {

namespace fs = std::filesystem;
using namespace warplab::driver;

constexpr const char* help = R"(Usage: warplab-cc FILE.cu... [-o PROGRAM]

Makes a program of CUDA C++ files, which runs on this CPU. WARPLAB_LENS=1 ./PROGRAM also counts, line by line, what
its kernels do to memory, and looks for mistakes.

  -o PROGRAM           the program (a.out); what the lens needs becomes PROGRAM.lens.so
  -O0 ... -O3, -g      for the program; the lens's counts do not depend on them
  -I -D -U -include    for the preprocessor
  -L -l -Wl, .o .a     for the linker
  -W...                warnings
  -v                   show the commands

Files are .cu and, without kernels, .cpp, .cc and .cxx. What nvcc is told about a GPU (-arch, -lineinfo,
-rdc, -Xptxas, -maxrregcount and the like) is passed over, and so are -lcudart and -lcudadevrt. -Xcompiler is for g++.
Exit codes: 0 all well, 1 the compiler found errors, 2 bad input, 4 a fault of warplab's own.
)";

/// The compiler, which has said why by now.
struct Failed {};

class Build {
 public:
  explicit Build(const Arguments& arguments) : arguments_(arguments), config_(configuration()) {}

  void run() {
    for (const std::string& source : arguments_.sources) {
      const std::string stem = std::to_string(objects_.size());
      if (fs::path(source).extension() == ".cu")
        compile_cuda(source, stem);
      else
        compile_host(source, stem);
    }
    link();
  }

 private:
  pid_t begin(const Command& command, const fs::path& errors = {}) const {
    if (arguments_.verbose) {
      for (const std::string& word : command) std::cerr << word << ' ';
      std::cerr << '\n';
    }
    return start(command, errors);
  }
  void require(const Command& command) const {
    const pid_t process = begin(command, errors());
    require(wait_for(process));
  }
  /// Shows what the compiler said, and what it could not know.
  void require(bool succeeded) const {
    std::stringstream said;
    said << std::ifstream(errors()).rdbuf();
    fs::remove(errors());
    std::cerr << said.str();
    if (succeeded) return;
    if (const std::string why = unsupported(said.str()); !why.empty())
      std::cerr << "warplab-cc: " << why << '\n';
    throw Failed{};
  }
  static void append(Command& command, const std::vector<std::string>& words) {
    command.insert(command.end(), words.begin(), words.end());
  }

  void compile_cuda(const std::string& source, const std::string& stem) {
    const auto preprocess = [&](const std::vector<std::string>& besides, const std::string& result) {
      Command command{config_.compiler, "-E"};
      append(command, config_.preprocess);
      append(command, besides);
      append(command, arguments_.preprocess);
      append(command, {"-o", result, source});
      return command;
    };
    const std::string text = scratch_ / (stem + ".ii"), plain = scratch_ / (stem + ".cpp");
    require(preprocess({}, text));
    require({config_.translator, text, plain});
    const std::string lens_text = scratch_ / (stem + ".lens.ii"), lens = scratch_ / (stem + ".lens.cpp");
    has_lens_ = has_lens_ && wait_for(begin(preprocess(config_.preprocess_lens, lens_text), lens_errors())) &&
                wait_for(begin({config_.translator, "--lens", lens_text, lens}, lens_errors()));

    Command compile{config_.compiler}, compile_lens{config_.compiler};
    append(compile, config_.compile);
    append(compile, arguments_.compile);
    append(compile, {"-c", "-o", scratch_ / (stem + ".o"), plain});
    append(compile_lens, config_.compile_lens);
    append(compile_lens, {"-w", "-c", "-o", scratch_ / (stem + ".lens.o"), lens});
    const pid_t plain_process = begin(compile, errors());
    std::optional<pid_t> lens_process;
    if (has_lens_) lens_process = begin(compile_lens, lens_errors());
    const bool compiled = wait_for(plain_process);
    if (lens_process) has_lens_ = wait_for(*lens_process);
    require(compiled);
    objects_.push_back(scratch_ / (stem + ".o"));
    lens_objects_.push_back(scratch_ / (stem + ".lens.o"));
  }

  void compile_host(const std::string& source, const std::string& stem) {
    Command compile{config_.compiler};
    append(compile, config_.compile_host);
    append(compile, config_.include);
    append(compile, arguments_.preprocess);
    append(compile, arguments_.compile);
    append(compile, {"-c", "-o", scratch_ / (stem + ".o"), source});
    require(compile);
    objects_.push_back(scratch_ / (stem + ".o"));
    lens_objects_.push_back(objects_.back());
  }

  void link() {
    const std::string program = arguments_.output, beside = program + ".lens.so";
    const std::string mark = ".partial-" + std::to_string(getpid());
    const Remover partial{program + mark}, partial_beside{beside + mark};
    const auto command = [&](const std::vector<std::string>& objects, const std::string& file) {
      Command words{config_.compiler, "-o", file};
      append(words, objects);
      append(words, arguments_.objects);
      append(words, config_.link);
      return words;
    };
    require(command(objects_, partial.path));
    if (has_lens_) {
      Command words = command(lens_objects_, partial_beside.path);
      append(words, config_.link_lens);
      has_lens_ = wait_for(begin(words, lens_errors()));
    }
    if (!has_lens_) say_why_there_is_no_lens();
    // First what is beside it: a program never finds the lens's build of another.
    fs::remove(beside);
    if (has_lens_) fs::rename(partial_beside.path, beside);
    fs::rename(partial.path, program);
  }

  fs::path errors() const { return scratch_ / "errors"; }
  fs::path lens_errors() const { return scratch_ / "lens.errors"; }

  void say_why_there_is_no_lens() const {
    std::cerr << "warplab-cc: " << arguments_.output << " runs, but the lens will not know its kernels:\n"
              << std::ifstream(lens_errors()).rdbuf();
  }

  struct Remover {
    std::string path;
    ~Remover() { unlink(path.c_str()); }
  };

  const Arguments& arguments_;
  const Configuration& config_;
  ScratchFolder scratch_;
  std::vector<std::string> objects_, lens_objects_;
  bool has_lens_ = true;
};

}  // namespace

int main(int argc, char** argv) {
  catch_signals();
  try {
    const Arguments arguments = parse({argv + 1, argv + argc});
    if (arguments.help) return std::fputs(help, stdout), 0;
    Build(arguments).run();
    return 0;
  } catch (const BadArguments& error) {
    std::fprintf(stderr, "warplab-cc: %s\n", error.what());
    return 2;
  } catch (const Failed&) {
    return 1;
  } catch (const Interrupted& interrupted) {
    return 128 + interrupted.signal;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "warplab-cc: %s\n", error.what());
    return 4;
  }
}
