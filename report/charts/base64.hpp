#pragma once

#include <string>
#include <string_view>

namespace warplab::report {

/// Bytes as RFC 4648 writes them, padded.
std::string base64(std::string_view bytes);

/// "data:image/png;base64,...": bytes within a page.
std::string data_uri(std::string_view media_type, std::string_view bytes);

}  // namespace warplab::report
