#pragma once

#include <type_traits>

namespace warplab::emulator {

/// `Name` is a type of its own for each name of an `extern __shared__` variable in a file. Nothing defines
/// the function until FirstDeclaration does.
template <class Name>
struct DeclaredName {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-template-friend"
  friend constexpr auto type_of_first_declaration(DeclaredName);
#pragma GCC diagnostic pop
};

/// A type as a value.
template <class T>
struct DeclaredType {
  using Type = T;
};

/// Where it is compiled, the name has this type from now on.
template <class Name, class T>
struct FirstDeclaration {
  friend constexpr auto type_of_first_declaration(DeclaredName<Name>) { return DeclaredType<T>(); }
};

/// The type of the first declaration that the compiler comes to; of that declaration, its own.
template <class Name, class T, class = void>
struct TypeOfFirst : FirstDeclaration<Name, T>, DeclaredType<T> {};

template <class Name, class T>
struct TypeOfFirst<Name, T,
                   std::void_t<DeclaredType<T>, decltype(type_of_first_declaration(DeclaredName<Name>()))>>
    : decltype(type_of_first_declaration(DeclaredName<Name>())) {};

/// All declarations of one name in a file mean one variable, also those in a template's instances: nvcc
/// refuses a second type.
template <class Name, class T>
struct ExternShared {
  static_assert(std::is_same_v<typename TypeOfFirst<Name, T>::Type, T>,
                "an extern __shared__ variable of this name has another type elsewhere in this file, and "
                "nvcc refuses that. Declare bytes, extern __shared__ unsigned char name[], and cast their "
                "address.");
};

/// A bound of an array does not count.
template <class T>
using WithoutBound = std::conditional_t<std::is_array_v<T>, std::remove_extent_t<T>[], T>;

}  // namespace warplab::emulator
