#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "common/host/bad_input.hpp"
#include "grader/build/sandboxed_builder.hpp"
#include "grader/cli/command.hpp"
#include "grader/cli/grading_place.hpp"
#include "grader/cli/hand_in.hpp"
#include "grader/cli/tree.hpp"
#include "grader/hunt/hunt_marks.hpp"
#include "grader/hunt/pack.hpp"
#include "grader/predict/marks.hpp"
#include "grader/predict/questions.hpp"
#include "grader/text/printable.hpp"
#include "grader/text/report_text.hpp"
#include "harness/rung/backend.hpp"
#include "harness/rung/rung.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

fs::path hunt_folder(const std::string& lab) { return tree_root() / "hunts" / lab; }

std::vector<PlantedMistake> planted_for(const Lab& lab, const std::string& name) {
  return planted_mistakes(lab, mutants_of(lab, hidden_folder() / "mutants" / (lab.stem + ".json")), name);
}

/// Packs for a class: one name per line.
int make(const HuntCommand& command, const Lab& lab) {
  if (command.out.empty()) throw BadInput("--make takes --out, the folder for the packs");
  std::ifstream in(command.make);
  if (!in) throw BadInput("cannot read " + command.make);
  std::map<std::string, std::string> names;  // by their plain form
  for (std::string name; std::getline(in, name);) {
    if (plain_name(name).empty()) continue;
    if (!names.emplace(plain_name(name), name).second)
      throw BadInput(fmt::format("{} has the name '{}' twice; add a login to tell them apart", command.make,
                                 plain_name(name)));
  }
  if (names.empty()) throw BadInput(command.make + " has no names");
  std::size_t packs = 0;
  for (const auto& [plain, name] : names) {
    const fs::path folder = fs::path(command.out) / printable_name(plain) / "hunts" / lab.stem;
    if (fs::exists(folder / "hunt.json")) continue;  // of an earlier run: the same mistakes
    write_pack(folder, lab.stem, name, planted_for(lab, name));
    ++packs;
  }
  fmt::print(
      "{} in {}. Each holds solutions: hand them out after the deadline of {}.\n"
      "A student copies hunts/ into the tree and runs: build/emulator/bin/warplab hunt {}\n",
      counted(packs, "pack"), command.out, lab.stem, lab.stem);
  return exit_ok;
}

GivenAnswer asked_about(const PackedMistake& mistake, std::size_t number) {
  const std::string file =
      fmt::format("hunts/{}/{}", mistake.folder.parent_path().filename().string(), number) + "/" +
      mistake.file;
  fmt::print("\n{}. {}\n", number, file);
  GivenAnswer given{std::to_string(number), file, "", ""};
  GivenFind find;
  while (find.line == 0) {
    const std::string line = plain_name(line_after("   line > ")),
                      kind = plain_name(line_after("   kind > "));
    find = find_of(line + " " + kind);
    if (find.line == 0) fmt::print("   answer with a line, such as 28, and with one of the kinds\n");
  }
  given.answer = text_of(find);
  while (!is_reason(given.reason))
    given.reason = line_after(fmt::format("   remedy? ({} words or more) > ", min_words_of_a_reason));
  return given;
}

const Task& task_of(const Lab& lab, const PackedMistake& mistake) {
  const auto task = std::ranges::find(lab.tasks, mistake.task, &Task::id);
  if (task == lab.tasks.end())
    throw BadInput(fmt::format("the hunt is about {}/{}, which this tree has not", lab.stem, mistake.task));
  return *task;
}

/// What the lens says, once the answers are sealed.
void show_symptoms(const Course& course, const Lab& lab, const HuntPack& pack) {
  const Judge judge(Secret::fresh(), {});
  SandboxedBuilder builder(course, {SandboxLevel::none}, 0, std::make_shared<PrecompiledHeaders>());
  for (const PackedMistake& mistake : pack.mistakes) {
    const Task& task = task_of(lab, mistake);
    const Symptoms symptoms = symptoms_of(task, texts_of(mistake, task), judge, builder);
    fmt::print("\n{}, {}: {}\n", mistake.folder.filename().string(), mistake.file, shown_text(symptoms.text));
  }
}

int ask(const HuntCommand& command, const Course& course, const Lab& lab) {
  const fs::path folder = hunt_folder(lab.stem),
                 found = tree_root() / sealed_file(SealedKind::hunt, lab.stem);
  if (!fs::exists(folder))
    throw BadInput(fmt::format(
        "there is no hunts/{}: your instructor hands it out after the lab's deadline{}", lab.stem,
        fs::exists(tree_root() / "tests/hidden") ? " (instructors make it with --make and --out)" : ""));
  const HuntPack pack = read_pack(folder);
  if (pack.lab != lab.stem) throw BadInput(fmt::format("hunts/{} is a hunt in {}", lab.stem, pack.lab));
  if (fs::exists(found)) {
    fmt::print("{} hunted in {} already; the seal is {}\n", pack.name, lab.stem,
               read_sealed(found, SealedKind::hunt).seal());
    show_symptoms(course, lab, pack);
    return exit_ok;
  }
  fmt::print(
      "{}: {} files in hunts/{}, each with one mistake. Read them before you answer, and run nothing.\n"
      "A kind is one of: {}.\n",
      pack.name, pack.mistakes.size(), lab.stem, fmt::join(symptom_kinds(), ", "));
  if (!command.name.empty() && plain_name(command.name) != plain_name(pack.name))
    throw BadInput(fmt::format("this hunt is for {}", pack.name));
  SealedAnswers sealed{lab.stem, pack.name, {}, SealedKind::hunt};
  for (const PackedMistake& mistake : pack.mistakes)
    sealed.answers.push_back(asked_about(mistake, sealed.answers.size() + 1));
  write_sealed(found, sealed);
  fmt::print("\nsealed in hunts/{}/found.json; hand this seal in now: {}\nThis is what the judge finds:\n",
             lab.stem, sealed.seal());
  show_symptoms(course, lab, pack);
  return exit_ok;
}

/// Marks hunts. Each planted mistake is judged once, whoever got it.
class HuntGrading {
 public:
  explicit HuntGrading(const HuntCommand& command)
      : judge_(Secret("00000000000000000000000000000000"), hidden_folder()),
        builder_(course_, {level_to_grade_at(command.sandbox)}, 0, std::make_shared<PrecompiledHeaders>()) {}

  SealedWorth worth_of(const SealedAnswers& given) {
    const Lab* const lab = course_.find(given.lab);
    if (!lab) return {"", 0, 0, "there is no such lab"};
    const HuntMarks marks = hunt_marks(
        given, [&] { return planted_for(*lab, given.name); },
        [&](const PlantedMistake& mistake) { return known(mistake); });
    return {lab->stem, marks.points, hunt_points, fmt::format("{}", fmt::join(marks.remarks, "; "))};
  }

 private:
  Symptoms known(const PlantedMistake& mistake) {
    const auto [place, is_new] = known_.try_emplace(mistake.task->name() + " " + mistake.name);
    if (is_new) place->second = symptoms_of(*mistake.task, mistake.files, judge_, builder_);
    return place->second;
  }

  Course course_ = course_here();
  Judge judge_;
  SandboxedBuilder builder_;
  std::map<std::string, Symptoms> known_;
};

int grade_hunts(const HuntCommand& command) {
  HuntGrading grading(command);
  mark_sealed(
      command.of_class, SealedKind::hunt, [&](const SealedAnswers& given) { return grading.worth_of(given); },
      command.out);
  return exit_ok;
}

}  // namespace

int command_hunt(const HuntCommand& command) {
  if (backend == Backend::cuda)
    throw NotAvailable("mistakes are judged with the lens: build the preset emulator for it");
  if (!command.of_class.grade.empty()) return grade_hunts(command);
  if (command.lab.empty()) throw BadInput("hunt takes a lab, or --grade and a folder");
  const Course course = course_here();
  const Lab lab = course.only({command.lab}).labs.at(0);
  return command.make.empty() ? ask(command, course, lab) : make(command, lab);
}

}  // namespace warplab
