#pragma once

#include <string_view>

namespace warplab::driver {

// Flags that only nvcc has. Names are without the dashes and without a value: "arch" of "-arch=sm_90".

/// Whether a flag without a value is of nvcc itself or of code for GPUs, and means nothing here.
bool is_of_nvcc(std::string_view name);

/// The same, of a flag whose value is after a = or in the next word.
bool is_of_nvcc_with_value(std::string_view name);

/// Why a flag cannot be followed here, as the end of a sentence: "makes code for a GPU; ...". Empty for
/// others.
std::string_view refusal_of(std::string_view name);

/// A flag of nvcc's that has a short form with the same values.
struct LongForm {
  std::string_view name, short_form;
  bool is_list;  ///< its value may be several, between commas
};

/// The form of that name, or null. Those with one dash that have these names are g++'s.
const LongForm* find_long_form(std::string_view name);

/// The short form of a word that takes no value, or "".
std::string_view short_form_without_value(std::string_view word);

}  // namespace warplab::driver
