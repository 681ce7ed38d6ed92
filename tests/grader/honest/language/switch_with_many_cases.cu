// A switch with many cases.
// clang-format off
//! solves vector_add/one_per_thread
//! of
  if (i < n) c[i] = a[i] + b[i];
//! becomes
  int s = 0;
  switch (threadIdx.x % 9) {
    case 0: s = 1; break;
    case 1: s = 2; break;
    case 2: s = 4; break;
    case 3: s = 3; break;
    case 4: s = 9; break;
    case 5: s = 1; break;
    case 6: s = 7; break;
    case 7: s = 5; break;
    default: s = 8;
  }
  if (i < n && s > 0) c[i] = a[i] + b[i];
