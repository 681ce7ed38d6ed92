// warplab: what students and instructors do with the labs' tasks.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <thread>

#include "common/bad_input.hpp"
#include "common/io/temporary_folder.hpp"
#include "grader/cli/command.hpp"
#include "grader/cli/completion.hpp"
#include "harness/command_line.hpp"
#include "report/command.hpp"

namespace {

using namespace warplab;

int run(int argc, char** argv) {
  CLI::App app("warplab: the tasks of the labs, from handing out to grading", "warplab");
  app.require_subcommand(1);
  std::function<int()> chosen;

  std::vector<std::string> labs;
  CLI::App* const list = app.add_subcommand("list", "List labs, their tasks and points");
  list->add_option("LAB", labs, "Only these labs");
  list->callback([&] { chosen = [&] { return command_list(labs); }; });

  CLI::App* const test =
      app.add_subcommand("test", "Judge your tasks as the grader will, except for hidden sizes");
  test->add_option("LAB[/TASK]", labs, "transpose, or transpose/tiled")->required();
  bool hints = false;
  test->add_flag("--hint", hints, "Show a hint where something is missing");
  test->callback([&] { chosen = [&] { return command_test(labs, hints); }; });

  std::string archive = "warplab-submission.tar.gz";
  CLI::App* const pack = app.add_subcommand("pack", "Write the archive to hand in");
  pack->add_option("LAB", labs, "Only these labs");
  pack->add_option("--out", archive, "The archive")->capture_default_str();
  pack->callback([&] { chosen = [&] { return command_pack(archive, labs); }; });

  std::string out;
  CLI::App* const release = app.add_subcommand("release", "Make the students' tree");
  release->add_option("--out", out, "A new folder, or one of an earlier release")->required();
  release->add_option("--labs", labs, "Only these labs")->delimiter(',');
  release->callback([&] { chosen = [&] { return command_release(out, labs); }; });

  GradeOptions grade;
  grade.jobs = std::max(1u, std::thread::hardware_concurrency());
  CLI::App* const grading = app.add_subcommand("grade", "Grade a folder of submissions");
  grading->add_option("SUBMISSIONS", grade.submissions, "A folder with one folder or archive per student")
      ->required();
  grading->add_option("--out", grade.out, "Folder for records, gradebook and pages")->required();
  grading->add_option("--labs", grade.labs, "Only these labs")->delimiter(',');
  grading->add_option("--jobs", grade.jobs, "Number of submissions graded at a time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  grading->add_option("--shard", grade.shard, "Only part I of N: 2/5; then `warplab collect`");
  grading->add_flag("--resume", grade.resume, "Continue the batch in --out");
  grading->add_option("--seed", grade.seed, "The secret that inputs are drawn from: 32 hexadecimal digits");
  grading
      ->add_option("--sandbox", grade.sandbox,
                   "auto, bubblewrap, confined, or none (submissions may do anything)")
      ->capture_default_str();
  grading->add_option("--clock", grade.clock,
                      "Also time what is right on this machine's GPU, for information: a build tree of the "
                      "preset cuda");
  grading->callback([&] { chosen = [&] { return command_grade(grade); }; });

  const CLI::IsMember visibilities({"visible", "after_due_date", "after_published", "hidden"});
  GradescopeCommand upload;
  CLI::App* const uploading =
      app.add_subcommand("gradescope", "Make an upload that grades on Gradescope, without a GPU");
  uploading->add_option("--labs", upload.labs, "Only these labs")->delimiter(',');
  uploading->add_option("--out", upload.out, "The zip")->capture_default_str();
  uploading->add_option("--minutes", upload.minutes, "Minutes that the assignment allows per submission")
      ->check(CLI::Range(1, 40))
      ->capture_default_str();
  uploading->add_option("--hidden-checks", upload.hidden_checks, "When students see the hidden checks")
      ->check(visibilities)
      ->capture_default_str();
  uploading->add_flag("--leaderboard", upload.leaderboard,
                      "Show everybody's points on Gradescope's leaderboard");
  uploading->add_option("--seed", upload.seed,
                        "The secret that inputs are drawn from: 32 hexadecimal digits");
  uploading->callback([&] { chosen = [&] { return command_gradescope(upload); }; });

  AutogradeCommand autograde;
  CLI::App* const autograding = app.add_subcommand(
      "autograde", "Grade one submission into Gradescope's results.json: what an upload runs");
  autograding->add_option("SUBMISSION", autograde.submission, "A folder or an archive")->required();
  autograding->add_option("--out", autograde.out, "results.json")->required();
  autograding->add_option("--seed-file", autograde.seed_file, "File that holds the secret")->required();
  autograding->add_option("--metadata", autograde.metadata, "Gradescope's submission_metadata.json");
  autograding->add_option("--hidden-checks", autograde.hidden_checks, "When students see the hidden checks")
      ->check(visibilities)
      ->capture_default_str();
  autograding->add_flag("--leaderboard", autograde.leaderboard,
                        "Show everybody's points on Gradescope's leaderboard");
  autograding->add_option("--sandbox", autograde.sandbox, "auto, bubblewrap, confined or none")
      ->capture_default_str();
  autograding->callback([&] { chosen = [&] { return command_autograde(autograde); }; });

  CheckCommand check;
  check.jobs = grade.jobs;
  CLI::App* const checking =
      app.add_subcommand("check", "Prove the exercises sound: stubs, solutions, leaks, mutants");
  checking->add_option("--labs", check.labs, "Only these labs")->delimiter(',');
  checking->add_flag("--mutants", check.mutants, "Also judge mutants of the solutions");
  checking->add_option("--jobs", check.jobs, "Number of files judged at a time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  checking->callback([&] { chosen = [&] { return command_check(check); }; });

  CLI::App* const collecting =
      app.add_subcommand("collect", "Make the gradebook and pages from a batch's records");
  collecting->add_option("SUBMISSIONS", grade.submissions, "The folder that was graded")->required();
  collecting->add_option("--out", grade.out, "The batch's folder")->required();
  collecting->callback([&] { chosen = [&] { return command_collect(grade.out, grade.submissions); }; });

  app.add_subcommand("doctor", "Show what this machine lacks, and the commands that fix it")->callback([&] {
    chosen = [] { return command_doctor(); };
  });

  NewLabCommand lab;
  CLI::App* const beginning =
      app.add_subcommand("new-lab", "Make a small working lab, as the start of a new one");
  beginning->add_option("NAME", lab.name, "Name of the lab, such as prefix_sum")->required();
  beginning->add_option("--number", lab.number, "Its folder's, 1 to 99; default: the next")
      ->check(CLI::Range(1, 99));
  beginning->add_option("--title", lab.title, "Its title; default: the name in words");
  beginning->callback([&] { chosen = [&] { return command_new_lab(lab); }; });

  std::string shell;
  CLI::App* const completing = app.add_subcommand(
      "completion", "Print what completes this command line: source <(warplab completion bash)");
  completing->add_option("SHELL", shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  completing->callback([&] { chosen = [&] { return command_completion(app, shell); }; });

  LimitsOptions limits;
  CLI::App* const measure = app.add_subcommand("limits", "Show each rung's counts, for limits in tasks.json");
  measure->add_option("LAB", limits.lab, "The lab")->required();
  measure->add_option("--rung", limits.rungs, "Only these rungs")->delimiter(',');
  measure->add_option("--size", limits.size, "A size other than the lab's default: 512x256")->delimiter('x');
  measure->add_option("--param", limits.params, "A parameter of the case: side=9");
  measure->callback([&] { chosen = [&] { return command_limits(limits); }; });

  report::ReportOptions page;
  CLI::App* const reporting = app.add_subcommand("report", "Write a page on a run, or compare several runs");
  reporting
      ->add_option("RUN", page.runs,
                   "Folders that run_all.sh wrote: one, or several to compare with the first")
      ->required();
  reporting->add_option("--out", page.out, "The page, an HTML file")->required();
  reporting->add_flag("--published", page.published,
                      "Show the published tables beside these runs, which replayed them");
  reporting->callback([&] {
    chosen = [&] {
      std::printf("%s\n", report::write_report(page).c_str());
      return exit_ok;
    };
  });

  try {
    parse_command_line(app, argc, argv);
  } catch (const CLI::ParseError& help) {
    return app.exit(help), exit_ok;
  }
  end_tidily("  warplab ");

  return chosen();
}

}  // namespace

int main(int argc, char** argv) {
  const auto fail = [](const char* what, int code) {
    std::fflush(stdout);
    std::fprintf(stderr, "warplab: %s\n", what);
    return code;
  };
  try {
    return run(argc, argv);
  } catch (const BadInput& error) {
    return fail(error.what(), exit_bad_input);
  } catch (const NotAvailable& error) {
    return fail(error.what(), exit_not_available);
  } catch (const std::exception& error) {
    return fail(error.what(), exit_fault);
  }
}
