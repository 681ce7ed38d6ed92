#define WARPLAB_INSTRUMENTED  // the lens is told who waits for whom
#include "warplab_emulator/copies/phase_barrier.hpp"

#include <cuda_runtime_api.h>

#include "emulator/src/base/isolation.hpp"
#include "emulator/src/block/worker.hpp"
#include "emulator/src/copies/asynchronous_work.hpp"
#include "warplab_emulator/copies/async_copies.hpp"
#include "warplab_emulator/lens/lens_markers.hpp"

namespace warplab::emulator {
namespace {

/// The 8 bytes of a phase barrier. Bit 63 is set in poison, and bit 61 in a barrier: so one that nobody has
/// initialised is recognised. The bytes that a phase waits for are kept by AsynchronousWork.
struct Word {
  static constexpr int bits = 20;
  static constexpr unsigned long long mask = max_arrivals;
  unsigned long long value;

  unsigned pending() const { return static_cast<unsigned>(value & mask); }
  unsigned expected() const { return static_cast<unsigned>(value >> bits & mask); }
  unsigned parity() const { return static_cast<unsigned>(value >> 62 & 1); }
  /// Whether a phase has ended before the present one.
  bool has_run() const { return (value >> 60 & 1) != 0; }
  static Word make(unsigned pending, unsigned expected, unsigned parity, bool has_run) {
    return {pending | static_cast<unsigned long long>(expected) << bits |
            static_cast<unsigned long long>(has_run) << 60 | static_cast<unsigned long long>(parity) << 62 |
            1ull << 61};
  }
  bool is_valid() const { return value >> 63 == 0 && (value >> 61 & 1) == 1; }
};

// Guarded code gave the address.
void require_word(unsigned long long* barrier) {
  if (!isolation::active()) return;
  header_calls::lens_permit(barrier, sizeof *barrier);
  isolation::require(barrier, sizeof *barrier, true, nullptr);
}

Word load(unsigned long long* barrier, const Site& site) {
  require_word(barrier);
  const Word word{__atomic_load_n(barrier, __ATOMIC_SEQ_CST)};
  if (!word.is_valid())
    device_fault_at(
        site, cudaErrorLaunchFailure,
        "%s at %s:%d: the barrier has not been initialised; one thread does that first (init(&barrier, "
        "count), mbarrier.init), and then __syncthreads() makes it known to all",
        site.what, site.file, site.line);
  return word;
}

bool replace(unsigned long long* barrier, Word& seen, Word wanted) {
  return __atomic_compare_exchange_n(barrier, &seen.value, wanted.value, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
}

/// The block whose threads wait at the barrier; the caller's, where it is not in shared memory.
Worker& home_of(const void* barrier) {
  Worker* const owner = owner_of_shared(barrier);
  return owner != nullptr ? *owner : *running_worker();
}

AsynchronousWork::Barrier* copies_of(const void* barrier) {
  AsynchronousWork* const work = find_asynchronous_work(home_of(barrier));
  return work == nullptr ? nullptr : work->known_barrier(barrier);
}

/// What is missing at the barrier, for reports.
std::string explain_wait(const void* key, unsigned parity) {
  const Word word{*static_cast<const unsigned long long*>(key)};
  if (!word.is_valid()) return "";
  const AsynchronousWork::Barrier* const copies = copies_of(key);
  const long long bytes = copies == nullptr ? 0 : copies->open_bytes;
  std::string text;
  if (word.pending() != 0)
    text = std::to_string(word.pending()) + " of " + std::to_string(word.expected()) +
           (word.expected() == 1 ? " arrival is missing" : " arrivals are missing");
  if (bytes > 0) text += (text.empty() ? "" : " and ") + std::to_string(bytes) + " bytes that were announced";
  if (bytes < 0)
    text += (text.empty() ? "" : ", and ") + std::to_string(-bytes) + " bytes came that nobody announced";
  if (word.has_run() && word.pending() == word.expected() && bytes == 0)
    text += "; the phase before, of parity " + std::to_string(parity ^ 1) +
            ", has ended: is the parity that the thread waits for the right one?";
  return text.empty() ? "" : " (" + text + ")";
}

[[noreturn]] void report_surplus(const AsynchronousWork::Barrier& copies,
                                 const AsynchronousWork::BulkLoad* last, const Site& site) {
  const Site& place = last != nullptr ? last->site : site;
  device_fault_at(place, cudaErrorLaunchFailure,
                  "%s at %s:%d: %lld bytes more come to the barrier than its phase expects, so the phase may "
                  "end before they are there; announce them with mbarrier.arrive.expect_tx "
                  "(cuda::device::barrier_arrive_tx)",
                  place.what, place.file, place.line, -copies.open_bytes);
}

// All have arrived: lands what is bound to the barrier and, if no bytes are missing, begins the next phase.
void end_phase(unsigned long long* barrier, const Site& site) {
  const Word word = load(barrier, site);
  if (AsynchronousWork::Barrier* copies = copies_of(barrier)) {
    AsynchronousWork::land(copies->bound);
    for (const AsynchronousWork::BulkLoad& load : copies->bulk) {
      load.land();
      copies->open_bytes -= static_cast<long long>(load.bytes);
    }
    if (copies->open_bytes < 0)
      report_surplus(*copies, copies->bulk.empty() ? nullptr : &copies->bulk.back(), site);
    copies->bulk.clear();
    if (copies->open_bytes != 0) return;
  }
  __atomic_store_n(barrier, Word::make(word.expected(), word.expected(), word.parity() ^ 1, true).value,
                   __ATOMIC_SEQ_CST);
  wake_waiters(home_of(barrier), barrier);
}

/// The running thread has waited for a phase of the barrier.
void note_wait(const unsigned long long* barrier) {
  AsynchronousWork* const work = find_asynchronous_work(*running_worker());
  AsynchronousWork::Thread* const thread = work == nullptr ? nullptr : work->known_of_this_thread();
  if (thread != nullptr) thread->overlap.await_barrier(barrier, Word{*barrier}.parity());
}

/// Ends the kernel if the barrier still waits for a bulk copy. @param advice what the report ends with
void forget_idle(const void* barrier, const Site& site, const char* advice) {
  AsynchronousWork* const work = find_asynchronous_work(home_of(barrier));
  if (work == nullptr) return;
  if (const AsynchronousWork::Barrier* const known = work->known_barrier(barrier);
      known != nullptr && (known->open_bytes != 0 || !known->bulk.empty()))
    device_fault_at(site, cudaErrorLaunchFailure,
                    "%s at %s:%d: the barrier still waits for bytes of bulk copies%s", site.what, site.file,
                    site.line, advice);
  work->forget_barrier(barrier);
}

}  // namespace

void init_barrier(unsigned long long* barrier, long long expected, const Site& site) {
  if (expected < 1 || expected > max_arrivals)
    device_fault_at(site, cudaErrorLaunchFailure,
                    "%s at %s:%d: a barrier can expect 1 to %lld arrivals, not %lld", site.what, site.file,
                    site.line, max_arrivals, expected);
  require_word(barrier);
  const auto count = static_cast<unsigned>(expected);
  forget_idle(barrier, site, "; wait for its phase before it is initialised again");
  __atomic_store_n(barrier, Word::make(count, count, 0, false).value, __ATOMIC_SEQ_CST);
}

void invalidate_barrier(unsigned long long* barrier, const Site& site) {
  load(barrier, site);
  forget_idle(barrier, site, "");
  __atomic_store_n(barrier, ~0ull, __ATOMIC_SEQ_CST);
}

unsigned long long arrive(unsigned long long* barrier, const Arrival& arrival, const Site& site) {
  if (arrival.bytes != 0) expect_bytes(barrier, arrival.bytes, site);
  Word seen = load(barrier, site);
  if (arrival.releases) lens_release(barrier);
  for (;;) {
    if (arrival.count < 1 || arrival.count > seen.pending())
      device_fault_at(
          site, cudaErrorLaunchFailure,
          "%s at %s:%d: the thread arrives %lld times at a barrier that expects %u arrivals in a phase, "
          "of which %u are still to come",
          site.what, site.file, site.line, arrival.count, seen.expected(), seen.pending());
    const unsigned left = seen.pending() - static_cast<unsigned>(arrival.count);
    if (left == 0 && !arrival.may_complete)
      device_fault_at(site, cudaErrorLaunchFailure,
                      "%s at %s:%d: the arrival would end the phase, which .noComplete rules out", site.what,
                      site.file, site.line);
    const unsigned leaving = arrival.leaves ? static_cast<unsigned>(arrival.count) : 0;
    const Word before = seen;
    if (replace(barrier, seen, Word::make(left, seen.expected() - leaving, seen.parity(), seen.has_run()))) {
      if (left == 0) end_phase(barrier, site);
      return before.value;
    }
  }
}

unsigned arrive_at(unsigned long long* barrier, long long count, const Site& site) {
  return Word{arrive(barrier, {.count = count}, site)}.parity();
}

void arrive_and_leave(unsigned long long* barrier, const Site& site) {
  arrive(barrier, {.leaves = true}, site);
}

void expect_bytes(unsigned long long* barrier, long long bytes, const Site& site) {
  load(barrier, site);
  long long& open = asynchronous_work_of(home_of(barrier)).of_barrier(barrier).open_bytes;
  if (bytes < 0 || bytes > max_arrivals || open > max_arrivals - bytes)
    device_fault_at(
        site, cudaErrorLaunchFailure,
        "%s at %s:%d: the phase would wait for %lld bytes beside %lld others; a barrier counts at most %lld",
        site.what, site.file, site.line, bytes, open, max_arrivals);
  open += bytes;
}

void complete_bytes(unsigned long long* barrier, long long bytes, const Site& site) {
  const Word word = load(barrier, site);
  asynchronous_work_of(home_of(barrier)).of_barrier(barrier).open_bytes -= bytes;
  if (word.pending() == 0) end_phase(barrier, site);
}

unsigned parity_of_state(unsigned long long state, const Site& site) {
  if (!Word{state}.is_valid())
    device_fault_at(site, cudaErrorLaunchFailure,
                    "%s at %s:%d: 0x%llx is not a state that mbarrier.arrive has returned", site.what,
                    site.file, site.line, state);
  return Word{state}.parity();
}

unsigned pending_of_state(unsigned long long state, const Site& site) {
  parity_of_state(state, site);
  return Word{state}.pending();
}

unsigned phase_parity(const unsigned long long* barrier) { return Word{*barrier}.parity(); }

bool has_ended(unsigned long long* barrier, unsigned parity, const Site& site, bool acquires) {
  const Word word = load(barrier, site);
  if (word.parity() == parity) {
    if (word.pending() == 0) end_phase(barrier, site);  // bulk copies that were issued after the last arrival
    if (load(barrier, site).parity() == parity) return false;
  }
  note_wait(barrier);
  if (acquires)
    lens_acquire(barrier);
  else
    lens_wait();
  return true;
}

bool has_ended_in_time(unsigned long long* barrier, unsigned parity, const Site& site, bool acquires) {
  if (has_ended(barrier, parity, site, acquires)) return true;
  running_worker()->scheduler.park(barrier, site,
                                   {.in_time = true, .parity = parity, .explain = explain_wait});
  return has_ended(barrier, parity, site, acquires);
}

// A barrier in shared memory is ended by a thread of the cluster, which wakes the
// others; any other is polled.
void wait_for_end(unsigned long long* barrier, unsigned parity, const Site& site) {
  const bool own = is_shared(barrier);
  while (!has_ended(barrier, parity, site)) {
    if (own)
      running_worker()->scheduler.park(barrier, site, {.parity = parity, .explain = explain_wait});
    else
      yield();
  }
}

}  // namespace warplab::emulator
