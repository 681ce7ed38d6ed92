// A vector of 16 bytes that memcpy takes apart.
// clang-format off
//! solves reduction/single_pass
//! of
  const auto take = [&mine](Vector vector) {
#pragma unroll
    for (int e = 0; e < width; ++e)
      mine[e] = Op::combine(mine[e], reinterpret_cast<const Input*>(&vector)[e]);
  };
//! becomes
  const auto take = [&mine](Vector vector) {
    Input x[width];
    memcpy(x, &vector, sizeof x);
#pragma unroll
    for (int e = 0; e < width; ++e) mine[e] = Op::combine(mine[e], x[e]);
  };
