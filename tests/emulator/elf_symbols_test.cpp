// Functions by the symbol tables of modules, also of files that are not what they seem.
#include "emulator/src/base/elf_symbols.hpp"

#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#include "tests/common/scratch_folder.hpp"

namespace warplab::emulator {
namespace {

class ElfSymbols : public testing::Test {
 protected:
  static std::string program() {
    std::ifstream file("/proc/self/exe", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  std::vector<ElfFunction> functions_in(const std::string& content) const {
    const std::filesystem::path path = folder_ / "module";
    std::ofstream(path, std::ios::binary) << content;
    return functions_of(path);
  }

  const ScratchFolder folder_;
};

TEST_F(ElfSymbols, StaticFunctionsAreThere) {
  const std::vector<ElfFunction> functions = functions_of(path_of_module("a name without a folder"));
  EXPECT_TRUE(std::ranges::any_of(functions, [](const ElfFunction& function) {
    return function.name.find("StaticFunctionsAreThere") != std::string::npos && function.bytes > 0;
  }));
}

TEST_F(ElfSymbols, NothingIsFoundInFilesThatEndEarly) {
  const std::string whole = program();
  EXPECT_FALSE(functions_in(whole).empty());
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{3}, sizeof(Elf64_Ehdr) - 1, sizeof(Elf64_Ehdr),
                                  whole.size() / 2, whole.size() - 1})
    EXPECT_TRUE(functions_in(whole.substr(0, bytes)).empty()) << bytes;
  EXPECT_TRUE(functions_in("no program at all, but longer than the header of one would be, by far").empty());
}

TEST_F(ElfSymbols, SizesThatAFileDoesNotHaveAreNotBelieved) {
  std::string program = ElfSymbols::program();
  Elf64_Ehdr header;
  std::memcpy(&header, program.data(), sizeof header);
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    char* const place = program.data() + header.e_shoff + i * sizeof section;
    std::memcpy(&section, place, sizeof section);
    if (section.sh_type == SHT_SYMTAB) section.sh_size = std::uint64_t{1} << 60;
    std::memcpy(place, &section, sizeof section);
  }
  EXPECT_TRUE(functions_in(program).empty());
}

}  // namespace
}  // namespace warplab::emulator
