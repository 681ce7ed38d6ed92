#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/sandbox/sandbox.hpp"

namespace warplab {

/// What can be asked of a machine, so that what is concluded from it can be tested
/// on machines that are not here.
class Machine {
 public:
  virtual ~Machine() = default;
  /// What a program prints on its standard output; nothing if it is not installed or fails.
  virtual std::optional<std::string> output_of(const std::vector<std::string>& command) const = 0;
  /// The text of a file; nothing if it cannot be read.
  virtual std::optional<std::string> text_of(const std::filesystem::path& file) const = 0;
  virtual std::string variable(const std::string& name) const = 0;  ///< of the environment, or ""
  virtual bool has_nvidia_device() const = 0;                       ///< on its PCI bus, whatever the driver
  virtual bool is_root() const = 0;
  virtual bool has_apt() const = 0;
  virtual std::uint64_t free_disk_bytes(const std::filesystem::path& folder) const = 0;
  virtual std::uint64_t available_memory_bytes() const = 0;
  /// Why a level of the sandbox does not work, tried out; "" if it does.
  virtual std::string obstacle_of(SandboxLevel level) const = 0;
  virtual std::string processor() const = 0;    ///< "x86_64", "aarch64"
  virtual bool reads_machine_code() const = 0;  ///< whether this warplab was built with Zydis
  virtual bool reads_archives() const = 0;      ///< whether this warplab was built with libarchive
};

/// The one that this program runs on.
class ThisMachine : public Machine {
 public:
  std::optional<std::string> output_of(const std::vector<std::string>& command) const override;
  std::optional<std::string> text_of(const std::filesystem::path& file) const override;
  std::string variable(const std::string& name) const override;
  bool has_nvidia_device() const override;
  bool is_root() const override;
  bool has_apt() const override;
  std::uint64_t free_disk_bytes(const std::filesystem::path& folder) const override;
  std::uint64_t available_memory_bytes() const override;
  std::string obstacle_of(SandboxLevel level) const override;
  std::string processor() const override;
  bool reads_machine_code() const override;
  bool reads_archives() const override;
};

}  // namespace warplab
