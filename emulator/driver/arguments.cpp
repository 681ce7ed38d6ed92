#include "arguments.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>

namespace warplab::driver {
namespace {

namespace fs = std::filesystem;

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// What nvcc takes and no g++, of code for GPUs or of nvcc itself, so that its command lines can be used as
/// they are. Without the dashes.
bool is_of_nvcc(std::string_view name) {
  return is_one_of(name, {"lineinfo",
                          "generate-line-info",
                          "rdc",
                          "relocatable-device-code",
                          "extended-lambda",
                          "expt-extended-lambda",
                          "expt-relaxed-constexpr",
                          "use_fast_math",
                          "ftz",
                          "prec-div",
                          "prec-sqrt",
                          "fmad",
                          "res-usage",
                          "resource-usage",
                          "cudart",
                          "m64",
                          "lcudart",
                          "lcudadevrt",
                          "lcudart_static",
                          "restrict"});
}

/// The same, with a value after a = or in the next word.
bool is_of_nvcc_with_value(std::string_view name) {
  return is_one_of(name, {"arch",
                          "gpu-architecture",
                          "gencode",
                          "generate-code",
                          "code",
                          "gpu-code",
                          "Xptxas",
                          "ptxas-options",
                          "x",
                          "std",
                          "ccbin",
                          "compiler-bindir",
                          "maxrregcount",
                          "diag-suppress",
                          "threads",
                          "t",
                          "Xnvlink",
                          "Xarchive",
                          "split-compile",
                          "Xcudafe",
                          "diag-warn"});
}

/// "-arch=sm_90" as "arch".
std::string name_of_flag(const std::string& word) {
  if (word.size() < 2 || word[0] != '-') return "";
  const std::size_t begin = word[1] == '-' ? 2 : 1;
  return word.substr(begin, word.find('=') == std::string::npos ? word.npos : word.find('=') - begin);
}

/// What follows -Xcompiler, "-fopenmp,-O2", flag by flag: for the compiler, and
/// what the linker must know too.
void add_for_compiler(Arguments& arguments, const std::string& flags) {
  std::stringstream list(flags);
  for (std::string flag; std::getline(list, flag, ',');) {
    arguments.compile.push_back(flag);
    if (flag == "-fopenmp" || flag == "-pthread") arguments.objects.push_back(flag);
  }
}

/// Not every folder that says so, such as /proc, takes a file.
bool can_hold_files(const fs::path& folder) {
  std::string name = (folder / "warplab-cc-XXXXXX").string();
  const int file = mkstemp(name.data());
  if (file < 0) return false;
  close(file);
  return unlink(name.c_str()) == 0;
}

void check_files(const Arguments& arguments) {
  for (const std::string& source : arguments.sources) {
    if (!fs::exists(source)) throw BadArguments(source + ": there is no such file");
    if (!fs::is_regular_file(source)) throw BadArguments(source + " is not a file");
    if (access(source.c_str(), R_OK) != 0) throw BadArguments(source + ": no permission to read it");
    if (fs::exists(arguments.output) && fs::equivalent(source, arguments.output))
      throw BadArguments("-o " + arguments.output + " would overwrite a source");
  }
  const fs::path folder = fs::absolute(arguments.output).parent_path();
  if (fs::is_directory(arguments.output)) throw BadArguments("-o " + arguments.output + " is a folder");
  if (!fs::is_directory(folder) || !can_hold_files(folder))
    throw BadArguments("-o " + arguments.output + ": cannot write to " + folder.string());
}

/// Reads words from the first to the last.
class Reader {
 public:
  explicit Reader(const std::vector<std::string>& words) : words_(words) {}

  Arguments read() {
    for (at_ = 0; at_ < words_.size() && !arguments_.help; ++at_) {
      const std::string& word = words_[at_];
      if (is_one_of(word, {"-h", "--help"}))
        arguments_.help = true;
      else if (!read_flag_of_nvcc(word) && !read_flag(word))
        read_file(word);
    }
    if (arguments_.help) return arguments_;
    if (arguments_.sources.empty()) throw BadArguments("no source file is given; see --help");
    check_files(arguments_);
    return arguments_;
  }

 private:
  /// The value of the current word's flag, joined to it or in the next word.
  std::string value(std::size_t flag_length) {
    const std::string& word = words_[at_];
    if (word.size() > flag_length) return word.substr(flag_length);
    if (at_ + 1 == words_.size()) throw BadArguments(word + " needs a value");
    return words_[++at_];
  }
  /// The same after a =, or in the next word.
  std::string value_of_nvcc() {
    const std::string& word = words_[at_];
    const std::size_t equal = word.find('=');
    return equal == std::string::npos ? value(word.size()) : word.substr(equal + 1);
  }

  /// @return whether the word was one of nvcc's own flags
  bool read_flag_of_nvcc(const std::string& word) {
    const std::string name = name_of_flag(word);
    if (is_of_nvcc(name)) return true;
    if (is_of_nvcc_with_value(name)) {
      value_of_nvcc();  // the standard is always C++20
    } else if (is_one_of(name, {"Xcompiler", "compiler-options"})) {
      add_for_compiler(arguments_, value_of_nvcc());
    } else if (is_one_of(name, {"Xlinker", "linker-options"})) {
      arguments_.objects.push_back("-Wl," + value_of_nvcc());
    } else {
      return false;
    }
    return true;
  }

  /// @return whether the word was a flag. @throws BadArguments for one that is not known
  bool read_flag(const std::string& word) {
    const std::string flag = word.substr(0, 2);
    if (is_one_of(word, {"-v", "--verbose"})) {
      arguments_.verbose = true;
    } else if (flag == "-o") {
      arguments_.output = value(2);
    } else if (is_one_of(word, {"-include", "-isystem"})) {
      arguments_.preprocess.push_back(word);
      arguments_.preprocess.push_back(value(word.size()));
    } else if (is_one_of(flag, {"-I", "-D", "-U"})) {
      arguments_.preprocess.push_back(flag + value(2));
    } else if (is_one_of(flag, {"-L", "-l"})) {
      arguments_.objects.push_back(flag + value(2));
    } else if (word.starts_with("-Wl,") || word == "-pthread") {
      arguments_.objects.push_back(word);
    } else if (word == "-fopenmp") {
      add_for_compiler(arguments_, word);
    } else if (is_one_of(flag, {"-O", "-g", "-W"}) || word == "-w") {
      arguments_.compile.push_back(word);
    } else if (word == "-G") {
      arguments_.compile.insert(arguments_.compile.end(), {"-g", "-O0"});
    } else if (word == "-c") {
      throw BadArguments("-c is not accepted: give all files of the program at once, with -o PROGRAM");
    } else if (word.size() > 1 && word[0] == '-') {
      throw BadArguments("unknown flag " + word + "; see --help");
    } else {
      return false;
    }
    return true;
  }

  void read_file(const std::string& word) {
    const std::string kind = fs::path(word).extension();
    if (is_one_of(kind, {".cu", ".cpp", ".cc", ".cxx"}))
      arguments_.sources.push_back(word);
    else if (is_one_of(kind, {".o", ".a", ".so"}))
      arguments_.objects.push_back(word);
    else
      throw BadArguments(word + " is of no known kind; accepted are .cu, .cpp, .cc, .cxx, .o, .a and .so");
  }

  const std::vector<std::string>& words_;
  std::size_t at_ = 0;
  Arguments arguments_;
};

}  // namespace

Arguments parse(const std::vector<std::string>& words) { return Reader(words).read(); }

}  // namespace warplab::driver
