#pragma once

#include <filesystem>
#include <string>

// How a browser lays a page out. Tests of pages skip where none is installed.

namespace warplab::house {

/// The command that starts a browser; "" where there is none.
std::string browser();

/// A page with all unfolded that can be.
std::string unfolded(std::string page);

/// What sticks out of a page that is shown this wide, in pixels: of the whole, each element that no scrolling
/// box holds, texts of a chart that lie upon each other, and on a desk tables that must be scrolled.
/// @param folder where the page is written, beside what it shows
/// @param sections the page must have at least, or it is not the one that was meant
/// @return "" if nothing does @pre there is a browser
std::string overflow(const std::filesystem::path& folder, const std::string& page, int width,
                     int sections = 0);

/// The same of a page that was written already. @param folder the probe's
std::string overflow_of_file(const std::filesystem::path& folder, const std::string& file, int width,
                             int sections = 0);

/// Every occurrence of a text, replaced.
void replace_all(std::string& text, const std::string& from, const std::string& to);

}  // namespace warplab::house
