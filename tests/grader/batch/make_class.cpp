// Writes a class's submissions of one lab, to see how fast they are graded and that nothing is lost on the
// way (grade_a_class.sh). Of every 100 students about 34 have solved everything, 34 the first tasks, 20 made
// mistakes (those of tests/hidden/mutants), 6 are hostile, 4 changed nothing and 2 handed in no file. Solved
// files differ from student to student; files as they were handed out don't.
//
//   make_class LAB COUNT FOLDER

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "common/io/file_content.hpp"
#include "grader/check/mutants.hpp"
#include "grader/course/course.hpp"
#include "grader/release/solution_regions.hpp"

namespace {

namespace fs = std::filesystem;
using warplab::Lab;
using warplab::Mutant;
using warplab::Task;
using Files = std::map<std::string, std::string>;

/// What a hostile student writes above or below a right solution.
const std::vector<std::string>& hostile_lines() {
  static const std::vector<std::string> lines{
      "#include \"/etc/passwd\"\n",
      "#include \"tests/hidden/transpose.json\"\n",
      "__attribute__((constructor)) static void first() {}\n",
      "extern \"C\" void _exit(int); struct Early { Early() { _exit(0); } } early;\n",
      "asm(\".globl other\");\n",
      "extern \"C\" int fork(); int bomb() { while (true) fork(); } int exploded = bomb();\n",
      "template <int n> struct Deep { static constexpr int value = Deep<n - 1>::value + Deep<n - 2>::value; "
      "};\n"
      "constexpr int deep = Deep<2000000>::value;\n",
  };
  return lines;
}

class Class {
 public:
  Class(const Lab& lab, const fs::path& root) {
    for (const Task& task : lab.tasks) {
      if (originals_.emplace(task.file, warplab::file_content(lab.folder / task.file)).second)
        files_.push_back(task.file);
      file_of_[task.id] = task.file;
    }
    mutants_ = warplab::mutants_of(lab, root / "tests" / "hidden" / "mutants" / (lab.stem + ".json"));
  }

  Files student(unsigned number) {
    std::mt19937 random(number);
    const auto any = [&](std::size_t count) {
      return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
    };
    const std::string by = fmt::format("// Student {:03}\n", number);
    Files files;
    const std::size_t sort = any(100);
    if (sort < 2) return files;
    const std::size_t solved = sort < 6 ? 0 : sort < 40 ? any(files_.size()) : files_.size();
    for (std::size_t i = 0; i < files_.size(); ++i) {
      const std::string& file = files_[i];
      files[file] = i < solved ? warplab::with_solutions(originals_[file], file) + by
                               : warplab::without_solutions(originals_[file], file);
    }
    if (sort >= 74 && sort < 94)
      for (std::size_t mistakes = 1 + any(3); mistakes > 0; --mistakes) {
        const Mutant& mutant = mutants_[any(mutants_.size())];
        const std::string& file = file_of_[mutant.task];
        files[file] = warplab::with_mistake(originals_[file], file, mutant) + by;
      }
    if (sort >= 94) {
      std::string& text = files[files_[any(files_.size())]];
      text = hostile_lines()[any(hostile_lines().size())] + text;
    }
    return files;
  }

 private:
  std::vector<std::string> files_;
  Files originals_;
  std::map<std::string, std::string> file_of_;  ///< by task
  std::vector<Mutant> mutants_;
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 4) {
    std::fputs("Usage: make_class LAB COUNT FOLDER\n", stderr);
    return 2;
  }
  const fs::path root = WARPLAB_SOURCE_DIR, folder = argv[3];
  Class students(warplab::Course::read(root).only({argv[1]}).labs.front(), root);
  for (unsigned number = 1; number <= std::stoul(argv[2]); ++number) {
    const fs::path submission = folder / fmt::format("student_{:03}", number);
    fs::create_directories(submission);
    for (const auto& [name, text] : students.student(number)) std::ofstream(submission / name) << text;
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "make_class: %s\n", error.what());
  return 2;
}
