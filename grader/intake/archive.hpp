#pragma once

#include <map>
#include <string>
#include <string_view>

#include "grader/intake/submission_reader.hpp"

namespace warplab {

/// Goes over the entries of an archive in memory: zip, or tar as it is or compressed by gzip, xz, zstd or
/// bzip2. Nothing is unpacked but what the reader keeps and what lies before it.
/// @throws BadInput, the rest of a sentence about the archive: "is encrypted", "is damaged"; or for a limit
/// @throws NotAvailable if this program was built without libarchive
void read_archive(std::string_view bytes, SubmissionReader& reader);

/// A .tar.gz of some files, by their names: the same bytes for the same files.
/// @throws NotAvailable as above
std::string archive_of(const std::map<std::string, std::string>& contents);

/// A file of a zip.
struct ZipFile {
  std::string content;
  unsigned mode = 0644;
};
/// A .zip of some files, by their names: the same bytes for the same files.
/// @throws NotAvailable as above
std::string zip_of(const std::map<std::string, ZipFile>& files);

}  // namespace warplab
