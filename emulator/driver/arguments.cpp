#include "emulator/driver/arguments.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

#include "emulator/driver/nvcc_flags.hpp"
#include "emulator/driver/words.hpp"

namespace warplab::driver {
namespace {

namespace fs = std::filesystem;

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// "-arch=sm_90" as "arch".
std::string name_of_flag(const std::string& word) {
  if (word.size() < 2 || word[0] != '-') return "";
  const std::size_t begin = word[1] == '-' ? 2 : 1;
  return word.substr(begin, word.find('=') == std::string::npos ? word.npos : word.find('=') - begin);
}

bool is_number(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789") == word.npos;
}

/// Whether -O may have this after it. nvcc takes numbers, g++ these words too.
bool is_level(std::string_view word) {
  return word.empty() || is_number(word) || is_one_of(word, {"s", "g", "z", "fast"});
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
    if (!arguments.output.empty() && fs::exists(arguments.output) && fs::equivalent(source, arguments.output))
      throw BadArguments("-o " + arguments.output + " would overwrite a source");
  }
  if (arguments.output.empty()) return;
  const fs::path folder = fs::absolute(arguments.output).parent_path();
  if (fs::is_directory(arguments.output)) throw BadArguments("-o " + arguments.output + " is a folder");
  if (!fs::is_directory(folder) || !can_hold_files(folder))
    throw BadArguments("-o " + arguments.output + ": cannot write to " + folder.string());
}

/// The words of a file of options, as nvcc's --options-file takes them.
std::vector<std::string> words_of_file(const std::string& name) {
  std::ifstream file(name);
  if (!file) throw BadArguments(name + ": there is no such file of options");
  std::stringstream text;
  text << file.rdbuf();
  return words_of(text.str());
}

/// What g++ is told for -std. The emulator's headers need C++17, and coroutines.
/// @throws BadArguments
std::vector<std::string> standard_for(const std::string& asked) {
  const bool is_named = asked.starts_with("c++") || asked.starts_with("gnu++");
  const std::string year = asked.substr(std::min(asked.find_last_of('+') + 1, asked.size()));
  if (!is_named || !is_one_of(year, {"03", "11", "14", "17", "1z", "20", "2a", "23", "2b"}))
    throw BadArguments("-std=" + asked +
                       " is unknown; accepted are c++17 and c++20, and older ones as c++17");
  if (asked.ends_with("20") || asked.ends_with("2a") || asked.ends_with("23") || asked.ends_with("2b"))
    return {"-std=c++20"};
  return {"-std=c++17", "-fcoroutines", "-fconcepts"};
}

/// Reads words from the first to the last.
class Reader {
 public:
  explicit Reader(std::vector<std::string> words) : words_(std::move(words)) {}

  Arguments read() {
    arguments_.standard = standard_for("c++17");  // nvcc's default
    for (at_ = 0; at_ < words_.size() && !arguments_.help; ++at_) {
      if (replace_long_form()) continue;
      const std::string word = words_[at_];
      if (is_one_of(word, {"-h", "--help"}))
        arguments_.help = true;
      else if (!read_step(word) && !read_flag_of_nvcc(word) && !read_flag_of_preprocessor(word) &&
               !read_flag(word))
        read_file(word);
    }
    if (arguments_.help || arguments_.version) return arguments_;
    finish();
    return arguments_;
  }

 private:
  /// What nobody knows is for g++ where nvcc is told so.
  void forward_unknown() {
    if (unknown_.empty()) return;
    if (!unknown_to_compiler_ && !unknown_to_linker_)
      throw BadArguments("unknown flag " + unknown_[0] + "; see --help");
    for (auto [asked, list] : {std::pair{unknown_to_compiler_, &arguments_.host},
                               std::pair{unknown_to_linker_, &arguments_.objects}})
      if (asked) list->insert(list->end(), unknown_.begin(), unknown_.end());
  }

  std::string in_output_folder(const std::string& file) const {
    return (fs::path(arguments_.output_folder) / file).string();
  }

  void finish() {
    forward_unknown();
    if (!arguments_.output_folder.empty() && !fs::is_directory(arguments_.output_folder))
      throw BadArguments("-odir " + arguments_.output_folder + " is not a folder");
    const bool takes_objects = arguments_.step == Step::program || arguments_.step == Step::archive;
    if (arguments_.sources.empty() && !(takes_objects && !arguments_.objects.empty()) &&
        arguments_.step != Step::device_link)
      throw BadArguments("no source file is given; see --help");
    const bool many = arguments_.sources.size() > 1 && arguments_.step == Step::objects;
    if (many && !arguments_.output.empty())
      throw BadArguments("-c with -o takes one source file; leave -o out to make one object of each");
    if (arguments_.output.empty() && arguments_.step != Step::objects && arguments_.step != Step::preprocess)
      arguments_.output = in_output_folder("a.out");
    check_files(arguments_);
  }

  /// Puts the short form in the place of nvcc's long one. @return whether that ends with the next word
  bool replace_long_form() {
    const std::string word = words_[at_];
    const LongForm* const form = find_long_form(name_of_flag(word));
    // g++ takes -ftemplate-depth=9 only, nvcc also two words.
    const bool is_split = form != nullptr && word + "=" == form->short_form;
    if (!word.starts_with("--") && !is_split) return false;
    if (const std::string_view short_form = short_form_without_value(word); !short_form.empty())
      words_[at_] = short_form;
    if (form == nullptr) return false;
    const std::string value = value_of_nvcc();
    std::vector<std::string> words;
    for (std::string& each : form->is_list ? parts_of_list(value) : std::vector{value}) {
      words.emplace_back(form->short_form);
      words.back().append(each);
    }
    insert(words);
    return true;
  }

  /// These words come next.
  void insert(const std::vector<std::string>& words) {
    words_.insert(words_.begin() + static_cast<std::ptrdiff_t>(at_) + 1, words.begin(), words.end());
  }

  /// The value of the current word's flag, joined to it or in the next word.
  std::string value(std::size_t flag_length) {
    const std::string& word = words_[at_];
    if (word.size() > flag_length)
      return word.substr(word[flag_length] == '=' ? flag_length + 1 : flag_length);
    if (at_ + 1 == words_.size()) throw BadArguments(word + " needs a value");
    return words_[++at_];
  }
  /// The same after a =, or in the next word.
  std::string value_of_nvcc() {
    const std::string& word = words_[at_];
    const std::size_t equal = word.find('=');
    return equal == std::string::npos ? value(word.size()) : word.substr(equal + 1);
  }

  /// @return whether the word says what to make
  bool read_step(const std::string& word) {
    if (is_one_of(word, {"-c", "--compile", "-dc", "--device-c", "-dw", "--device-w"}))
      arguments_.step = Step::objects;
    else if (is_one_of(word, {"-dlink", "--device-link"}))
      arguments_.step = Step::device_link;
    else if (is_one_of(word, {"-lib", "--lib"}))
      arguments_.step = Step::archive;
    else if (is_one_of(word, {"-E", "--preprocess"}))
      arguments_.step = Step::preprocess;
    else if (is_one_of(word, {"-shared", "--shared"}))
      arguments_.shared = true;
    else if (is_one_of(word, {"-V", "--version"}))
      arguments_.version = true;
    else if (word == "--explain")
      arguments_.explain = true;
    else
      return false;
    return true;
  }

  /// -Werror, with nvcc's kinds as the next word or after a '='. g++ gets those that it knows.
  void read_errors_of_warnings() {
    constexpr std::string_view of_nvcc[] = {
        "all-warnings",           "cross-execution-space-call", "reorder",
        "default-stream-launch",  "missing-launch-bounds",      "ext-lambda-captures-this",
        "deprecated-declarations"};
    const auto is_of_nvcc = [&](const std::string& kind) {
      return std::find(std::begin(of_nvcc), std::end(of_nvcc), kind) != std::end(of_nvcc);
    };
    const std::size_t equal = words_[at_].find('=');
    std::string kind = equal == std::string::npos ? "all-warnings" : words_[at_].substr(equal + 1);
    if (equal == std::string::npos && at_ + 1 < words_.size() && is_of_nvcc(words_[at_ + 1]))
      kind = words_[++at_];
    if (kind == "all-warnings")
      arguments_.compile.push_back("-Werror");
    else if (!is_of_nvcc(kind))
      arguments_.compile.push_back("-Werror=" + kind);
  }

  /// @return whether the word was one of nvcc's own flags
  bool read_flag_of_nvcc(const std::string& word) {
    const std::string name = name_of_flag(word);
    arguments_.fast_mathematics |= name == "use_fast_math";
    if (is_of_nvcc(name) || (name[0] == 't' && is_number(name.substr(1)))) return true;  // -t4
    if (const std::string_view why = refusal_of(name); !why.empty())
      throw BadArguments(word + " " + std::string(why));
    if (is_of_nvcc_with_value(name)) {
      const std::string value = value_of_nvcc();
      arguments_.fast_mathematics |= is_one_of(name, {"prec-div", "prec-sqrt"}) && value == "false";
    } else if (is_one_of(name, {"std"})) {
      arguments_.standard = standard_for(value_of_nvcc());
    } else if (is_one_of(name, {"x"})) {
      arguments_.every_source_is_cuda = value_of_nvcc() == "cu";
    } else if (is_one_of(name, {"Werror"})) {
      read_errors_of_warnings();
    } else if (is_one_of(name, {"Xcompiler", "compiler-options"})) {
      for (std::string& flag : words_of_list(value_of_nvcc())) arguments_.host.push_back(std::move(flag));
    } else if (name.starts_with("forward-unknown-")) {
      unknown_to_compiler_ |= name == "forward-unknown-to-host-compiler" || name == "forward-unknown-opts";
      unknown_to_linker_ |= name == "forward-unknown-to-host-linker" || name == "forward-unknown-opts";
    } else if (is_one_of(name, {"Xlinker", "linker-options"})) {
      arguments_.objects.push_back("-Wl," + value_of_nvcc());
    } else if (is_one_of(name, {"cuda-path"})) {
      arguments_.toolkit = value_of_nvcc();
    } else if (is_one_of(name, {"output-file"})) {
      arguments_.output = value_of_nvcc();
    } else if (is_one_of(name, {"odir", "output-directory"})) {
      arguments_.output_folder = value_of_nvcc();
    } else if (is_one_of(name, {"default-stream"})) {
      read_default_stream(value_of_nvcc());
    } else if (is_one_of(name, {"options-file", "optf"})) {
      insert_words_of(value_of_nvcc());
    } else {
      return false;
    }
    return true;
  }

  void read_default_stream(const std::string& kind) {
    if (!is_one_of(kind, {"legacy", "null", "per-thread"}))
      throw BadArguments("--default-stream " + kind +
                         " is unknown; accepted are legacy, null and per-thread");
    if (kind == "per-thread") arguments_.preprocess.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
  }

  bool read_flag_of_preprocessor(const std::string& word) {
    const std::string flag = word.substr(0, 2);
    if (is_one_of(word, {"-M", "-MM"})) {
      arguments_.step = Step::preprocess;
      arguments_.dependencies.push_back(word);
    } else if (is_one_of(word, {"-MD", "-MMD", "-MP"})) {
      arguments_.dependencies.push_back(word);
    } else if (is_one_of(word.substr(0, 3), {"-MF", "-MT", "-MQ"})) {
      arguments_.dependencies.push_back(word.substr(0, 3));
      arguments_.dependencies.push_back(value(3));
    } else if (is_one_of(word, {"-include", "-isystem"}) || word.starts_with("-isystem=") ||
               word.starts_with("-include=")) {
      arguments_.preprocess.push_back(name_of_flag(word).insert(0, "-"));
      arguments_.preprocess.push_back(value_of_nvcc());
    } else if (is_one_of(flag, {"-I", "-D", "-U"})) {
      arguments_.preprocess.push_back(flag + value(2));
    } else {
      return false;
    }
    return true;
  }

  /// -O2, and as nvcc takes it -O=2 and -O 2. @return whether the word was that
  bool read_level(const std::string& word) {
    if (!word.starts_with("-O")) return false;
    const bool is_next = word == "-O" && at_ + 1 < words_.size() && is_number(words_[at_ + 1]);
    const std::string level = is_next ? words_[++at_] : word.substr(word.starts_with("-O=") ? 3 : 2);
    if (!is_level(level)) return false;
    arguments_.compile.push_back("-O" + level);
    return true;
  }

  /// @return whether the word was a flag. A flag that is not known is kept for forward_unknown().
  bool read_flag(const std::string& word) {
    const std::string flag = word.substr(0, 2);
    if (read_level(word)) return true;
    if (is_one_of(word, {"-v", "--verbose"})) {
      arguments_.verbose = true;
    } else if (flag == "-o") {
      arguments_.output = value(2);
    } else if (is_one_of(flag, {"-L", "-l"})) {
      arguments_.objects.push_back(flag + value(2));
    } else if (word.starts_with("-Wl,") || is_one_of(word, {"-pthread", "-rdynamic"})) {
      arguments_.objects.push_back(word);
    } else if (is_one_of(flag, {"-f", "-m"}) || word == "-pg") {
      arguments_.host.push_back(word);
    } else if (is_one_of(flag, {"-g", "-W"}) || word == "-w") {
      arguments_.compile.push_back(word);
    } else if (is_one_of(word, {"-G", "--device-debug"})) {
      arguments_.compile.insert(arguments_.compile.end(), {"-g", "-O0"});
    } else if (word.size() > 1 && word[0] == '-') {
      unknown_.push_back(word);
    } else {
      return false;
    }
    return true;
  }

  /// The words of a file come next.
  void insert_words_of(const std::string& file) {
    if (++files_of_options_ > 100) throw BadArguments(file + " is a file of options that takes in itself");
    insert(words_of_file(file));
  }

  void read_file(const std::string& word) {
    if (word[0] == '@') return insert_words_of(word.substr(1));  // as g++ takes it
    const std::string kind = fs::path(word).extension();
    if (is_one_of(kind, {".cu", ".cpp", ".cc", ".cxx", ".c", ".C"}))
      arguments_.sources.push_back(word);
    else if (is_one_of(kind, {".o", ".obj", ".a", ".so"}) || word.find(".so.") != std::string::npos)
      arguments_.objects.push_back(word);
    else
      throw BadArguments((word.empty() ? "''" : word) +
                         " is of no known kind; accepted are .cu, .cpp, .cc, .cxx, .c, .o, .a and .so");
  }

  std::vector<std::string> words_;
  std::size_t at_ = 0;
  int files_of_options_ = 0;
  std::vector<std::string> unknown_;
  bool unknown_to_compiler_ = false, unknown_to_linker_ = false;
  Arguments arguments_;
};

}  // namespace

Arguments parse(const std::vector<std::string>& words) { return Reader(words).read(); }

}  // namespace warplab::driver
