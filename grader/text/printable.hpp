#pragma once

#include <string>
#include <string_view>

namespace warplab {

/// Bytes as UTF-8: each byte that is part of no character becomes U+FFFD.
std::string valid_utf8(std::string_view bytes);

/// Text of a student's making, such as what a compiler said of it, fit to be shown: valid UTF-8 without
/// escape sequences of terminals, without control characters (but for line ends and tabs) and without
/// characters that are unseen or turn the direction of text. Of long lines and long texts the beginning, and
/// how much was left out.
std::string shown_text(std::string_view text, std::size_t max_lines = 40, std::size_t max_columns = 1000);

/// The same in one line: line ends and tabs become blanks.
std::string shown_line(std::string_view text, std::size_t max_columns = 1000);

/// Text without what differs from run to run: "0x..." for each address (six hexadecimal digits or more), and
/// of each path that names a file the file's name.
std::string without_places(std::string_view text);

/// A name that can be shown and used as the name of a file: as it is where it can be; otherwise what cannot
/// be shown is replaced, what is too long is cut, and a part of the name's digest is added, so that
/// different names stay different.
std::string printable_name(std::string_view bytes);

/// A printable name with a part of the digest of some bytes, which keeps it apart from
/// others of that name: "alice~1a2b3c4d".
std::string marked_name(std::string_view name, std::string_view bytes);

/// Whether printable_name() would leave it as it is.
bool is_printable_name(std::string_view name);

}  // namespace warplab
