#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplab::translator {

/// What a PTX type is in the translated code.
struct PtxType {
  std::string_view name;  ///< "u32"
  std::string_view cpp;   ///< "unsigned"
  int bytes;              ///< 0 for a predicate
  bool is_float, is_signed;
};

/// The type of that name, or null.
const PtxType* find_ptx_type(std::string_view name);

/// The modifiers of an instruction's name, which are taken one by one.
class PtxModifiers {
 public:
  /// Cuts "ld.global.v4.f32" at its dots; `base` is the first part.
  explicit PtxModifiers(std::string_view name);

  const std::string& base() const { return base_; }
  /// Takes away a modifier, wherever it is. @return whether it was there
  bool take(std::string_view modifier);
  /// Takes away the first of these that is there; "" if none is.
  std::string take_one_of(std::initializer_list<std::string_view> modifiers);
  /// Takes away the next type, from the left; null if there is none.
  const PtxType* take_type();
  /// Takes away what begins so, all of it: "L2::". @return whether something did
  bool take_prefix(std::string_view prefix);
  const std::vector<std::string>& rest() const { return rest_; }

 private:
  std::string base_;
  std::vector<std::string> rest_;
};

}  // namespace warplab::translator
