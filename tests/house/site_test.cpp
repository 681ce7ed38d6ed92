// The site: Doxygen makes it without a warning, every link in it leads to a page, and on it to a place, that
// exists, and no page shows markup.
#include "tests/house/site.hpp"

namespace warplab::house {
namespace {

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

}  // namespace
}  // namespace warplab::house
