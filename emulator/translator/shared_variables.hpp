#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/translator/code/edits.hpp"
#include "emulator/translator/code/functions.hpp"
#include "emulator/translator/code/scope.hpp"
#include "emulator/translator/code/token.hpp"

namespace warplab::translator {

/// The `__shared__` variables of a file. Each becomes a reference that the functions which use it declare.
class SharedVariables : private TokenReader {
 public:
  SharedVariables(const Source& source, const DeviceCode& code, Edits& edits)
      : TokenReader(source), code_(code), edits_(edits) {}

  /// Takes the declaration around the `__shared__` at token i out of the text.
  /// @throws std::runtime_error for what CUDA does not allow either
  void declare(int i);
  /// Where a function says `a::tile`, it gets a reference to the variable of that namespace, and says that
  /// reference's name. To be called once all variables are declared.
  void refer_by_qualified_names();

  /// The types that belong to the variables which the body with this brace declares.
  std::string tags_of(int body) const;
  /// What a body begins with: references to the variables at file scope that it uses.
  std::string file_scope_of(int body) const;
  /// What comes before the file's first line.
  std::string names_of_dynamic_memory() const;
  /// What comes after its last line.
  std::string alignment_of_dynamic_memory() const;

 private:
  /// A variable outside of functions.
  struct FileScopeVariable {
    std::string name;
    std::vector<std::string> namespaces;
    std::string value;  ///< what a reference to it is initialised with
  };
  struct Declaration {
    int body;  ///< the function's brace
    std::string tags;
  };

  /// The opening brace of `__shared__ struct { ... } s;`, or -1.
  int braces_of_record(int shared) const;
  /// Whether the body around a declaration defines names of types before it, which a record may use.
  bool names_types(int shared) const;
  /// Gives the record of a declaration in a function a name, if it has none, and leaves it where it is.
  /// @return the name
  std::string keep_record(int shared, int brace);
  /// The same type with a name, on one line, so that it can be where the body begins.
  std::string record_definition(int shared, int brace, const std::string& name) const;
  /// What `extern __shared__ __align__(1024)` asks for; an expression may ask for as much.
  void note_dynamic_alignment(int first, int end, std::size_t alignment);
  /// The type that names an `extern __shared__` variable: one for all that C++ takes for the same variable.
  std::string dynamic_name(int i, const std::string& name);
  /// Of a variable at file scope: every function whose body means it gets the reference. Of several with one
  /// name, a function means that of the namespace around it.
  void refer_to(int i, const std::string& name, const std::string& value);
  void refer_by_qualified_names(const Function& user);
  /// The variable that C++ finds: in the innermost of the namespaces around the use where there is one.
  const FileScopeVariable* variable_meant(const QualifiedName& name, std::string_view last,
                                          std::vector<std::string> around) const;

  const DeviceCode& code_;
  Edits& edits_;
  std::vector<Declaration> declarations_;  ///< in functions
  std::size_t dynamic_alignment_ = 0;
  std::map<std::vector<std::string>, std::size_t> dynamic_names_;  ///< with their namespaces, numbered
  /// References to variables declared outside functions: by the function's brace, then by name.
  std::map<int, std::map<std::string, std::string>> file_scope_;
  std::vector<FileScopeVariable> at_file_scope_;
};

}  // namespace warplab::translator
