#include "arguments.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
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
  if (!fs::is_directory(folder) || access(folder.c_str(), W_OK) != 0)
    throw BadArguments("-o " + arguments.output + ": cannot write to " + folder.string());
}

}  // namespace

Arguments parse(const std::vector<std::string>& words) {
  Arguments arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    // The value of a flag, joined to it or in the next word.
    const auto value = [&](std::size_t flag_length) {
      if (word.size() > flag_length) return word.substr(flag_length);
      if (i + 1 == words.size()) throw BadArguments(word + " needs a value");
      return words[++i];
    };
    const std::string flag = word.substr(0, 2);
    if (is_one_of(word, {"-h", "--help"})) {
      arguments.help = true;
      return arguments;
    }
    const std::string name = name_of_flag(word);
    // Behind a =, or in the next word.
    const auto value_of_nvcc = [&] {
      const std::size_t equal = word.find('=');
      return equal == std::string::npos ? value(word.size()) : word.substr(equal + 1);
    };
    if (is_of_nvcc(name)) continue;
    if (is_of_nvcc_with_value(name)) {
      value_of_nvcc();  // the standard is always C++20
      continue;
    }
    if (is_one_of(name, {"Xcompiler", "compiler-options"})) {
      add_for_compiler(arguments, value_of_nvcc());
      continue;
    }
    if (is_one_of(name, {"Xlinker", "linker-options"})) {
      arguments.objects.push_back("-Wl," + value_of_nvcc());
      continue;
    }
    if (is_one_of(word, {"-v", "--verbose"})) {
      arguments.verbose = true;
    } else if (flag == "-o") {
      arguments.output = value(2);
    } else if (is_one_of(word, {"-include", "-isystem"})) {
      arguments.preprocess.push_back(word);
      arguments.preprocess.push_back(value(word.size()));
    } else if (is_one_of(flag, {"-I", "-D", "-U"})) {
      arguments.preprocess.push_back(flag + value(2));
    } else if (is_one_of(flag, {"-L", "-l"})) {
      arguments.objects.push_back(flag + value(2));
    } else if (word.starts_with("-Wl,") || word == "-pthread") {
      arguments.objects.push_back(word);
    } else if (word == "-fopenmp") {
      add_for_compiler(arguments, word);
    } else if (is_one_of(flag, {"-O", "-g", "-W"})) {
      arguments.compile.push_back(word);
    } else if (word == "-w") {
      arguments.compile.push_back(word);
    } else if (word == "-G") {
      arguments.compile.insert(arguments.compile.end(), {"-g", "-O0"});
    } else if (word == "-c") {
      throw BadArguments("-c is not accepted: give all files of the program at once, with -o PROGRAM");
    } else if (word.size() > 1 && word[0] == '-') {
      throw BadArguments("unknown flag " + word + "; see --help");
    } else {
      const std::string kind = fs::path(word).extension();
      if (is_one_of(kind, {".cu", ".cpp", ".cc", ".cxx"}))
        arguments.sources.push_back(word);
      else if (is_one_of(kind, {".o", ".a", ".so"}))
        arguments.objects.push_back(word);
      else
        throw BadArguments(word + " is of no known kind; accepted are .cu, .cpp, .cc, .cxx, .o, .a and .so");
    }
  }
  if (arguments.sources.empty()) throw BadArguments("no source file is given; see --help");
  check_files(arguments);
  return arguments;
}

}  // namespace warplab::driver
