#include "grader/judge/failure.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "common/launch_shape.hpp"
#include "grader/text/printable.hpp"

namespace warplab {
namespace {

constexpr std::size_t max_findings = 20, max_columns = 200;

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename(); }

const char* amount_of(double share) {
  return share > 0.99   ? "all elements are wrong"
         : share > 0.5  ? "most elements are wrong"
         : share > 0.05 ? "many elements are wrong"
                        : "a few elements are wrong";
}

std::string public_heading(const Failure& f) {
  switch (f.kind) {
    case Failure::Kind::refused:
      return "the launcher refused a case that it must take: " + f.details;
    case Failure::Kind::not_recorded:
    case Failure::Kind::not_computed:
      return "refused: " + f.details;
    case Failure::Kind::findings:
      return "the result is correct, but only by chance:";
    case Failure::Kind::ended_badly:
    case Failure::Kind::timed_out:
    case Failure::Kind::wrong_values:
      break;
  }
  return f.details;
}

/// Errors that a kernel or its launch ends with. A launcher could throw any other, and so tell what it knows.
bool is_of_a_kernel(int error) {
  static constexpr std::array errors = {
      cudaErrorInvalidValue,   cudaErrorMemoryAllocation,     cudaErrorInvalidConfiguration,
      cudaErrorIllegalAddress, cudaErrorLaunchOutOfResources, cudaErrorLaunchTimeout,
      cudaErrorAssert,         cudaErrorMisalignedAddress,    cudaErrorLaunchFailure};
  return std::ranges::find(errors, static_cast<cudaError_t>(error)) != errors.end();
}

std::string hidden_heading(const Failure& f) {
  switch (f.kind) {
    case Failure::Kind::refused:
      return "the launcher refused a case that it must take";
    case Failure::Kind::timed_out:
      return "it did not finish in time: a loop that never ends, or a wait that nobody ends";
    case Failure::Kind::not_recorded:
      return "refused: not all that it launched was recorded";
    case Failure::Kind::wrong_values:
      return amount_of(f.share_wrong);
    case Failure::Kind::not_computed:
      return "refused: its kernels did not do the work";
    case Failure::Kind::findings:
      return "the result is correct, but only by chance:";
    case Failure::Kind::ended_badly:
      break;
  }
  const std::string error = is_of_a_kernel(f.cuda_error) ? name_of_cuda_error(f.cuda_error) : "";
  return error.empty() ? "it failed while it ran" : "it failed while it ran (" + error + ")";
}

/// A kernel without its template arguments, which may be numbers of the input.
std::string function_of(const std::string& kernel) {
  return shown_line(kernel.substr(0, kernel.find('<')), 80);
}

std::string public_line(const lens::Finding& f) {
  return fmt::format("\n{}:{}: {} in {}: {}", shown_line(file_name(f.file), max_columns), f.line,
                     name_of(f.kind), shown_line(f.kernel, max_columns), shown_text(f.text));
}

std::string hidden_line(const lens::Finding& f, const Places& shown) {
  std::string line = "\n";
  const auto line_of = shown.lower_bound({f.file, f.line, ""});
  const bool is_known = !f.place_is_claimed && line_of != shown.end() && std::get<0>(*line_of) == f.file &&
                        std::get<1>(*line_of) == f.line;
  if (is_known) line += fmt::format("{}:{}: ", shown_line(file_name(f.file), max_columns), f.line);
  line += name_of(f.kind);
  // Of many kernels that fail at one line, which one could be chosen by the size.
  if (is_known && !f.kernel.empty() && shown.contains({f.file, f.line, function_of(f.kernel)}))
    line += " in " + function_of(f.kernel);
  if (f.hint != lens::Hint::none) line += fmt::format(": {}", text_of(f.hint));
  return line;
}

}  // namespace

std::string public_text(const Failure& failure) {
  std::string text = public_heading(failure);
  const std::size_t shown = std::min(failure.findings.size(), max_findings);
  for (std::size_t i = 0; i < shown; ++i) text += public_line(failure.findings[i]);
  if (shown < failure.findings.size())
    text += fmt::format("\n  and {} more findings", failure.findings.size() - shown);
  if (!failure.launched && failure.kind == Failure::Kind::wrong_values) text += "\n  no kernel was launched";
  if (failure.in_layers)
    text += fmt::format(
        "\n  its grid goes on in z (blockIdx.z): graded code has at most {0} blocks in y, and so has the "
        "lab's program with --blocks-down {0}",
        graded_blocks_down);
  return without_places(text);
}

std::string hidden_text(const Failure& failure, const Places& shown) {
  std::string text = hidden_heading(failure);
  if (!failure.findings.empty()) text += hidden_line(failure.findings.front(), shown);
  return text;
}

Places places_in(const Failure& failure) {
  Places places;
  for (std::size_t i = 0; i < std::min(failure.findings.size(), max_findings); ++i)
    if (const lens::Finding& f = failure.findings[i]; !f.file.empty() && !f.place_is_claimed)
      places.emplace(f.file, f.line, function_of(f.kernel));
  return places;
}

}  // namespace warplab
