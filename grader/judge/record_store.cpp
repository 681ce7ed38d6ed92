#include "grader/judge/record_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "common/io/file_content.hpp"
#include "grader/judge/hand_ins.hpp"
#include "grader/text/printable.hpp"
#include "grader/text/sha256.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;

/// @throws std::runtime_error saying what is wrong with the file
SubmissionRecord read_record(const fs::path& path) {
  const std::optional<std::string> text = readable_content(path);
  if (!text) throw std::runtime_error("it cannot be read");
  const auto json = nlohmann::ordered_json::parse(*text, nullptr, false);
  if (json.is_discarded()) throw std::runtime_error("it is not JSON: truncated, or not ours");
  SubmissionRecord record = record_from(json);
  if (record.student != path.stem().string())
    throw std::runtime_error("it holds the record of another student, " + shown_line(record.student));
  return record;
}

/// A byte of the file of claims: 62 bits of the name's digest, which no two of a class share.
off_t place_of_claim(const std::string& student) {
  return static_cast<off_t>(std::stoull(sha256(student).substr(0, 16), nullptr, 16) >> 2);
}

}  // namespace

Claim::~Claim() {
  if (descriptor_ >= 0) close(descriptor_);
}

RecordStore::RecordStore(const fs::path& folder) : folder_(folder) { made_folder(folder_ / "records"); }

fs::path RecordStore::place(const std::string& student) const {
  if (!is_printable_name(student))
    throw std::invalid_argument("'" + shown_line(student) + "' is not a name that a record can have");
  return folder_ / "records" / (student + ".json");
}

void RecordStore::write(const SubmissionRecord& record) const {
  write_file_atomically(place(record.student), to_json(record).dump(1) + "\n");
}

std::optional<SubmissionRecord> RecordStore::read(const std::string& student) const {
  const fs::path file = place(student);
  try {
    return read_record(file);
  } catch (const std::exception&) {
    return {};  // absent, torn by a full disk or not ours: to be graded again
  }
}

RecordStore::Contents RecordStore::read_all() const {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / "records"))
    if (entry.path().filename().string().find(".partial-") == std::string::npos)  // of a write that goes on
      files.push_back(entry.path());
  std::sort(files.begin(), files.end(),
            [](const fs::path& a, const fs::path& b) { return a.stem().string() < b.stem().string(); });
  Contents contents;
  for (const fs::path& file : files) try {
      if (file.extension() != ".json" || !fs::is_regular_file(file))
        throw std::runtime_error("it is none of the grader's");
      const SubmissionRecord record = read_record(file);
      contents.records.push_back(best_of(record));
      for (SubmissionRecord& one : hand_ins_of(record)) contents.hand_ins.push_back(std::move(one));
    } catch (const std::exception& error) {
      contents.problems.push_back(
          fmt::format("{} was left out: {}", shown_line(file.filename().string()), error.what()));
    }
  return contents;
}

RecordStore::Contents RecordStore::read_batch(const fs::path& folder) {
  if (!fs::is_directory(folder / "records"))
    throw BadInput(folder.string() + " holds no batch: it has no folder records");
  return RecordStore(folder).read_all();
}

std::optional<Claim> RecordStore::claim(const std::string& student) const {
  const fs::path file = folder_ / "claims";
  const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (descriptor < 0) throw BadInput(fmt::format("cannot open {}: {}", file.string(), std::strerror(errno)));
  Claim claim(descriptor);
  // A lock of the open file rather than of the process, so that threads exclude one another as well.
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = place_of_claim(student);
  lock.l_len = 1;
  if (fcntl(descriptor, F_OFD_SETLK, &lock) == 0) return claim;
  if (errno == EAGAIN || errno == EACCES) return {};
  return claim;  // this file system knows no locks
}

}  // namespace warplab
