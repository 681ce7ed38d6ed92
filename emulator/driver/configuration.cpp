#include "emulator/driver/configuration.hpp"

#include <filesystem>

namespace warplab::driver {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view top_mark = "@top@";

void place(std::string& word, const std::string& top) {
  for (std::size_t at = word.find(top_mark); at != word.npos; at = word.find(top_mark, at + top.size()))
    word.replace(at, top_mark.size(), top);
}

Configuration placed_configuration() {
  Configuration value = written_configuration();
  const std::string top = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  place(value.translator, top);
  for (std::vector<std::string>* const words :
       {&value.preprocess, &value.preprocess_lens, &value.include, &value.compile, &value.compile_lens,
        &value.compile_host, &value.link, &value.link_lens})
    for (std::string& word : *words) place(word, top);
  // Installed on another machine: the g++ that is there.
  if (!fs::exists(value.compiler)) value.compiler = "g++";
  return value;
}

}  // namespace

const Configuration& configuration() {
  static const Configuration value = placed_configuration();
  return value;
}

}  // namespace warplab::driver
