#include "grader/hunt/pack.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "common/host/bad_input.hpp"
#include "common/io/atomic_file.hpp"
#include "grader/text/source_tree.hpp"

namespace warplab {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* format_name = "warplab-hunt-1";
constexpr const char* pack_file = "hunt.json";

}  // namespace

void write_pack(const fs::path& folder, const std::string& lab, const std::string& name,
                const std::vector<PlantedMistake>& planted) {
  if (fs::exists(folder / pack_file)) throw BadInput(folder.string() + " holds a hunt already");
  Json mistakes = Json::array();
  for (std::size_t i = 0; i < planted.size(); ++i) {
    const fs::path own = folder / std::to_string(i + 1);
    for (const auto& [file, text] : planted[i].files) {
      fs::create_directories((own / file).parent_path());
      write_file_atomically(own / file, text);
    }
    mistakes.push_back({{"task", planted[i].task->id}, {"file", planted[i].task->file}});
  }
  const Json json{{"format", format_name}, {"lab", lab}, {"name", name}, {"mistakes", mistakes}};
  write_file_atomically(folder / pack_file, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

HuntPack read_pack(const fs::path& folder) {
  std::ifstream in(folder / pack_file);
  const Json json = in ? Json::parse(in, nullptr, false) : Json();
  const std::string place = (folder / pack_file).string();
  if (!json.is_object() || json.value("format", Json()) != format_name)
    throw BadInput(place + " is not a hunt");
  try {
    HuntPack pack{json.at("lab"), json.at("name"), {}};
    for (const Json& one : json.at("mistakes"))
      pack.mistakes.push_back(
          {one.at("task"), one.at("file"), folder / std::to_string(pack.mistakes.size() + 1)});
    return pack;
  } catch (const Json::exception&) {
    throw BadInput(place + " is only a part of a hunt");
  }
}

FileTexts texts_of(const PackedMistake& mistake, const Task& task) {
  FileTexts texts;
  for (const std::string& file : task.files()) texts[file] = bytes_of_file(mistake.folder / file);
  return texts;
}

}  // namespace warplab
