// Writes docs/public-programs.md, docs/published-bugs.md and docs/lens-on-public-kernels.md from the JSON
// files of this folder.
#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>

#include "tests/corpus/corpus.hpp"
#include "tests/corpus/counts.hpp"

namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace

int main(int argc, char** argv) {
  using namespace warplab::corpus;
  if (argc != 2) {
    std::fprintf(stderr, "usage: corpus_page FOLDER-OF-THE-PAGES\n");
    return 2;
  }
  try {
    const auto folder = std::filesystem::path(WARPLAB_SOURCE_DIR) / "tests/corpus";
    const Corpus corpus = read_corpus(folder);
    write(std::filesystem::path(argv[1]) / "public-programs.md", programs_page(corpus));
    write(std::filesystem::path(argv[1]) / "published-bugs.md", bugs_page(corpus));
    write(std::filesystem::path(argv[1]) / "lens-on-public-kernels.md",
          counts_page(read_choices(folder / "counts"), read_causes(folder / "counts/causes.json")));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "corpus_page: %s\n", error.what());
    return 4;
  }
}
