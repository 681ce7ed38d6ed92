#include "grader/intake/pack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "grader/answers/written_part.hpp"
#include "grader/intake/archive.hpp"
#include "grader/intake/folder.hpp"
#include "grader/intake/submission_reader.hpp"
#include "grader/predict/sealed_answers.hpp"
#include "grader/text/report_text.hpp"
#include "grader/text/tokens.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

std::string listed(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string packable(const fs::path& file) try {
  return read_regular_file(file, IntakeLimits{}.file_bytes);
} catch (const BadInput& problem) {
  throw BadInput(fmt::format("cannot pack {}: {}", file.string(), problem.what()));
}

std::string place_of(const Lab& lab, const std::string& file) {
  return "labs/" + lab.folder.filename().string() + "/" + file;
}

/// Adds the files of a lab's tasks.
void pack_tasks(const Lab& lab, Packed& packed, std::map<std::string, std::string>& contents) {
  for (const Task& task : lab.tasks) {
    const fs::path file = lab.folder / task.file;
    std::error_code error;
    if (!fs::exists(fs::symlink_status(file, error))) {
      packed.missing.push_back(task.name());
      continue;
    }
    for (const std::string& name : task.files())
      if (name == task.file || fs::exists(lab.folder / name))
        contents[place_of(lab, name)] = packable(lab.folder / name);
    (is_to_do(contents[place_of(lab, task.file)]) ? packed.to_do : packed.done).push_back(task.name());
  }
}

/// Adds a lab's answers.md if a question is answered there.
void pack_answers(const Lab& lab, Packed& packed, std::map<std::string, std::string>& contents) {
  const std::vector<WrittenQuestion> questions = written_questions(lab);
  if (questions.empty()) return;
  std::string content = packable(lab.folder / answers_file);
  const std::map<int, std::string> answers = answers_in(content);
  PackedAnswers& written = packed.answers.emplace_back(PackedAnswers{lab.stem, 0, questions.size(), {}});
  for (const WrittenQuestion& question : questions) {
    const auto answer = answers.find(question.number);
    if (answer == answers.end()) continue;
    ++written.answered;
    const std::size_t words = words_in(answer->second);
    if (question.max_words > 0 && words > question.max_words)
      written.too_long.push_back(fmt::format("{} has {} words of at most {}", part_name(question.number),
                                             words, question.max_words));
  }
  if (written.answered > 0) contents[place_of(lab, answers_file)] = std::move(content);
}

/// Adds the log of tests that a student keeps of a lab.
void pack_log(const Lab& lab, Packed& packed, std::map<std::string, std::string>& contents) {
  if (!fs::exists(lab.folder / test_log_file)) return;
  contents[place_of(lab, test_log_file)] = packable(lab.folder / test_log_file);
  packed.logs.push_back(lab.stem);
}

/// Adds what a student has sealed about a lab.
void pack_sealed(const Course& course, const Lab& lab, Packed& packed,
                 std::map<std::string, std::string>& contents) {
  for (const SealedKind kind : {SealedKind::predictions, SealedKind::hunt}) {
    const fs::path file = sealed_file(kind, lab.stem);
    if (!fs::exists(course.root / file)) continue;
    contents[file.generic_string()] = packable(course.root / file);
    packed.sealed.push_back(file.generic_string());
  }
}

std::string text_of(const PackedAnswers& answers) {
  std::string text = fmt::format("  answers: {}, {} of {}\n", answers.lab, answers.answered,
                                 counted(answers.questions, "question"));
  for (const std::string& sentence : answers.too_long) text += fmt::format("    {}; shorten it\n", sentence);
  return text;
}

/// Labs of which a task is done and no question is answered.
std::vector<std::string> labs_without_answers(const Packed& packed) {
  std::vector<std::string> labs;
  for (const PackedAnswers& answers : packed.answers)
    if (answers.answered == 0 && std::ranges::any_of(packed.done, [&](const std::string& task) {
          return task.starts_with(answers.lab + "/");
        }))
      labs.push_back(answers.lab);
  return labs;
}

}  // namespace

bool is_to_do(std::string_view source) {
  const std::vector<Token> tokens = tokens_of(source);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
    if (tokens[i].text == "todo" && tokens[i + 1].text == "(") return true;
  return false;
}

Packed pack(const Course& course, const fs::path& archive) {
  Packed packed;
  packed.archive = archive;
  std::map<std::string, std::string> contents;  // by place, so in a fixed order
  for (const Lab& lab : course.labs) {
    pack_tasks(lab, packed, contents);
    pack_answers(lab, packed, contents);
    pack_log(lab, packed, contents);
    pack_sealed(course, lab, packed, contents);
  }
  const bool is_answered =
      std::ranges::any_of(packed.answers, [](const PackedAnswers& one) { return one.answered > 0; });
  if (packed.done.empty() && packed.sealed.empty() && !is_answered)
    throw BadInput("there is nothing to hand in: no task has been done" +
                   (packed.to_do.empty() ? std::string()
                                         : "; begin with " + packed.to_do.front() +
                                               ", and delete its call of todo() when it is written"));
  for (const auto& [name, content] : contents) packed.files.emplace_back(name, content.size());
  write_file_atomically(archive, archive_of(contents));
  return packed;
}

std::string text_of(const Packed& packed) {
  std::string text;
  text += fmt::format("{}: {}, {} done\n", packed.archive.string(), counted(packed.files.size(), "file"),
                      counted(packed.done.size(), "task"));
  for (const std::string& task : packed.done) text += fmt::format("  done: {}\n", task);
  for (const PackedAnswers& answers : packed.answers)
    if (answers.answered > 0) text += text_of(answers);
  if (const std::vector<std::string> labs = labs_without_answers(packed); !labs.empty())
    text += fmt::format("no question is answered in answers.md of {}\n", listed(labs));
  for (const std::string& file : packed.sealed) text += fmt::format("  sealed: {}\n", file);
  if (!packed.logs.empty())
    text += fmt::format("with your log of tests ({}) of {}; delete it to hand in without\n", test_log_file,
                        listed(packed.logs));
  constexpr std::size_t few = 6;
  if (packed.to_do.size() > few)
    text += fmt::format("still to do, and without points: {} more tasks, such as {}\n", packed.to_do.size(),
                        packed.to_do.front());
  else if (!packed.to_do.empty())
    text += fmt::format("still to do, and without points: {}\n", listed(packed.to_do));
  if (!packed.missing.empty()) text += fmt::format("not found: {}\n", listed(packed.missing));
  return text;
}

}  // namespace warplab
