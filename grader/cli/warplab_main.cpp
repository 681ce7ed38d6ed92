// warplab: what students and instructors do with the labs' tasks.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "common/host/bad_input.hpp"
#include "common/io/temporary_folder.hpp"
#include "grader/build/graded_device.hpp"
#include "grader/cli/command.hpp"
#include "grader/cli/completion.hpp"
#include "harness/console/command_line.hpp"
#include "harness/console/report_errors.hpp"
#include "report/command.hpp"

namespace {

using namespace warplab;

/// What the command that was given does.
using Action = std::function<int()>;

// Everybody on a machine can read the arguments of its programs, so a secret is not one.
constexpr const char* seed_file_text =
    "A file with the secret that inputs are drawn from: 32 hexadecimal digits";

// Each function declares one command. Its options live as long as its action.

void add_list(CLI::App& app, Action& chosen) {
  const auto labs = std::make_shared<std::vector<std::string>>();
  CLI::App* const command = app.add_subcommand("list", "List labs, their tasks and points");
  command->add_option("LAB", *labs, "Only these labs");
  command->callback([=, &chosen] { chosen = [=] { return command_list(*labs); }; });
}

void add_test(CLI::App& app, Action& chosen) {
  const auto tasks = std::make_shared<std::vector<std::string>>();
  const auto hints = std::make_shared<bool>(false), log = std::make_shared<bool>(false);
  CLI::App* const command =
      app.add_subcommand("test", "Judge your tasks as the grader will, except for hidden sizes");
  command->add_option("LAB[/TASK]", *tasks, "transpose, or transpose/tiled")->required();
  command->add_flag("--hint", *hints, "Show a hint where something is missing");
  command->add_flag("--log", *log, "Note time and points in the lab's test_log.csv, which `pack` hands in");
  command->callback([=, &chosen] { chosen = [=] { return command_test(*tasks, *hints, *log); }; });
}

/// Options that `predict` and `hunt` share.
void add_sealed_options(CLI::App& command, SealedFlags& flags, const char* grade) {
  command.add_option("--grade", flags.grade, grade);
  command.add_option("--seals", flags.seals, "A CSV of the seals handed in: name,lab,seal; the first counts");
  command.add_option("--roster", flags.roster, "The class, a CSV: whose each submission is");
  command.add_option("--written", flags.written, "Also write rows for the class's written.csv here");
}

void add_predict(CLI::App& app, Action& chosen) {
  const auto predict = std::make_shared<PredictCommand>();
  CLI::App* const command =
      app.add_subcommand("predict", "Predict counts before you run a lab; then its ladder opens");
  command->add_option("LAB", predict->lab, "The lab");
  command->add_option("--name", predict->name, "Your name, as the course knows you");
  add_sealed_options(*command, predict->of_class, "Instructors: mark the predictions in these submissions");
  command->add_option("--out", predict->out, "The table of marks, instead of printing it");
  command->callback([=, &chosen] { chosen = [=] { return command_predict(*predict); }; });
}

void add_pack(CLI::App& app, Action& chosen) {
  const auto labs = std::make_shared<std::vector<std::string>>();
  const auto archive = std::make_shared<std::string>("warplab-submission.tar.gz");
  CLI::App* const command = app.add_subcommand("pack", "Write the archive to hand in");
  command->add_option("LAB", *labs, "Only these labs");
  command->add_option("--out", *archive, "The archive")->capture_default_str();
  command->callback([=, &chosen] { chosen = [=] { return command_pack(*archive, *labs); }; });
}

void add_release(CLI::App& app, Action& chosen) {
  const auto labs = std::make_shared<std::vector<std::string>>();
  const auto out = std::make_shared<std::string>();
  const auto github = std::make_shared<std::string>();
  CLI::App* const command = app.add_subcommand("release", "Make the students' tree");
  command->add_option("--out", *out, "A new folder, or one of an earlier release")->required();
  command->add_option("--labs", *labs, "Only these labs")->delimiter(',');
  const CLI::Option* const for_github =
      command
          ->add_option(
              "--github", *github,
              "With a workflow that judges each push on GitHub; with OWNER/REPOSITORY a badge for its "
              "Codespaces too")
          ->expected(0, 1);
  command->callback([=, &chosen] {
    const auto template_of = for_github->count() ? std::optional(*github) : std::nullopt;
    chosen = [=] { return command_release(*out, *labs, template_of); };
  });
}

/// Options that `grade` and `collect` share.
void add_class_options(CLI::App& command, ClassFlags& flags) {
  command.add_option("--roster", flags.roster,
                     "The class, a CSV; term.json and other tables of the class lie beside it");
  command.add_option("--earlier", flags.earlier, "Earlier batches of the term, for late days and totals")
      ->delimiter(',');
  command
      .add_option("--export", flags.platforms,
                  "Also write what these platforms import: canvas, moodle, blackboard, gradescope")
      ->delimiter(',');
}

/// --jobs; without it, as many as this machine has cores.
void add_jobs(CLI::App& command, unsigned& jobs, const char* description) {
  jobs = std::max(1u, std::thread::hardware_concurrency());
  command.add_option("--jobs", jobs, description)
      ->check(whole_number("--jobs", 1, 1024))
      ->capture_default_str();
}

/// Options that `fetch` and `grade` share. @return --from-git
CLI::Option* add_clone_options(CLI::App& command, CloneFlags& flags) {
  command.add_option("--before", flags.before,
                     "With --from-git: the last commit until then, 2027-03-01 23:59");
  return command.add_option("--from-git", flags.from_git,
                            "First make SUBMISSIONS of repositories: a folder with clones, or ORG/PREFIX");
}

void add_fetch(CLI::App& app, Action& chosen) {
  const auto fetch = std::make_shared<FetchCommand>();
  CLI::App* const command =
      app.add_subcommand("fetch", "Make a folder of submissions of repositories, and grade nothing");
  command->add_option("SUBMISSIONS", fetch->submissions, "The folder, made if it is not there")->required();
  add_clone_options(*command, fetch->clones)->required();
  command->add_option("--roster", fetch->roster, "The class, a CSV: whose repositories are fetched");
  command->callback([=, &chosen] { chosen = [=] { return command_fetch(*fetch); }; });
}

void add_grade(CLI::App& app, Action& chosen) {
  const auto grade = std::make_shared<GradeOptions>();
  CLI::App* const command = app.add_subcommand("grade", "Grade a folder of submissions");
  command->add_option("SUBMISSIONS", grade->submissions, "A folder with one folder or archive per student")
      ->required();
  command->add_option("--out", grade->out, "Folder for records, gradebook and pages")->required();
  command->add_option("--labs", grade->labs, "Only these labs")->delimiter(',');
  add_jobs(*command, grade->jobs, "Number of submissions graded at a time");
  command->add_option("--shard", grade->shard, "Only part I of N: 2/5; then `warplab collect`");
  command->add_flag("--resume", grade->resume, "Continue the batch in --out");
  command->add_option("--seed-file", grade->seed_file, seed_file_text);
  command
      ->add_option("--sandbox", grade->sandbox,
                   "auto, bubblewrap, confined, or none (submissions may do anything)")
      ->capture_default_str();
  command->add_option("--clock", grade->clock,
                      "Also time what is right on this machine's GPU, for information: a build tree of the "
                      "preset cuda");
  add_class_options(*command, grade->of_class);
  add_clone_options(*command, grade->clones);
  command->callback([=, &chosen] { chosen = [=] { return command_grade(*grade); }; });
}

/// Options that `gradescope` and `autograde` share.
template <class Options>
void add_gradescope_options(CLI::App& command, Options& options) {
  command
      .add_option("--hidden-checks", options.hidden_checks,
                  "When students see the hidden checks: visible, after_due_date, after_published or hidden")
      ->check(one_of("--hidden-checks", {"visible", "after_due_date", "after_published", "hidden"}))
      ->capture_default_str();
  command.add_flag("--leaderboard", options.leaderboard,
                   "Show everybody's points on Gradescope's leaderboard");
}

void add_gradescope(CLI::App& app, Action& chosen) {
  const auto upload = std::make_shared<GradescopeCommand>();
  CLI::App* const command =
      app.add_subcommand("gradescope", "Make an upload that grades on Gradescope, without a GPU");
  command->add_option("--labs", upload->labs, "Only these labs")->delimiter(',');
  command->add_option("--out", upload->out, "The zip")->capture_default_str();
  command
      ->add_option("--minutes", upload->minutes, "Minutes that the assignment allows per submission: 1 to 40")
      ->check(whole_number("--minutes", 1, 40))
      ->capture_default_str();
  add_gradescope_options(*command, *upload);
  command->add_option("--seed-file", upload->seed_file, seed_file_text);
  command->callback([=, &chosen] { chosen = [=] { return command_gradescope(*upload); }; });
}

void add_autograde(CLI::App& app, Action& chosen) {
  const auto autograde = std::make_shared<AutogradeCommand>();
  CLI::App* const command = app.add_subcommand(
      "autograde", "Grade one submission into Gradescope's results.json: what an upload runs");
  command->add_option("SUBMISSION", autograde->submission, "A folder or an archive")->required();
  command->add_option("--out", autograde->out, "results.json")->required();
  command->add_option("--seed-file", autograde->seed_file, seed_file_text)->required();
  command->add_option("--metadata", autograde->metadata, "Gradescope's submission_metadata.json");
  add_gradescope_options(*command, *autograde);
  command->add_option("--sandbox", autograde->sandbox, "auto, bubblewrap, confined or none")
      ->capture_default_str();
  command->callback([=, &chosen] { chosen = [=] { return command_autograde(*autograde); }; });
}

void add_data(CLI::App& app, Action& chosen) {
  const auto data = std::make_shared<DataCommand>();
  CLI::App* const command =
      app.add_subcommand("data", "Show what GPUs measured: rungs, sizes, types, block shapes");
  command->add_option("LAB", data->lab, "The lab; without it, what there is");
  command->add_option("--rung", data->filter.rungs, "Only these rungs")->delimiter(',');
  command->add_option("--size", data->filter.sizes, "Only these sizes: 16384x16384")->delimiter(',');
  command->add_option("--dtype", data->filter.dtypes, "Only these element types")->delimiter(',');
  command->add_option("--device", data->filter.device, "Only this device: a part of its name, such as h200");
  command->add_option("--where", data->filter.where, "Only with this parameter: block=256")->delimiter(',');
  command->add_option("--sort", data->filter.sort, "The best first: by time, rate or fraction")
      ->check(one_of("--sort", {"time", "rate", "fraction"}));
  command->add_flag("--csv", data->csv, "Print all columns, for a spreadsheet");
  command->add_option("--plot", data->plot, "Write a page with a chart: FILE.html");
  command->callback([=, &chosen] { chosen = [=] { return command_data(*data); }; });
}

void add_hunt(CLI::App& app, Action& chosen) {
  const auto hunt = std::make_shared<HuntCommand>();
  CLI::App* const command =
      app.add_subcommand("hunt", "Find five planted mistakes; then see what the lens says of them");
  command->add_option("LAB", hunt->lab, "The lab");
  command->add_option("--name", hunt->name, "Your name, to be sure that the hunt is yours");
  command->add_option("--make", hunt->make, "Instructors: make packs for the names in this file");
  add_sealed_options(*command, hunt->of_class, "Instructors: mark the finds in these submissions");
  command->add_option("--out", hunt->out, "The packs' folder; or the table of marks");
  command->add_option("--sandbox", hunt->sandbox, "auto, bubblewrap, confined or none")
      ->capture_default_str();
  command->callback([=, &chosen] { chosen = [=] { return command_hunt(*hunt); }; });
}

void add_viva(CLI::App& app, Action& chosen) {
  const auto viva = std::make_shared<VivaCommand>();
  CLI::App* const command =
      app.add_subcommand("viva", "Ask five questions about a submission's own code, with answers");
  command->add_option("SUBMISSION", viva->submission, "A folder or an archive of one student")->required();
  command->add_option("--labs", viva->labs, "Only these labs")->delimiter(',');
  command->add_option("--turn", viva->turn, "Draw other questions: 2 for a second examination")
      ->check(whole_number("--turn", 1, 1000))
      ->capture_default_str();
  command->add_option("--seed-file", viva->seed_file,
                      "32 hexadecimal digits of your own, so that students cannot practise the same viva");
  command->add_option("--out", viva->out, "A page, .html or .md, instead of printing it");
  command->add_option("--sandbox", viva->sandbox, "auto, bubblewrap, confined or none")
      ->capture_default_str();
  command->callback([=, &chosen] { chosen = [=] { return command_viva(*viva); }; });
}

void add_check(CLI::App& app, Action& chosen) {
  const auto check = std::make_shared<CheckCommand>();
  CLI::App* const command =
      app.add_subcommand("check", "Prove the exercises sound: stubs, solutions, leaks, mutants");
  command->add_option("--labs", check->labs, "Only these labs")->delimiter(',');
  command->add_flag("--mutants", check->mutants, "Also judge mutants of the solutions");
  command->add_flag("--pasted", check->pasted, "Also judge each solution under the name of each later task");
  add_jobs(*command, check->jobs, "Number of files judged at a time");
  command->callback([=, &chosen] { chosen = [=] { return command_check(*check); }; });
}

void add_collect(CLI::App& app, Action& chosen) {
  const auto submissions = std::make_shared<std::string>(), out = std::make_shared<std::string>();
  const auto of_class = std::make_shared<ClassFlags>();
  CLI::App* const command =
      app.add_subcommand("collect", "Make the gradebook and pages from a batch's records");
  command->add_option("SUBMISSIONS", *submissions, "The folder that was graded")->required();
  command->add_option("--out", *out, "The batch's folder")->required();
  add_class_options(*command, *of_class);
  command->callback(
      [=, &chosen] { chosen = [=] { return command_collect(*out, *submissions, *of_class); }; });
}

void add_leaderboard(CLI::App& app, Action& chosen) {
  const auto board = std::make_shared<LeaderboardCommand>();
  CLI::App* const command =
      app.add_subcommand("leaderboard", "Rank a task's right submissions by what the lens counted");
  command->add_option("TASK", board->task, "The task: transpose/vectorized")->required();
  command->add_option("--batch", board->batch, "The folder of a graded batch")->required();
  command->add_option("--out", board->out, "The page, .html or .md")->required();
  command->add_option("--pseudonyms", board->pseudonyms,
                      "Show pseudonyms, and write whose they are into this table (.csv)");
  command->add_option("--roster", board->roster,
                      "The class: a row per student, with the submission that counts");
  command->callback([=, &chosen] { chosen = [=] { return command_leaderboard(*board); }; });
}

void add_doctor(CLI::App& app, Action& chosen) {
  app.add_subcommand("doctor", "Show what this machine lacks, and the commands that fix it")
      ->callback([&chosen] { chosen = command_doctor; });
}

void add_new_lab(CLI::App& app, Action& chosen) {
  const auto lab = std::make_shared<NewLabCommand>();
  CLI::App* const command =
      app.add_subcommand("new-lab", "Make a small working lab, as the start of a new one");
  command->add_option("NAME", lab->name, "Name of the lab, such as prefix_sum")->required();
  command->add_option("--number", lab->number, "Its folder's, 1 to 99; default: the next")
      ->check(whole_number("--number", 1, 99));
  command->add_option("--title", lab->title, "Its title; default: the name in words");
  command->callback([=, &chosen] { chosen = [=] { return command_new_lab(*lab); }; });
}

void add_new_term(CLI::App& app, Action& chosen) {
  const auto term = std::make_shared<NewTermCommand>();
  CLI::App* const command =
      app.add_subcommand("new-term", "Make the next term's class files, and archive this one's");
  command->add_option("OUT", term->out, "A new folder")->required();
  command->add_option("--roster", term->roster, "The class of the term that has ended")->required();
  command->add_option("--weeks", term->weeks, "By so many weeks all deadlines move")
      ->required()
      ->check(whole_number("--weeks", 1, 520));
  command->add_option("--name", term->name, "The new term's name");
  command->add_option("--batches", term->batches, "The term's batches, for the archive and its mistakes")
      ->delimiter(',');
  command
      ->add_option("--submissions", term->submissions,
                   "Folders of submissions, for the times that students logged per task")
      ->delimiter(',');
  command->callback([=, &chosen] { chosen = [=] { return command_new_term(*term); }; });
}

void add_variant(CLI::App& app, Action& chosen) {
  const auto variant = std::make_shared<VariantCommand>();
  CLI::App* const command =
      app.add_subcommand("variant", "Make a course tree whose labs differ from the published ones");
  command->add_option("--lab,--labs", variant->labs, "Only these labs; default: all that can differ")
      ->delimiter(',');
  command->add_option("--secret", variant->secret,
                      "A file with 32 hexadecimal digits that choose, such as the seed of new-term");
  command->add_option("--choose", variant->fixed, "Choices that are not drawn: transpose/direction=left")
      ->delimiter(',');
  command->add_option("--overlay", variant->overlay,
                      "A folder with files of your own that go over the tree's: private");
  command->add_option("--out", variant->out, "A new folder for the tree; without it choices are only shown");
  command->callback([=, &chosen] { chosen = [=] { return command_variant(*variant); }; });
}

void add_similar(CLI::App& app, Action& chosen) {
  const auto similar = std::make_shared<SimilarCommand>();
  CLI::App* const command =
      app.add_subcommand("similar", "List files that are nearly the same as another student's");
  command->add_option("SUBMISSIONS", similar->submissions, "A folder with one entry per student")->required();
  command->add_option("--labs", similar->labs, "Only these labs")->delimiter(',');
  command->add_option(
      "--against", similar->against,
      "Compare also with these: submissions of an earlier term, or a course tree's solutions");
  command->add_option("--percent", similar->percent, "Show files from this share on")
      ->check(whole_number("--percent", 1, 100))
      ->capture_default_str();
  command->add_option("--export", similar->out, "A new folder with the files, for JPlag or MOSS");
  command->callback([=, &chosen] { chosen = [=] { return command_similar(*similar); }; });
}

void add_completion(CLI::App& app, Action& chosen) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* const command = app.add_subcommand(
      "completion", "Print what completes this command line: source <(warplab completion bash)");
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(one_of("SHELL", {"bash", "zsh", "fish"}));
  command->callback([=, &app, &chosen] { chosen = [=, &app] { return command_completion(app, *shell); }; });
}

void add_limits(CLI::App& app, Action& chosen) {
  const auto limits = std::make_shared<LimitsOptions>();
  CLI::App* const command = app.add_subcommand("limits", "Show each rung's counts, for limits in tasks.json");
  command->add_option("LAB", limits->lab, "The lab")->required();
  command->add_option("--rung", limits->rungs, "Only these rungs")->delimiter(',');
  command->add_option("--size", limits->size, "A size other than the lab's default: 512x256")->delimiter('x');
  command->add_option("--param", limits->params, "A parameter of the case: side=9");
  command->callback([=, &chosen] { chosen = [=] { return command_limits(*limits); }; });
}

void add_report(CLI::App& app, Action& chosen) {
  const auto page = std::make_shared<report::ReportOptions>();
  CLI::App* const command = app.add_subcommand("report", "Write a page on a run, or compare several runs");
  command
      ->add_option("RUN", page->runs,
                   "Folders that run_all.sh wrote: one, or several to compare with the first")
      ->required();
  command->add_option("--out", page->out, "The page, an HTML file")->required();
  command->add_flag("--published", page->published,
                    "Show the published tables beside these runs, which replayed them");
  command->callback([=, &chosen] {
    chosen = [=] {
      std::printf("%s\n", report::write_report(*page).c_str());
      return exit_ok;
    };
  });
}

int run(int argc, char** argv) {
  see_graded_device();
  CLI::App app("warplab: the tasks of the labs, from handing out to grading", "warplab");
  app.require_subcommand(1);
  Action chosen;
  for (const auto add :
       {add_list,    add_test,    add_predict,    add_data,        add_hunt,       add_viva,
        add_pack,    add_release, add_fetch,      add_grade,       add_gradescope, add_autograde,
        add_check,   add_collect, add_doctor,     add_leaderboard, add_new_lab,    add_new_term,
        add_variant, add_similar, add_completion, add_limits,      add_report})
    add(app, chosen);
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
  return report_errors("warplab", [&] { return run(argc, argv); });
}
