// The site: Doxygen makes it without a warning, and every link in it leads to a page,
// and on it to a place, that exists.
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>

#include "tests/common/command.hpp"
#include "tests/common/scratch_folder.hpp"
#include "tests/common/today.hpp"
#include "tests/pages/page_layout.hpp"

namespace warplab::house {
namespace {

namespace fs = std::filesystem;

const fs::path source = WARPLAB_SOURCE_DIR, binary = WARPLAB_BINARY_DIR;

/// A page is laid out on one day of so many.
const std::size_t days = std::getenv("WARPLAB_ALL_PAGES") ? 1 : 6;

struct Page {
  std::set<std::string> places;    ///< what id= and name= give
  std::vector<std::string> links;  ///< what href= and src= ask for, on this machine
};

/// The values of an attribute; not those of links to elsewhere.
std::vector<std::string> values_of(const std::string& html, const std::string& attribute) {
  std::vector<std::string> values;
  const std::string key = " " + attribute + "=\"";
  for (std::size_t at = html.find(key); at != std::string::npos; at = html.find(key, at)) {
    at += key.size();
    values.push_back(html.substr(at, html.find('"', at) - at));
  }
  return values;
}

Page read_page(const fs::path& path) {
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

TEST_F(Site, IsMadeWithoutAWarningAndItsLinksLead) {
  EXPECT_EQ(made_.exit_code, 0) << made_.output;
  EXPECT_EQ(made_.output, "");
  int links = 0;
  std::string broken;
  for (const auto& [name, page] : pages_)
    for (const std::string& link : page.links) {
      if (link == "#nested-classes") continue;  // Doxygen's own, also where all nested classes are private
      ++links;
      const std::size_t hash = link.find('#');
      const std::string file = hash == 0 ? name : link.substr(0, hash);
      const bool leads = pages_.contains(file) ? hash == std::string::npos || hash + 1 == link.size() ||
                                                     pages_[file].places.contains(link.substr(hash + 1))
                                               : fs::exists(*folder_ / "html" / file);
      if (!leads) broken += name + ": " + link + "\n";
    }
  EXPECT_EQ(broken, "");
  EXPECT_GT(links, 1000);

  std::vector<std::string> wanted = {"index.html",
                                     "student-guide.html",
                                     "instructor-guide.html",
                                     "contributor-guide.html",
                                     "architecture.html",
                                     "labs.html",
                                     "lens.html",
                                     "emulator.html",
                                     "grading.html",
                                     "decisions.html",
                                     "cluster-students.html",
                                     "cluster-instructors.html",
                                     "threat-model.html"};
  for (const auto& entry : fs::directory_iterator(source / "labs"))
    if (entry.is_directory())
      wanted.push_back("lab-" + entry.path().filename().string().substr(0, 2) + ".html");
  for (const std::string& page : wanted) EXPECT_TRUE(pages_.contains(page)) << page;

  // A command with quotes is one piece of code.
  EXPECT_NE(content_of(*folder_ / "html/student-guide.html").find("-R 'TransposeTiled[.]'</code>"),
            std::string::npos);
}

/// Whether a page is a document, not one that Doxygen makes of headers.
bool is_document(const std::string& name) {
  static const std::regex made(
      "(class|struct|namespace|union|concept|dir_|functions|namespacemembers|globals).*|.*_8.*|"
      "(annotated|classes|files|hierarchy|graph_legend|pages|concepts|namespaces|inherits)\\.html");
  return !std::regex_match(name, made);
}

/// A page without what is shown as it was written: code, and pictures.
std::string prose_of(std::string html) {
  for (const std::string element : {"pre", "code", "svg", "div class=\"line\""}) {
    const std::string begins = "<" + element, ends = "</" + element.substr(0, element.find(' ')) + ">";
    for (std::size_t at = 0; (at = html.find(begins, at)) != std::string::npos;) {
      const std::size_t end = html.find(ends, at);
      if (end == std::string::npos) break;
      html.erase(at, end + ends.size() - at);
    }
  }
  return html;
}

TEST_F(Site, ShowsNoMarkup) {
  std::string shown;
  for (const auto& [name, page] : pages_) {
    const std::string html = content_of(*folder_ / "html" / name), prose = prose_of(html);
    for (const char* markup : {"@htmlonly", "@ref", source.c_str()})
      if (html.find(markup) != std::string::npos) shown += name + ": " + markup + "\n";
    if (!is_document(name)) continue;
    for (const char* markup : {"&lt;details", "&lt;summary", "`", "**", "](", "{#", "\n| ", "[TOC]"})
      if (prose.find(markup) != std::string::npos) shown += name + ": " + markup + "\n";
  }
  EXPECT_EQ(shown, "");
}

TEST_F(Site, FitsATelephoneAndADesk) {
  if (browser().empty()) GTEST_SKIP() << "no browser is installed";
  std::size_t number = 0, shown = 0;
  for (const auto& [name, page] : pages_) {
    if (!is_document(name) || number++ % days != today() % days) continue;
    ++shown;
    for (const int width : {390, 1280})
      EXPECT_EQ(overflow_of_file(*folder_ / "html", name, width), "") << name << " at " << width;
  }
  EXPECT_GT(shown, 40 / days);
}

}  // namespace
}  // namespace warplab::house
