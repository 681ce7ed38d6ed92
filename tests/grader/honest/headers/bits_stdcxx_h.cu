// The header that includes all of g++'s.
// clang-format off
//! solves vector_add/one_per_thread
//! of
#include <cstdint>
//! becomes
#include <bits/stdc++.h>
#include <cstdint>
