// Bits of all kinds.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  const unsigned x = threadIdx.x;
  const bool right = __brev(__brev(x)) == x && __popcll(x) == __popc(x) && __clz(1) == 31 && __clzll(1)
      == 63 && __ffsll(8) == 4 &&
                     __byte_perm(x, 0, 0x3210) == x && __funnelshift_l(x, 0, 0) == 0 && __umulhi(x, 2) ==
                         0 && __mulhi(4, 4) == 0 && __mul24(3, 4) == 12 && __sad(3, 5, 0u) == 2u &&
                         __dp4a(1, 1, 0) == 1;
  if (i < n && right) c[i] = a[i] + b[i];
