#include "emulator/driver/build.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <utility>

#include "emulator/driver/commands.hpp"
#include "emulator/driver/configuration.hpp"
#include "emulator/driver/lens_section.hpp"
#include "emulator/driver/template_libraries.hpp"
#include "emulator/driver/unsupported.hpp"

namespace warplab::driver {
namespace {

namespace fs = std::filesystem;

class Build {
 public:
  explicit Build(const Arguments& arguments)
      : arguments_(arguments), config_(configuration()), libraries_(find_template_libraries(arguments)) {}

  void run() {
    if (arguments_.step == Step::device_link) {
      const std::string file = fs::path(arguments_.output).filename() == "a.out"
                                   ? (fs::path(arguments_.output_folder) / "a_dlink.o").string()
                                   : arguments_.output;
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
    append(command, libraries_.preprocess(uses_libraries_));
    append(command, arguments_.standard);
    append(command, besides);
    append(command, arguments_.host);
    append(command, preprocessor_flags());
    if (!result.empty()) append(command, {"-o", result});
    command.push_back(source);
    return command;
  }

  /// The user's, but for a toolkit's own headers, which would come before the emulator's.
  std::vector<std::string> preprocessor_flags() const {
    std::vector<std::string> words = arguments_.preprocess;
    std::erase_if(words, [](const std::string& w) { return w.starts_with("-I") && is_toolkit(w.substr(2)); });
    return words;
  }

  void preprocess_only(const std::string& source) {
    find_out_about_libraries(source, scratch_ / "text");
    require(preprocess(source, arguments_.dependencies, arguments_.output));
  }

  /// Preprocesses a source to see whether it includes Thrust or CUB, which then have to be told that one
  /// compilation makes all code. @return whether `text` is what it should be
  bool find_out_about_libraries(const std::string& source, const std::string& text) {
    uses_libraries_ = false;
    if (libraries_.folders.empty()) return false;
    const bool succeeded = wait_for(begin(preprocess(source, dependencies_of(source), text), errors()));
    std::stringstream result;
    result << std::ifstream(text).rdbuf();
    for (const std::string& prefix : libraries_.prefixes())
      uses_libraries_ |= result.str().find("# 1 \"" + prefix) != std::string::npos;
    uses_libraries_ |= !succeeded;  // the headers may be what failed
    return succeeded && !uses_libraries_;
  }

  Command translate(const char* mode, const std::string& text, const std::string& result) const {
    Command command{config_.translator};
    if (*mode != '\0') command.emplace_back(mode);
    if (uses_libraries_) append(command, libraries_.translate());
    append(command, {text, result});
    return command;
  }

  void compile_cuda(const std::string& source, const std::string& stem) {
    const std::string text = scratch_ / (stem + ".ii"), plain = scratch_ / (stem + ".cpp");
    if (find_out_about_libraries(source, text))
      require(true);
    else
      require(preprocess(source, dependencies_of(source), text));
    require(translate("", text, plain));
    // It takes longest: what the lens's build begins with is done beside it.
    const pid_t plain_process = begin(compile_plain(plain, scratch_ / (stem + ".o")), errors());
    const std::string lens_text = scratch_ / (stem + ".lens.ii"), lens = scratch_ / (stem + ".lens.cpp");
    bool has_lens = wait_for(begin(preprocess(source, config_.preprocess_lens, lens_text), lens_errors())) &&
                    wait_for(begin(translate("--lens", lens_text, lens), lens_errors()));
    std::optional<pid_t> lens_process;
    if (has_lens) lens_process = begin(compile_for_lens(lens, scratch_ / (stem + ".lens.o")), lens_errors());
    const bool compiled = wait_for(plain_process);
    if (lens_process) has_lens = wait_for(*lens_process);
    require(compiled);
    objects_.push_back(scratch_ / (stem + ".o"));
    lens_objects_.push_back(has_lens ? scratch_ / (stem + ".lens.o") : "");
    if (!has_lens) note_lens_errors();
  }

  Command compile_plain(const std::string& text, const std::string& object) const {
    Command compile{config_.compiler};
    append(compile, config_.compile);
    if (uses_libraries_) append(compile, libraries_.compile());
    append(compile, arguments_.standard);
    if (arguments_.shared) compile.push_back("-fPIC");
    append(compile, arguments_.host);
    append(compile, arguments_.compile);
    append(compile, {"-c", "-o", object, text});
    return compile;
  }

  Command compile_for_lens(const std::string& text, const std::string& object) const {
    Command compile{config_.compiler};
    append(compile, config_.compile_lens);
    if (uses_libraries_) append(compile, libraries_.compile());
    append(compile, arguments_.standard);
    if (arguments_.fast_mathematics) compile.push_back("-fno-sanitize-coverage=trace-pc");
    append(compile, host_flags({"-m"}));  // the preprocessor chose the source's parts by them
    append(compile, {"-w", "-c", "-o", object, text});
    return compile;
  }

  void compile_host(const std::string& source, const std::string& stem) {
    const bool is_c = fs::path(source).extension() == ".c" && !includes_cuda(source);
    Command compile{config_.compiler, "-x", is_c ? "c" : "c++"};
    append(compile, config_.compile_host);
    append(compile, arguments_.standard);
    if (is_c) std::erase_if(compile, is_of_cxx_only);
    append(compile, config_.include);
    append(compile, libraries_.preprocess(false));
    append(compile, dependencies_of(source));
    append(compile, preprocessor_flags());
    append(compile, arguments_.host);
    append(compile, arguments_.compile);
    append(compile, {"-c", "-o", scratch_ / (stem + ".o"), source});
    require(compile);
    objects_.push_back(scratch_ / (stem + ".o"));
    lens_objects_.push_back(objects_.back());
  }

  /// Whether a source in C includes a header of CUDA's: it is then compiled as C++, as those headers are.
  bool includes_cuda(const std::string& source) {
    const std::string names = scratch_ / "includes";
    Command list{config_.compiler, "-x", "c", "-M", "-MG", "-MF", names};
    append(list, config_.include);
    append(list, preprocessor_flags());
    list.push_back(source);
    wait_for(begin(list, errors()));
    fs::remove(errors());
    std::stringstream text;
    text << std::ifstream(names).rdbuf();
    // g++ writes names without links, and a backslash before a space.
    const auto found = [&](std::string folder) {
      for (std::size_t i = 0; (i = folder.find(' ', i)) != std::string::npos; i += 2) folder.insert(i, "\\");
      return text.str().find(folder + "/") != std::string::npos;
    };
    return found(config_.include.back()) || found(fs::canonical(config_.include.back()));
  }
  static bool is_of_cxx_only(const std::string& flag) {
    return flag.starts_with("-std=") || flag == "-fcoroutines" || flag == "-fconcepts";
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
               : (fs::path(arguments_.output_folder) / fs::path(source).stem()).string() + ".o";
  }

  /// The source that was compiled last becomes an object, with the lens's build of it inside.
  void write_object(const std::string& source) { write_object(objects_.size() - 1, object_name(source)); }
  void write_object(std::size_t i, const std::string& object) {
    if (!lens_objects_[i].empty() && lens_objects_[i] != objects_[i])
      return require(attach_lens(objects_[i], lens_objects_[i], object));
    if (lens_objects_[i].empty()) say_why_there_is_no_lens(object);
    fs::copy_file(objects_[i], object, fs::copy_options::overwrite_existing);
  }

  /// The members get names of their own: ar replaces a member by another of its name.
  void archive() {
    Command words{"ar", "rcs", arguments_.output};
    const auto member = [&](const std::string& file) {
      const fs::path folder = scratch_ / ("member" + std::to_string(words.size()));
      fs::create_directory(folder);
      const std::string stem = fs::path(file).stem();
      const auto has_stem = [&](const std::string& word) { return fs::path(word).stem() == stem; };
      const bool taken = std::any_of(words.begin() + 3, words.end(), has_stem);
      return (folder / (stem + (taken ? "-" + std::to_string(words.size()) : "") + ".o")).string();
    };
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      const std::string name = member(arguments_.sources[i]);
      write_object(i, name);
      words.push_back(name);
    }
    for (const std::string& file : arguments_.objects) {
      if (file.starts_with("-")) continue;  // for a linker
      const std::string kind = fs::path(file).extension();
      const std::string name = kind == ".o" || kind == ".obj" ? member(file) : file;
      if (name != file) fs::copy_file(file, name);
      words.push_back(name);
    }
    require(words);
  }

  /// Those of the host compiler's flags that begin so.
  std::vector<std::string> host_flags(std::initializer_list<const char*> beginnings) const {
    std::vector<std::string> flags;
    for (const std::string& flag : arguments_.host)
      if (std::any_of(beginnings.begin(), beginnings.end(), [&](auto b) { return flag.starts_with(b); }))
        flags.push_back(flag);
    return flags;
  }

  Command link_command(const std::vector<std::string>& objects, const std::vector<std::string>& given,
                       const std::vector<std::string>& flags, const std::string& file) const {
    Command words{config_.compiler, "-o", file};
    append(words, flags);
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
    require(link_command(objects_, arguments_.objects, arguments_.host, partial.path));
    std::vector<std::string> given;
    for (const std::string& file : arguments_.objects) {
      const std::string library = library_of(file, arguments_.objects);
      const std::vector<std::string> found = lens_objects_of(library, scratch_ / "");
      append(given, found == std::vector{library} ? std::vector{file} : found);
    }
    const bool has_kernels = given != arguments_.objects || lens_objects_ != objects_;
    bool has_lens = std::find(lens_objects_.begin(), lens_objects_.end(), "") == lens_objects_.end();
    if (has_lens && has_kernels) {
      Command words =
          link_command(lens_objects_, given, host_flags({"-f", "-m", "-pthread"}), partial_beside.path);
      append(words, config_.link_lens);
      has_lens = wait_for(begin(words, lens_errors()));
      if (!has_lens) note_lens_errors();
    }
    if (!has_lens) say_why_there_is_no_lens(program);
    // First what is beside it: a program never finds the lens's build of another.
    fs::remove(beside);
    if (has_lens && has_kernels) fs::rename(partial_beside.path, beside);
    fs::rename(partial.path, program);
  }

  fs::path errors() const { return scratch_ / "errors"; }
  fs::path lens_errors() const { return scratch_ / "lens.errors"; }

  /// The next command of the lens's build writes over what the last one said.
  void note_lens_errors() {
    std::stringstream said;
    said << std::ifstream(lens_errors()).rdbuf();
    why_no_lens_ += said.str();
  }
  void say_why_there_is_no_lens(const std::string& made) {
    std::cerr << "warplab-cc: " << fs::path(made).filename().string()
              << " runs, but the lens will not know its kernels:\n"
              << std::exchange(why_no_lens_, "");
  }

  struct Remover {
    std::string path;
    ~Remover() { unlink(path.c_str()); }
  };

  const Arguments& arguments_;
  const Configuration& config_;
  TemplateLibraries libraries_;
  bool uses_libraries_ = false;  ///< the source that is compiled
  ScratchFolder scratch_;
  std::vector<std::string> objects_;
  std::vector<std::string> lens_objects_;  ///< by object: the lens's build of it, itself for host code, or ""
  std::string why_no_lens_;
};

}  // namespace

void build(const Arguments& arguments) { Build(arguments).run(); }

}  // namespace warplab::driver
