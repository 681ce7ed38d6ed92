// A ticket by an atomic of PTX that acquires and releases.
// clang-format off
//! solves reduction/single_pass
//! of
      __threadfence();  // whoever sees my ticket sees my result
      is_last = atomicAdd(tickets, 1) == gridDim.x - 1;
      __threadfence();  // and I see the results of those whose tickets I saw
//! becomes
      unsigned mine_;
      asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(mine_) : "l"(tickets) : "memory");
      is_last = mine_ == gridDim.x - 1;
