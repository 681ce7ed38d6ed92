#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "common/host/bad_input.hpp"

namespace warplab {

/// A batch's own files cannot be written: the next submission's could not be either, so the batch ends.
struct CannotWrite : BadInput {
  using BadInput::BadInput;
};

/// In a child process: what the work came to, or why it came to nothing, as text for the parent.
std::string text_of_result(const std::function<nlohmann::ordered_json()>& work) noexcept;

/// In the parent: what the work came to. Null, with the reason in `why`, if it came to nothing, which costs
/// this one submission.
/// @param text as text_of_result() made it; anything else is as if the child had ended before it was done
/// @throws CannotWrite if that is the reason
nlohmann::ordered_json result_in(const std::string& text, std::string& why);

}  // namespace warplab
