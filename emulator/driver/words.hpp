#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplab::driver {

/// The words of a text as a shell would cut them: '...' and "..." hold spaces together, also inside a word,
/// and a backslash outside '...' takes what follows it literally.
std::vector<std::string> words_of(std::string_view text);

/// Whether a name of C++ may have it: a letter, a digit or an underscore.
bool is_in_name(char c);

/// The parts between commas, of which `\,` is none.
std::vector<std::string> parts_of_list(std::string_view list);

/// What nvcc passes on for "-fopenmp,-DX=1 -O2": parts between commas, of which `\,` is none, and their
/// words.
std::vector<std::string> words_of_list(std::string_view list);

}  // namespace warplab::driver
