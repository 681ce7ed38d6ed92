#pragma once

#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>

#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"

// The site, made once for the tests of a program.

namespace warplab::house {

namespace fs = std::filesystem;

inline const fs::path source = WARPLAB_SOURCE_DIR, binary = WARPLAB_BINARY_DIR;

struct Page {
  std::set<std::string> places;    ///< what id= and name= give
  std::vector<std::string> links;  ///< what href= and src= ask for, on this machine
};

/// The values of an attribute; not those of links to elsewhere.
inline std::vector<std::string> values_of(const std::string& html, const std::string& attribute) {
  std::vector<std::string> values;
  const std::string key = " " + attribute + "=\"";
  for (std::size_t at = html.find(key); at != std::string::npos; at = html.find(key, at)) {
    at += key.size();
    values.push_back(html.substr(at, html.find('"', at) - at));
  }
  return values;
}

inline Page read_page(const fs::path& path) {
  const std::string html = content_of(path);
  Page page;
  for (const char* attribute : {"id", "name"})
    for (const std::string& value : values_of(html, attribute)) page.places.insert(value);
  for (const char* attribute : {"href", "src"})
    for (const std::string& value : values_of(html, attribute))
      if (value.find("://") == std::string::npos && !value.starts_with("javascript:"))
        page.links.push_back(value);
  return page;
}

class Site : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (run("command -v doxygen").exit_code != 0 || !fs::exists(binary / "docs/Doxyfile")) return;
    folder_ = new ScratchFolder;
    const std::string doxyfile =
        std::regex_replace(content_of(binary / "docs/Doxyfile"), std::regex("\nOUTPUT_DIRECTORY[^\n]*"),
                           "\nOUTPUT_DIRECTORY = " + folder_->path().string());
    made_ = run("cd '" + source.string() + "' && doxygen '" + folder_->write("Doxyfile", doxyfile).string() +
                "'");
    for (const auto& entry : fs::directory_iterator(*folder_ / "html"))
      if (entry.path().extension() == ".html")
        pages_[entry.path().filename().string()] = read_page(entry.path());
  }
  static void TearDownTestSuite() { delete folder_; }
  void SetUp() override {
    if (!folder_) GTEST_SKIP() << "Doxygen is not installed, or was not when CMake configured";
  }

  static inline ScratchFolder* folder_ = nullptr;
  static inline Outcome made_{};
  static inline std::map<std::string, Page> pages_;
};

/// Whether a page is a document, not one that Doxygen makes of headers.
inline bool is_document(const std::string& name) {
  static const std::regex made(
      "(class|struct|namespace|union|concept|dir_|functions|namespacemembers|globals).*|.*_8.*|"
      "(annotated|classes|files|hierarchy|graph_legend|pages|concepts|namespaces|inherits)\\.html");
  return !std::regex_match(name, made);
}

}  // namespace warplab::house
