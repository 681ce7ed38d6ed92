#include "emulator/src/recorder/joined_requests.hpp"

#include <algorithm>
#include <bit>

namespace warplab::emulator::lens {
void Neighbours::note(CodePlace first, CodePlace second, std::uint64_t distance, unsigned place) {
  const auto [at, is_new] = pairs_.try_emplace(key(first, second), Pair{distance, place});
  if (is_new) return;
  Pair& pair = at->second;
  if (pair.distance != distance || pair.place % 2 != place % 2)
    pair.width = 1;
  else if (pair.place != place)
    pair.width = std::min(pair.width, 2u);
}

unsigned Neighbours::width(CodePlace first, CodePlace second) const {
  const auto width_of = [&](std::uint64_t of) {
    const auto at = pairs_.find(of);
    return at == pairs_.end() ? 4 : at->second.width;
  };
  return std::min(width_of(key(first, second)), width_of(key(second, first)));
}

/// Bytes of the piece in which a request may find others, or of its own elements where it can't.
std::uint32_t JoinedRequests::width_of(const Group& group, std::uint32_t alignment) {
  const std::uint32_t bytes = group.request.bytes;
  const Body body = Body::unpacked(group.detail);
  bool can_join = body.number != 0 && bytes <= 8;
  switch (group.kind) {
    case EventKind::shared_load:
    case EventKind::shared_store:
      can_join &= bytes > 1;
      break;
    case EventKind::constant_load:
      can_join &= body.position != 0 && bytes <= 4;
      break;
    case EventKind::local_load:
    case EventKind::local_store:
      can_join &= bytes > 2;
      break;
    case EventKind::global_load:
    case EventKind::global_store:
      break;
    default:
      can_join = false;
  }
  return can_join ? std::min({common_width(group.request), alignment, bytes * max_elements}) : bytes;
}

/// Ends the runs that a compiler can't let go on past an access. Members of structures it can tell apart.
void JoinedRequests::close_what_it_parts(EventKind kind, std::uint32_t alignment, Ready& ready) {
  switch (kind) {
    case EventKind::shared_load:
      return close_all_of(EventKind::shared_store, ready);
    case EventKind::shared_store:
    case EventKind::shared_copy:
    case EventKind::shared_atomic:
      return close_all_of(EventKind::shared_load, ready);
    case EventKind::local_load:
      return close_all_of(EventKind::local_store, ready);
    case EventKind::local_store:
      return close_all_of(EventKind::local_load, ready);
    case EventKind::global_load:
      if (alignment == 1) close_all_of(EventKind::global_store, ready);
      return;
    case EventKind::global_store:
      if (alignment == 1) close_all_of(EventKind::global_load, ready);
      return;
    case EventKind::global_atomic:
      close_all_of(EventKind::global_load, ready);
      return close_all_of(EventKind::global_store, ready);
    default:
      return;
  }
}

CodePlace JoinedRequests::place_of(const Group& group, bool knows_turns) {
  return {group.code, knows_turns ? Body::unpacked(group.detail).place() : std::uint16_t{0}};
}

bool JoinedRequests::add(const Group& group, std::uint32_t alignment, bool knows_turns,
                         Neighbours& neighbours, Ready& ready) {
  if (!runs_.empty()) close_what_it_parts(group.kind, alignment, ready);
  if (alignment == 1) return false;
  compare_with_seen(group, knows_turns, neighbours);
  const std::uint32_t width = width_of(group, alignment);
  if (width <= group.request.bytes) return false;
  std::erase_if(runs_, [&](const Run& run) {  // of straight-line code that these lanes have left
    if (run.first.kind != group.kind || run.first.request.mask != group.request.mask ||
        Body::unpacked(run.first.detail).number == Body::unpacked(group.detail).number)
      return false;
    close(run, ready);
    return true;
  });
  for (auto run = runs_.begin(); run != runs_.end(); ++run) {
    if (run->width != width || !joins(*run, group)) continue;
    if (run->is_full()) {
      close(*run, ready);
      runs_.erase(run);
    }
    return true;
  }
  if (runs_.size() == max_runs) {
    close(runs_.front(), ready);
    runs_.erase(runs_.begin());
  }
  Run run{.first = group, .width = width, .knows_turns = knows_turns};
  for (std::uint32_t rest = group.request.mask; rest != 0; rest &= rest - 1)
    run.first.request.address[lowest(rest)] &= ~std::uint64_t{width - 1};
  joins(run, group);
  runs_.push_back(run);
  return true;
}

// The same place again is another iteration of a loop, whose step the compiler knows.
void JoinedRequests::compare_with_seen(const Group& group, bool knows_turns, Neighbours& neighbours) {
  const Seen now{group.request.address[lowest(group.request.mask)], place_of(group, knows_turns),
                 group.request.mask, Body::unpacked(group.detail).number, group.kind};
  for (std::size_t i = 1; i <= seen_.size(); ++i) {
    const Seen& before = seen_[(oldest_seen_ + seen_.size() - i) % seen_.size()];
    if (before.place == now.place || before.body != now.body) break;
    if (before.kind == now.kind && before.mask == now.mask)
      neighbours.note(before.place, now.place, now.address - before.address,
                      static_cast<unsigned>(before.address / group.request.bytes % max_elements));
  }
  seen_[oldest_seen_] = now;
  oldest_seen_ = (oldest_seen_ + 1) % seen_.size();
}

/// Takes the request into the run, if it belongs there.
bool JoinedRequests::joins(Run& run, const Group& group) {
  const WarpRequest& of_run = run.first.request;
  const WarpRequest& request = group.request;
  const Body body = Body::unpacked(group.detail);
  if (run.first.kind != group.kind || of_run.mask != request.mask || of_run.bytes != request.bytes ||
      Body::unpacked(run.first.detail).number != body.number)
    return false;
  const std::uint64_t place = request.address[lowest(request.mask)] - of_run.address[lowest(request.mask)];
  if (place >= run.width || (run.taken >> place / request.bytes & 1) != 0) return false;
  for (std::uint32_t rest = request.mask; rest != 0; rest &= rest - 1)
    if (request.address[lowest(rest)] - of_run.address[lowest(rest)] != place) return false;
  run.taken |= 1u << place / request.bytes;
  run.positions |= 1u << body.position;
  run.place[place / request.bytes] = place_of(group, run.knows_turns);
  return true;
}

void JoinedRequests::close_all_of(EventKind kind, Ready& ready) {
  std::erase_if(runs_, [&](const Run& run) {
    if (run.first.kind != kind) return false;
    close(run, ready);
    return true;
  });
}

void JoinedRequests::close(Ready& ready) {
  for (const Run& run : runs_) close(run, ready);
  runs_.clear();
}

void JoinedRequests::close(const Run& run, Ready& ready) {
  UncertainJoin join;
  bool is_one_instruction = true;
  for (unsigned element = 0; element < run.width / run.first.request.bytes; ++element) {
    if ((run.taken >> element & 1) == 0) continue;
    join.apart.push_back(part(run, element, 1));
    join.places.push_back(run.place[element]);
    is_one_instruction &= join.places.front().code == join.places.back().code;
  }
  // Members of a structure, as a rule: an array of them is aligned no better than they are.
  if (!is_one_instruction && is_local(run.first.kind)) {
    ready.groups.insert(ready.groups.end(), join.apart.begin(), join.apart.end());
    return;
  }
  join.joined = joined(run);
  if (!is_one_instruction && join.joined.size() < join.apart.size()) {
    join.by_two = joined(run, true);
    ready.joins.push_back(std::move(join));
    return;
  }
  ready.groups.insert(ready.groups.end(), join.joined.begin(), join.joined.end());
}

/// Whether one access serves all of a run, even if it loads an element for nothing.
bool JoinedRequests::is_one(const Run& run) {
  if (run.is_full()) return true;
  if (run.width / run.first.request.bytes < max_elements || std::popcount(run.taken) < 3) return false;
  if (run.first.kind == EventKind::global_load) return (run.taken & 3) == 3;
  return run.first.kind == EventKind::shared_load;
}

/// Otherwise two of four elements are one access where they are the first or the last two. Of a loop that is
/// unrolled by four, what remains goes one by one.
std::vector<Group> JoinedRequests::joined(const Run& run, bool by_two) {
  std::vector<Group> requests;
  const unsigned elements = run.width / run.first.request.bytes;
  const bool remains = !std::has_single_bit(run.positions) && !run.is_full();
  by_two |= run.first.kind == EventKind::constant_load && run.first.request.bytes == 4;
  if (!remains && (!by_two || elements == 2) && is_one(run)) return {part(run, 0, elements)};
  for (unsigned pair = 0; pair < elements; pair += 2) {
    if (!remains && (run.taken >> pair & 3) == 3) {
      requests.push_back(part(run, pair, 2));
      continue;
    }
    for (const unsigned element : {pair, pair + 1})
      if ((run.taken >> element & 1) != 0) requests.push_back(part(run, element, 1));
  }
  return requests;
}

/// The request for some of a run's elements.
Group JoinedRequests::part(const Run& run, unsigned first, unsigned elements) {
  Group group = run.first;
  const std::uint32_t bytes = group.request.bytes;
  group.request.bytes *= elements;
  for (std::uint32_t rest = group.request.mask; rest != 0; rest &= rest - 1)
    group.request.address[lowest(rest)] += std::uint64_t{first} * bytes;
  if (elements < run.width / bytes) group.code = run.place[first].code;
  return group;
}

}  // namespace warplab::emulator::lens
