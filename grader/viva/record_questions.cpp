#include "grader/viva/record_questions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <set>
#include <utility>

#include "grader/text/text_lines.hpp"
#include "grader/viva/what_if.hpp"
#include "harness/console/case_text.hpp"
#include "lens/merge.hpp"
#include "lens/patterns/access_pattern.hpp"
#include "lens/patterns/bank_schedule.hpp"

namespace warplab {
namespace {

using Kind = VivaQuestion::Kind;
using lens::RequestKind;
using lens::RequestSample;

constexpr unsigned banks = 32, word_bytes = 4, warp = 32;

constexpr std::pair<Kind, const char*> kind_names[] = {{Kind::sectors, "sectors"},
                                                       {Kind::bank, "bank"},
                                                       {Kind::wavefronts, "wavefronts"},
                                                       {Kind::lanes, "lanes"},
                                                       {Kind::requests, "requests"},
                                                       {Kind::divergence, "divergence"},
                                                       {Kind::grid, "grid"},
                                                       {Kind::occupancy, "occupancy"},
                                                       {Kind::barrier, "what if a barrier goes"},
                                                       {Kind::guard, "what if a guard goes"}};

std::string counted_words(std::uint64_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string extent_text(const std::array<unsigned, 3>& e) {
  return fmt::format("({}, {}, {})", e[0], e[1], e[2]);
}

/// "0 to 7, 16, 17": the lanes of a mask.
std::string lanes_text(std::uint32_t mask) {
  std::vector<std::string> runs;
  for (unsigned lane = 0; lane < warp; ++lane) {
    if (!(mask >> lane & 1)) continue;
    unsigned last = lane;
    while (last + 1 < warp && (mask >> (last + 1) & 1)) ++last;
    runs.push_back(last > lane + 1 ? fmt::format("{} to {}", lane, last)
                   : last > lane   ? fmt::format("{}, {}", lane, last)
                                   : fmt::format("{}", lane));
    lane = last;
  }
  return fmt::format("{}", fmt::join(runs, ", "));
}

/// A lane that took part.
unsigned drawn_lane(std::uint32_t mask, std::uint64_t draw) {
  const auto taken = static_cast<unsigned>(draw % static_cast<unsigned>(std::popcount(mask)));
  unsigned lane = 0, left = taken;
  while (!(mask >> lane & 1) || left-- > 0) ++lane;
  return lane;
}

const char* what_of(RequestKind kind) {
  switch (kind) {
    case RequestKind::global_load:
      return "load from global memory";
    case RequestKind::global_store:
      return "store to global memory";
    case RequestKind::shared_load:
      return "load from shared memory";
    case RequestKind::shared_store:
      return "store to shared memory";
  }
  return "";
}

/// How the lanes of a request lie, in words.
std::string layout_of(const RequestSample& sample) {
  const lens::AccessPattern pattern = lens::pattern_of(sample);
  std::string text = fmt::format(
      "{} with {} each, at {}", counted_words(pattern.lanes, "lane"), counted_words(sample.bytes, "byte"),
      pattern.addresses == 1 ? "one address" : fmt::format("{} addresses", pattern.addresses));
  if (pattern.stride && pattern.addresses > 1)
    text += fmt::format("; the next lane is {} bytes further", *pattern.stride);
  else if (pattern.run)
    text +=
        fmt::format("; {} neighbouring lanes have neighbouring elements, then there is a gap", *pattern.run);
  return text;
}

/// Makes the questions of one record.
class Questions {
 public:
  Questions(const RecordedTask& record, std::uint64_t draw) : record_(record), draw_(draw) {
    input_ = size_text(record.problem_case) + " " + std::string(name_of(record.problem_case.dtype));
  }

  std::vector<VivaQuestion> all() {
    for (const lens::Group& group : lens::merge_alike(record_.launches)) {
      launch_ = &group.launch;
      launches_ = group.launches;
      ask_grid();
      ask_occupancy();
      for (const lens::Line& line : launch_->lines) {
        line_ = &line;
        if (begin_line()) ask_line();
      }
    }
    return std::move(questions_);
  }

 private:
  /// @return whether the line is one of the student's
  bool begin_line() {
    file_ = std::filesystem::path(line_->file).filename().string();
    const auto found = std::ranges::find_if(
        record_.files, [&](const auto& one) { return std::filesystem::path(one.first).filename() == file_; });
    if (found == record_.files.end() || line_->line < 1) return false;
    const std::vector<std::string_view> lines = lines_of(found->second);
    if (static_cast<std::size_t>(line_->line) > lines.size()) return false;
    file_ = found->first;
    source_ = std::string(trimmed(lines[static_cast<std::size_t>(line_->line) - 1]));
    return true;
  }

  void ask_line() {
    for (const RequestSample& sample : line_->samples) {
      if (sample.mask == 0) continue;
      if (sample.kind == RequestKind::global_load || sample.kind == RequestKind::global_store)
        ask_sectors(sample);
      else
        ask_banks(sample);
      ask_lanes(sample);
    }
    ask_requests();
    ask_divergence();
  }

  void add(Kind kind, std::string text, std::string answer, std::string then_ask, bool telling) {
    questions_.push_back({kind,
                          record_.task->name(),
                          file_,
                          line_ ? line_->line : 0,
                          source_,
                          input_,
                          std::move(text),
                          std::move(answer),
                          std::move(then_ask),
                          {},
                          telling});
  }

  std::string request_words(const RequestSample& sample) const {
    return fmt::format("Warp {} of block {} makes this {}", sample.warp, extent_text(sample.block),
                       what_of(sample.kind));
  }

  void ask_sectors(const RequestSample& sample) {
    add(Kind::sectors,
        request_words(sample) +
            ". How many sectors does the request touch, and how few would its bytes fill?",
        fmt::format("{}, where {} would do: {}.", counted_words(sample.cost, "sector"), sample.ideal,
                    layout_of(sample)),
        "Which index of this line does threadIdx.x change, and what would another shape of the block do?",
        sample.cost > sample.ideal);
  }

  void ask_banks(const RequestSample& sample) {
    const unsigned lane = drawn_lane(sample.mask, draw_);
    const std::uint64_t address = sample.address[lane], word = address / word_bytes;
    const unsigned bank = static_cast<unsigned>(word % banks);
    const unsigned last =
        static_cast<unsigned>((address + std::max(sample.bytes, 1u) - 1) / word_bytes % banks);
    const std::string place =
        last == bank ? fmt::format("bank {}", bank) : fmt::format("banks {} to {}", bank, last);
    add(Kind::bank, fmt::format("{}. Which bank does lane {} hit?", request_words(sample), lane),
        fmt::format(
            "{}: its address is byte {} of the block's shared memory, which is word {}, and {} mod 32 "
            "is {}.",
            place, address, word, word, bank),
        "Which other lanes hit the same bank, and do they wait?", sample.cost > sample.ideal);
    add(Kind::wavefronts, request_words(sample) + ". How many wavefronts does it take?",
        fmt::format("{}, where {} would do: {}. {}", sample.cost, sample.ideal, layout_of(sample),
                    busiest_bank(sample)),
        "What would one more element per row of the array change?", sample.cost > sample.ideal);
  }

  /// "Bank 4 has 2 words to deliver, to lanes 1 and 9."
  static std::string busiest_bank(const RequestSample& sample) {
    std::array<unsigned, banks> words{};
    std::array<std::uint32_t, banks> lanes{};
    for (const lens::BankService& service : lens::schedule_banks(sample).services) {
      ++words[service.bank];
      for (const unsigned lane : service.lanes) lanes[service.bank] |= 1u << lane;
    }
    const auto most = static_cast<unsigned>(std::ranges::max_element(words) - words.begin());
    return fmt::format("Bank {} serves {}, for lanes {}.", most, counted_words(words[most], "word"),
                       lanes_text(lanes[most]));
  }

  void ask_lanes(const RequestSample& sample) {
    if (sample.mask == ~0u) return;
    add(Kind::lanes, request_words(sample) + ". Which of its lanes take part, and why not the others?",
        fmt::format("{} of 32: lanes {}.", std::popcount(sample.mask), lanes_text(sample.mask)),
        "Which condition decides it, and with which numbers here?", true);
  }

  void ask_requests() {
    const lens::Counts& c = line_->counts;
    const std::pair<std::uint64_t, const char*> kinds[] = {
        {c.global_load.requests, "load from global memory"},
        {c.global_store.requests, "store to global memory"},
        {c.shared_load.requests, "load from shared memory"},
        {c.shared_store.requests, "store to shared memory"}};
    const std::uint64_t threads = std::uint64_t{launch_->block[0]} * launch_->block[1] * launch_->block[2];
    const std::uint64_t warps = launch_->blocks * ((threads + warp - 1) / warp);
    for (const auto& [requests, what] : kinds) {
      if (requests == 0 || warps == 0) continue;
      add(Kind::requests,
          fmt::format("How many requests to {} does this line make in all, and how many is that per warp?",
                      what),
          fmt::format("{} by {}, which is {:.4g} per warp.", counted_words(requests, "request"),
                      counted_words(warps, "warp"),
                      static_cast<double>(requests) / static_cast<double>(warps)),
          "How would you ask for the same bytes with fewer requests?", requests > warps);
    }
  }

  void ask_divergence() {
    const lens::BranchCounts& b = line_->counts.branches;
    if (b.executed == 0) return;
    add(Kind::divergence,
        fmt::format("Warps come to the branches of this line {}. How often do their lanes go both ways?",
                    counted_words(b.executed, "time")),
        fmt::format("{}.", counted_words(b.divergent, "time")),
        b.divergent > 0 ? "Which warps are these, and what do the lanes wait for?"
                        : "At which size, or in which block, would it happen?",
        b.divergent > 0);
  }

  void ask_grid() {
    begin_launch();
    add(Kind::grid,
        fmt::format("At this size, how many blocks of how many threads does your launch of {} start?",
                    name_of_kernel()),
        fmt::format("{} blocks in a grid of {}, each of {}{}.",
                    launch_->blocks / std::max<std::uint64_t>(launches_, 1), extent_text(launch_->grid),
                    extent_text(launch_->block),
                    launches_ > 1 ? fmt::format(", in each of {} such launches", launches_) : ""),
        "Which of these threads have nothing to do, and which line stops them?", true);
  }

  void ask_occupancy() {
    const lens::Occupancy& o = launch_->occupancy;
    if (o.blocks_per_multiprocessor <= 0) return;
    begin_launch();
    add(Kind::occupancy,
        fmt::format("How many blocks of {} fit on one multiprocessor, registers aside, and what limits them?",
                    name_of_kernel()),
        fmt::format(
            "{}, limited by {}: {:.3g} % of the warps that it can hold. A block has {} threads and {} "
            "bytes of shared memory.",
            counted_words(static_cast<std::uint64_t>(o.blocks_per_multiprocessor), "block"), o.limited_by,
            100 * o.theoretical, std::uint64_t{launch_->block[0]} * launch_->block[1] * launch_->block[2],
            launch_->static_shared_bytes + launch_->dynamic_shared_bytes),
        "Would more blocks help here? What are the warps for?", o.theoretical < 1);
  }

  void begin_launch() {
    line_ = nullptr;
    file_ = record_.task->file;
    source_.clear();
  }

  /// "transpose_tiled_kernel" of "void transpose_tiled_kernel<int>(int const*, ...)".
  std::string name_of_kernel() const {
    std::string name = launch_->kernel.substr(0, launch_->kernel.find_first_of("(<"));
    return name.substr(name.find_last_of(" :") + 1);
  }

  const RecordedTask& record_;
  std::uint64_t draw_;
  std::string input_, file_, source_;
  const lens::Launch* launch_ = nullptr;
  const lens::Line* line_ = nullptr;
  std::uint64_t launches_ = 0;
  std::vector<VivaQuestion> questions_;
};

/// The lines of a file that the record came to, by a barrier or a branch.
std::set<int> lines_with(const RecordedTask& record, const std::string& file, WhatIf::Part part) {
  std::set<int> lines;
  for (const lens::Launch& launch : record.launches)
    for (const lens::Line& line : launch.lines) {
      if (std::filesystem::path(line.file).filename() != std::filesystem::path(file).filename()) continue;
      const bool has =
          part == WhatIf::Part::barrier ? line.counts.barriers > 0 : line.counts.branches.executed > 0;
      if (has) lines.insert(line.line);
    }
  return lines;
}

}  // namespace

const char* name_of(Kind kind) {
  for (const auto& [known, name] : kind_names)
    if (known == kind) return name;
  return "";
}

std::vector<VivaQuestion> record_questions(const RecordedTask& record, std::uint64_t draw) {
  return Questions(record, draw).all();
}

std::vector<VivaQuestion> what_if_questions(const RecordedTask& record) {
  std::vector<VivaQuestion> questions;
  for (const auto& [file, text] : record.files) {
    const std::vector<std::string_view> lines = lines_of(text);
    for (const WhatIf& part : what_ifs(text)) {
      if (!lines_with(record, file, part.part).contains(part.line)) continue;
      const bool is_barrier = part.part == WhatIf::Part::barrier;
      VivaQuestion question;
      question.kind = is_barrier ? Kind::barrier : Kind::guard;
      question.task = record.task->name();
      question.file = file;
      question.line = part.line;
      question.source = std::string(trimmed(lines[static_cast<std::size_t>(part.line) - 1]));
      question.text =
          is_barrier ? "What happens without the barrier of this line?"
                     : fmt::format("What happens without the condition `{}` of this line?", part.condition);
      question.then_ask = is_barrier ? "Which thread needs what from which other thread?"
                                     : "For which size does nothing happen?";
      question.changed = part.text;
      questions.push_back(std::move(question));
    }
  }
  return questions;
}

}  // namespace warplab
