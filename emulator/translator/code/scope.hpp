#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/translator/code/token.hpp"

namespace warplab::translator {

/// Where the name that is used at token `use` is declared in the functions and lambdas around it, parameters
/// included: the token of the nearest declaration, or -1 where it is that of a namespace, a class or a
/// template. It reads tokens: `a * b;` is a declaration of b.
int local_declaration(const Source& source, int use, std::string_view name);

/// The same, of the parameters of the function or lambda whose body's brace is token `open`, and of what is
/// declared around a lambda.
int declaration_around(const Source& source, int open, std::string_view name);

/// The first token of that name between `template` and the brace of the innermost template around token i
/// that has one: its parameter. -1 if there is none.
int parameter_of_template(const Source& source, int i, std::string_view name);

/// Whether the name at token i is declared there or around it: of a variable, a parameter, a member of the
/// class around. Else it is that of a namespace, or the compiler's own, such as `threadIdx`.
bool is_users_own(const Source& source, int i);

/// Whether token i is in a local class, or in a lambda that captures nothing without being named, within the
/// body that token `body` opens: the local variables of that body cannot be used there.
bool sees_no_locals(const Source& source, int body, int i);

/// The namespaces around token i, from the outermost; those without a name are left out.
std::vector<std::string> namespaces_around(const Source& source, int i);
/// The same with an empty string for each that has no name.
std::vector<std::string> all_namespaces_around(const Source& source, int i);

/// What is written before the last part of `a::b::name` or `::name`.
struct QualifiedName {
  int first;  ///< token
  bool is_global;
  std::vector<std::string> namespaces;
};
/// The qualified name that ends at token i, if there is one and it has no template arguments.
std::optional<QualifiedName> qualified_name(const Source& source, int i);

/// The semicolon that ends the declaration or statement which token `first` begins.
/// @throws std::runtime_error if there is none
int statement_end(const Source& source, int first);

/// The `>` that ends the template arguments which the `<` at token i begins; -1 if it begins none.
int end_of_template_arguments(const Source& source, int i);

/// Whether token i is at namespace scope.
bool is_at_namespace_scope(const Source& source, int i);

/// Whether the declaration of a name, at token i, says `constexpr`.
bool is_constexpr(const Source& source, int i);

}  // namespace warplab::translator
