#pragma once

#include <cstdint>
#include <type_traits>

#include "warplab_emulator/copies/bulk_copies.hpp"

// What the functions of cuda::ptx take for PTX's modifiers: sem_release,
// scope_cluster, space_shared, n32_t<0>.

struct __half;
struct __nv_bfloat16;

namespace cuda::ptx {

enum class dot_sem { acq_rel, acquire, relaxed, release, sc, weak };
enum class dot_space { global, cluster, shared };
enum class dot_scope { cta, cluster, gpu, sys };
enum class dot_op { add, dec, inc, max, min, and_op, or_op, xor_op, cas, exch };

template <dot_sem sem>
using sem_t = ::std::integral_constant<dot_sem, sem>;
template <dot_space space>
using space_t = ::std::integral_constant<dot_space, space>;
template <dot_scope scope>
using scope_t = ::std::integral_constant<dot_scope, scope>;
template <dot_op op>
using op_t = ::std::integral_constant<dot_op, op>;
template <int n>
using n32_t = ::std::integral_constant<int, n>;

#define WARPLAB_PTX_TAG(kind, name)                     \
  using kind##_##name##_t = kind##_t<dot_##kind::name>; \
  inline constexpr kind##_##name##_t kind##_##name{};
WARPLAB_PTX_TAG(sem, acq_rel)
WARPLAB_PTX_TAG(sem, acquire)
WARPLAB_PTX_TAG(sem, relaxed)
WARPLAB_PTX_TAG(sem, release)
WARPLAB_PTX_TAG(sem, sc)
WARPLAB_PTX_TAG(sem, weak)
WARPLAB_PTX_TAG(space, global)
WARPLAB_PTX_TAG(space, cluster)
WARPLAB_PTX_TAG(space, shared)
WARPLAB_PTX_TAG(scope, cta)
WARPLAB_PTX_TAG(scope, cluster)
WARPLAB_PTX_TAG(scope, gpu)
WARPLAB_PTX_TAG(scope, sys)
WARPLAB_PTX_TAG(op, add)
WARPLAB_PTX_TAG(op, dec)
WARPLAB_PTX_TAG(op, inc)
WARPLAB_PTX_TAG(op, max)
WARPLAB_PTX_TAG(op, min)
WARPLAB_PTX_TAG(op, and_op)
WARPLAB_PTX_TAG(op, or_op)
WARPLAB_PTX_TAG(op, xor_op)
WARPLAB_PTX_TAG(op, cas)
WARPLAB_PTX_TAG(op, exch)
#undef WARPLAB_PTX_TAG

namespace details {

/// What a reduction in bulk does with numbers of type T.
template <class T, dot_op op>
constexpr ::warplab::emulator::BulkReduction reduction() {
  using Operation = ::warplab::emulator::BulkOperation;
  using Type = ::warplab::emulator::BulkType;
  constexpr auto operation = op == dot_op::add      ? Operation::add
                             : op == dot_op::min    ? Operation::min
                             : op == dot_op::max    ? Operation::max
                             : op == dot_op::and_op ? Operation::bit_and
                             : op == dot_op::or_op  ? Operation::bit_or
                             : op == dot_op::xor_op ? Operation::bit_xor
                             : op == dot_op::inc    ? Operation::increment
                                                    : Operation::decrement;
  if constexpr (::std::is_same_v<T, float>) return {operation, Type::f32};
  if constexpr (::std::is_same_v<T, double>) return {operation, Type::f64};
  if constexpr (::std::is_integral_v<T> && sizeof(T) == 4)
    return {operation, ::std::is_signed_v<T> ? Type::s32 : Type::u32};
  if constexpr (::std::is_integral_v<T> && sizeof(T) == 8)
    return {operation, ::std::is_signed_v<T> ? Type::s64 : Type::u64};
  if constexpr (::std::is_same_v<T, __half>) return {operation, Type::f16};
  if constexpr (::std::is_same_v<T, __nv_bfloat16>) return {operation, Type::bf16};
}

}  // namespace details
}  // namespace cuda::ptx
