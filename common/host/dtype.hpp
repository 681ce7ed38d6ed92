#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>

#include "common/host/bfloat16.hpp"
#include "common/host/half.hpp"

namespace warplab {

/// Element types that labs compute with.
enum class DType : std::uint8_t { u8, i8, i32, i64, f16, bf16, f32, f64 };
inline constexpr DType all_dtypes[] = {DType::u8,  DType::i8,   DType::i32, DType::i64,
                                       DType::f16, DType::bf16, DType::f32, DType::f64};

/// The name used on the command line and in results: "uint8", "int8", "int", "int64",
/// "half", "bfloat16", "float", "double".
constexpr std::string_view name_of(DType dtype) {
  switch (dtype) {
    case DType::u8:
      return "uint8";
    case DType::i8:
      return "int8";
    case DType::i32:
      return "int";
    case DType::i64:
      return "int64";
    case DType::f16:
      return "half";
    case DType::bf16:
      return "bfloat16";
    case DType::f32:
      return "float";
    case DType::f64:
      return "double";
  }
  return "unknown";
}

/// Size of one element in bytes.
constexpr std::size_t size_of(DType dtype) {
  switch (dtype) {
    case DType::u8:
    case DType::i8:
      return 1;
    case DType::i32:
      return 4;
    case DType::i64:
      return 8;
    case DType::f16:
    case DType::bf16:
      return 2;
    case DType::f32:
      return 4;
    case DType::f64:
      return 8;
  }
  return 0;
}

/// The type with this command-line name, or nothing.
constexpr std::optional<DType> parse_dtype(std::string_view name) {
  for (DType dtype : all_dtypes)
    if (name == name_of(dtype)) return dtype;
  return std::nullopt;
}

/// The DType of a C++ element type.
template <class T>
constexpr DType dtype_of() {
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<U, std::uint8_t>)
    return DType::u8;
  else if constexpr (std::is_same_v<U, std::int8_t>)
    return DType::i8;
  else if constexpr (std::is_same_v<U, std::int32_t>)
    return DType::i32;
  else if constexpr (std::is_same_v<U, std::int64_t>)
    return DType::i64;
  else if constexpr (std::is_same_v<U, Half>)
    return DType::f16;
  else if constexpr (std::is_same_v<U, Bfloat16>)
    return DType::bf16;
  else if constexpr (std::is_same_v<U, float>)
    return DType::f32;
  else if constexpr (std::is_same_v<U, double>)
    return DType::f64;
  else
    static_assert(!sizeof(T), "no DType for this type");
}

/// Whether T is a floating-point type that only stores: its arithmetic is done in float.
template <class T>
inline constexpr bool is_narrow_float = std::is_same_v<T, Half> || std::is_same_v<T, Bfloat16>;

/// Calls `f.template operator()<T>()` with the C++ type of `dtype`, which must be one of `Types`.
/// @throws std::invalid_argument if it is none of them.
template <class... Types, class F>
decltype(auto) dispatch(DType dtype, F&& f) {
  using Result = decltype((f.template operator()<Types>(), ...));
  if constexpr (std::is_void_v<Result>) {
    if (!((dtype == dtype_of<Types>() ? (f.template operator()<Types>(), true) : false) || ...))
      throw std::invalid_argument("this element type is not supported here");
  } else {
    std::optional<Result> result;
    if (!((dtype == dtype_of<Types>() ? (result = f.template operator()<Types>(), true) : false) || ...))
      throw std::invalid_argument("this element type is not supported here");
    return Result(*std::move(result));
  }
}

/// As above for every element type there is.
template <class F>
decltype(auto) dispatch_any(DType dtype, F&& f) {
  return dispatch<std::uint8_t, std::int8_t, std::int32_t, std::int64_t, Half, Bfloat16, float, double>(
      dtype, std::forward<F>(f));
}

}  // namespace warplab
