#include "build.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>

#include "commands.hpp"
#include "configuration.hpp"
#include "lens_section.hpp"
#include "unsupported.hpp"

namespace warplab::driver {
namespace {

namespace fs = std::filesystem;

class Build {
 public:
  explicit Build(const Arguments& arguments) : arguments_(arguments), config_(configuration()) {}

  void run() {
    if (arguments_.step == Step::device_link) {
      const std::string file = arguments_.output == "a.out" ? "a_dlink.o" : arguments_.output;
      return require({config_.compiler, "-x", "c", "-c", "/dev/null", "-o", file});
    }
    for (const std::string& source : arguments_.sources) {
      if (arguments_.step == Step::preprocess)
        preprocess_only(source);
      else if (arguments_.every_source_is_cuda || fs::path(source).extension() == ".cu")
        compile_cuda(source, std::to_string(objects_.size()));
      else
        compile_host(source, std::to_string(objects_.size()));
      if (arguments_.step == Step::objects) write_object(source);
    }
    if (arguments_.step == Step::archive) archive();
    if (arguments_.step == Step::program) link();
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

  /// g++ -E of a source. @param besides for the lens, or what dependencies to write
  Command preprocess(const std::string& source, const std::vector<std::string>& besides,
                     const std::string& result) const {
    Command command{config_.compiler, "-E"};
    append(command, config_.preprocess);
    append(command, arguments_.standard);
    append(command, besides);
    append(command, arguments_.preprocess);
    if (!result.empty()) append(command, {"-o", result});
    command.push_back(source);
    return command;
  }

  void preprocess_only(const std::string& source) const {
    require(preprocess(source, arguments_.dependencies, arguments_.output));
  }

  void compile_cuda(const std::string& source, const std::string& stem) {
    const std::string text = scratch_ / (stem + ".ii"), plain = scratch_ / (stem + ".cpp");
    require(preprocess(source, dependencies_of(source), text));
    require({config_.translator, text, plain});
    const std::string lens_text = scratch_ / (stem + ".lens.ii"), lens = scratch_ / (stem + ".lens.cpp");
    has_lens_ = has_lens_ &&
                wait_for(begin(preprocess(source, config_.preprocess_lens, lens_text), lens_errors())) &&
                wait_for(begin({config_.translator, "--lens", lens_text, lens}, lens_errors()));

    Command compile{config_.compiler}, compile_lens{config_.compiler};
    append(compile, config_.compile);
    append(compile, arguments_.standard);
    if (arguments_.shared) compile.push_back("-fPIC");
    append(compile, arguments_.compile);
    append(compile, {"-c", "-o", scratch_ / (stem + ".o"), plain});
    append(compile_lens, config_.compile_lens);
    append(compile_lens, arguments_.standard);
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
    if (fs::path(source).extension() == ".c") append(compile, {"-x", "c++"});  // as nvcc takes it
    append(compile, config_.compile_host);
    append(compile, arguments_.standard);
    append(compile, config_.include);
    append(compile, dependencies_of(source));
    append(compile, arguments_.preprocess);
    append(compile, arguments_.compile);
    append(compile, {"-c", "-o", scratch_ / (stem + ".o"), source});
    require(compile);
    objects_.push_back(scratch_ / (stem + ".o"));
    lens_objects_.push_back(objects_.back());
  }

  /// What -MD writes; nvcc names the file after the object.
  std::vector<std::string> dependencies_of(const std::string& source) const {
    std::vector<std::string> words = arguments_.dependencies;
    if (words.empty()) return words;
    const std::string object = object_name(source);
    const auto has = [&](const char* flag) {
      return std::find(words.begin(), words.end(), flag) != words.end();
    };
    if (!has("-MF")) append(words, {"-MF", fs::path(object).replace_extension(".d")});
    if (!has("-MT") && !has("-MQ")) append(words, {"-MT", object});
    return words;
  }

  std::string object_name(const std::string& source) const {
    return arguments_.step == Step::objects && !arguments_.output.empty()
               ? arguments_.output
               : fs::path(source).stem().string() + ".o";
  }

  /// The source that was compiled last becomes an object, with the lens's build of it inside.
  void write_object(const std::string& source) {
    const std::string object = object_name(source);
    if (!has_lens_) {
      say_why_there_is_no_lens(object);
      fs::copy_file(objects_.back(), object, fs::copy_options::overwrite_existing);
    } else if (lens_objects_.back() == objects_.back()) {
      fs::copy_file(objects_.back(), object, fs::copy_options::overwrite_existing);
    } else {
      require(attach_lens(objects_.back(), lens_objects_.back(), object));
    }
  }

  void archive() {
    Command words{"ar", "rcs", arguments_.output};
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      words.push_back(scratch_ / (fs::path(arguments_.sources[i]).stem().string() + ".o"));
      if (has_lens_ && lens_objects_[i] != objects_[i])
        require(attach_lens(objects_[i], lens_objects_[i], words.back()));
      else
        fs::copy_file(objects_[i], words.back(), fs::copy_options::overwrite_existing);
    }
    append(words, arguments_.objects);
    require(words);
  }

  Command link_command(const std::vector<std::string>& objects, const std::vector<std::string>& given,
                       const std::string& file) const {
    Command words{config_.compiler, "-o", file};
    if (arguments_.shared) words.push_back("-shared");
    append(words, objects);
    append(words, given);
    append(words, config_.link);
    return words;
  }

  void link() {
    const std::string program = arguments_.output;
    const std::string beside =
        (program.ends_with(".so") ? program.substr(0, program.size() - 3) : program) + ".lens.so";
    const std::string mark = ".partial-" + std::to_string(getpid());
    const Remover partial{program + mark}, partial_beside{beside + mark};
    require(link_command(objects_, arguments_.objects, partial.path));
    std::vector<std::string> given;
    for (const std::string& file : arguments_.objects) append(given, lens_objects_of(file, scratch_ / ""));
    const bool has_kernels = given != arguments_.objects || lens_objects_ != objects_;
    if (has_lens_ && has_kernels) {
      Command words = link_command(lens_objects_, given, partial_beside.path);
      append(words, config_.link_lens);
      has_lens_ = wait_for(begin(words, lens_errors()));
    }
    if (!has_lens_) say_why_there_is_no_lens(program);
    // First what is beside it: a program never finds the lens's build of another.
    fs::remove(beside);
    if (has_lens_ && has_kernels) fs::rename(partial_beside.path, beside);
    fs::rename(partial.path, program);
  }

  fs::path errors() const { return scratch_ / "errors"; }
  fs::path lens_errors() const { return scratch_ / "lens.errors"; }

  void say_why_there_is_no_lens(const std::string& made) const {
    std::cerr << "warplab-cc: " << made << " runs, but the lens will not know its kernels:\n"
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

void build(const Arguments& arguments) { Build(arguments).run(); }

}  // namespace warplab::driver
