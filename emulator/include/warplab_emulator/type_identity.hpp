#pragma once

namespace warplab::emulator {

/// std::type_identity_t, also for programs that are compiled as C++17.
template <class T>
struct TypeIdentity {
  using type = T;
};
template <class T>
using Identity = typename TypeIdentity<T>::type;

}  // namespace warplab::emulator
