#include "grader/clones/clones.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "common/io/csv.hpp"
#include "grader/clones/git_command.hpp"
#include "grader/people/csv_table.hpp"
#include "grader/people/plain_words.hpp"
#include "grader/text/printable.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// A repository to take a submission from.
struct Repository {
  std::string name;     ///< of the entry
  std::string address;  ///< what git fetches from
};

bool is_repository(const fs::path& folder) {
  return fs::is_directory(folder) &&
         (fs::exists(folder / ".git") || (fs::exists(folder / "HEAD") && fs::exists(folder / "objects")));
}

std::vector<Repository> repositories_in(const fs::path& folder) {
  std::vector<Repository> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!is_repository(entry.path())) continue;
    std::string name = entry.path().filename().string();
    if (name.ends_with(".git") && name.size() > 4) name.resize(name.size() - 4);
    found.push_back({printable_name(name), fs::absolute(entry.path()).string()});
  }
  std::ranges::sort(found, {}, &Repository::name);
  if (const auto two = std::ranges::adjacent_find(found, {}, &Repository::name); two != found.end())
    throw BadInput(fmt::format("{} and {} both make the submission {}", two->address, std::next(two)->address,
                               two->name));
  if (found.empty()) throw BadInput(folder.string() + " holds no git repository");
  return found;
}

/// "ORG/PREFIX" is at GitHub; anything else is an address or a path as it is.
std::string full_address(const std::string& from) {
  const bool is_short = std::ranges::count(from, '/') == 1 && from.find(':') == std::string::npos &&
                        from[0] != '/' && from[0] != '.';
  if (is_short) return "https://github.com/" + from;
  // git fetches from within another folder.
  return from[0] == '.' ? fs::absolute(from).lexically_normal().string() : from;
}

std::vector<Repository> repositories_of(const Roster& roster, const std::string& from) {
  const std::string address = full_address(from);
  const std::string prefix = address.substr(address.find_last_of("/:") + 1);
  std::vector<Repository> all;
  std::set<std::string> seen;
  const auto add = [&](std::string key) {
    std::ranges::replace(key, ' ', '-');
    if (seen.insert(key).second)
      all.push_back({printable_name(prefix + "-" + key), address + "-" + key + ".git"});
  };
  for (const Student& student : roster.students) {
    add(student.github.empty() ? student.login : student.github);
    if (!student.group.empty()) add(lower_case(student.group));
  }
  return all;
}

/// The commit of a submission.
struct PickedCommit {
  std::string commit;
  Instant time;
};

/// Takes one repository after another into bare ones of our own.
class CloneTaker {
 public:
  explicit CloneTaker(const CloneRequest& request)
      : request_(request), folder_(fs::absolute(clones_folder(request.submissions))) {}

  ClonedSubmissions take(const std::vector<Repository>& repositories) {
    made_folder(request_.submissions);
    made_folder(folder_);
    std::string times = "entry,commit,submitted\n";
    for (const Repository& repository : repositories)
      if (const auto picked = take(repository))
        times += fmt::format("{},{},{}\n", csv_quoted(repository.name), picked->commit,
                             TimeZone().text(picked->time) + " UTC");
    write_file_atomically(folder_ / "times.csv", times);
    return std::move(found_);
  }

 private:
  std::optional<PickedCommit> take(const Repository& repository) {
    const fs::path clone = folder_ / (repository.name + ".git");
    const fs::path archive = request_.submissions / (repository.name + ".tar");
    const auto picked = picked_in(repository, clone);
    if (!picked || !write(repository, clone, *picked, archive)) {
      fs::remove(archive);  // of a run with a later date
      return {};
    }
    ++found_.taken;
    return picked;
  }

  /// Makes an archive of the commit, unless it is larger than any submission is read.
  bool write(const Repository& repository, const fs::path& clone, const PickedCommit& picked,
             const fs::path& archive) {
    const fs::path made = folder_ / (repository.name + ".partial");
    const GitOutcome written =
        run_git({"-C", clone.string(), "archive", "--format=tar", "-o", made.string(), picked.commit},
                {.file_bytes = request_.archive_bytes, .cpu_s = 60});
    if (written.succeeded) {
      fs::rename(made, archive);
      return true;
    }
    fs::remove(made);
    if (!written.is_beyond_limits)
      throw BadInput(fmt::format("cannot write {}: {}", archive.string(), written.message));
    found_.remarks.push_back(fmt::format("{} gave no submission: its files take more than {} MiB",
                                         repository.address, request_.archive_bytes >> 20));
    return false;
  }

  std::optional<PickedCommit> picked_in(const Repository& repository, const fs::path& clone) {
    const auto leave_out = [&](const std::string& why) {
      found_.remarks.push_back(fmt::format("{} gave no submission: {}", repository.address, why));
      return std::optional<PickedCommit>();
    };
    const std::string at = clone.string();
    if (const GitOutcome made = run_git({"init", "--quiet", "--bare", at}); !made.succeeded)
      throw BadInput(fmt::format("cannot make {}: {}", at, made.message));
    const GitOutcome fetched = run_git(
        {"-C", at, "fetch", "--quiet", "--no-tags", "--", repository.address, "+HEAD:refs/heads/submission"});
    if (!fetched.succeeded) {
      if (!run_git({"-C", at, "rev-parse", "--quiet", "--verify", "refs/heads/submission"}).succeeded)
        return leave_out(fetched.is_beyond_limits ? "it is too large to be fetched"
                                                  : "it cannot be fetched: " + fetched.message);
      found_.remarks.push_back(fmt::format("{} cannot be fetched, so what was fetched before counts: {}",
                                           repository.address, fetched.message));
    }
    std::vector<std::string> query = {"-C", at, "log", "-1", "--first-parent", "--format=%H %ct"};
    if (request_.before)
      query.push_back(fmt::format("--min-age={}", request_.before->time_since_epoch().count()));
    query.push_back("refs/heads/submission");
    const std::string line = run_git(query).output;
    const std::size_t blank = line.find(' ');
    if (blank == std::string::npos) return leave_out("it has no commit before the date");
    std::int64_t seconds = 0;
    std::from_chars(line.data() + blank + 1, line.data() + line.size(), seconds);
    return PickedCommit{line.substr(0, blank), Instant(std::chrono::seconds(seconds))};
  }

  const CloneRequest& request_;
  const fs::path folder_;
  ClonedSubmissions found_;
};

}  // namespace

fs::path clones_folder(const fs::path& submissions) {
  const fs::path named = submissions.has_filename() ? submissions : submissions.parent_path();
  return named.string() + ".git";
}

ClonedSubmissions take_from_git(const CloneRequest& request) {
  if (request.from.empty() || request.from[0] == '-')
    throw BadInput("--from-git '" + request.from + "' is neither a folder nor the beginning of addresses");
  const bool is_folder = fs::is_directory(request.from);
  if (!is_folder && !request.roster)
    throw BadInput("--from-git " + request.from +
                   " is not a folder; to make addresses of it, --roster must name the students");
  ClonedSubmissions found = CloneTaker(request).take(
      is_folder ? repositories_in(request.from) : repositories_of(*request.roster, request.from));
  if (found.taken == 0)
    throw BadInput(found.remarks.empty() ? request.from + " has no repository" : found.remarks.front());
  return found;
}

std::map<std::string, Instant> read_git_times(const fs::path& file) {
  std::map<std::string, Instant> times;
  if (!fs::exists(file)) return times;
  for (const CsvRow& row : read_csv_rows(file, {{"entry", "commit", "submitted"}})) {
    const std::string& entry = row.required("entry");
    try {
      times[entry] = parse_instant(row["submitted"], TimeZone());
    } catch (const BadInput& error) {
      row.fail(fmt::format("'{}' {}", row["submitted"], error.what()));
    }
  }
  return times;
}

}  // namespace warplab
