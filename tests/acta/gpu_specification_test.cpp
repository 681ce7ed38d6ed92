#include "acta/gpu_specification.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "../common/scratch_folder.hpp"
#include "round_gpu.hpp"

namespace warplab::acta {
namespace {

const std::string devices = WARPLAB_SOURCE_DIR "/labs/13_tma_queues/devices/";

/// Every figure measured, so that none needs a note.
std::string valid_json() {
  GpuSpecification gpu = round_gpu();
  for (const Field& field : fields()) (gpu.*field.figure).source = Source::measured;
  return to_json(gpu);
}

std::string with(const std::string& what, const std::string& replacement) {
  std::string text = valid_json();
  const std::size_t place = text.find(what);
  if (place == std::string::npos) throw std::logic_error("no " + what);
  return text.replace(place, what.size(), replacement);
}

std::string refusal_of_table(const std::string& json) {
  return message_of<std::invalid_argument>([&] { specification_from_json(json, "gpu.json"); });
}

TEST(GpuSpecification, ReadsWhatItWrites) {
  for (const char* name : {"h100", "h200", "r9_nano"}) {
    SCOPED_TRACE(name);
    const GpuSpecification gpu = read_specification(devices + name + ".json");
    EXPECT_EQ(to_json(gpu), content_of(devices + name + ".json"));
    for (const Field& field : fields()) {
      const Figure& figure = gpu.*field.figure;
      EXPECT_TRUE(figure.source != Source::assumed || !figure.note.empty()) << field.name;
    }
  }
}

TEST(GpuSpecification, TheR9NanoIsThatOfTableTwo) {
  const GpuSpecification gpu = read_specification(devices + "r9_nano.json");
  EXPECT_EQ(gpu.clock_ghz, 1);
  EXPECT_EQ(gpu.multiprocessors, 64);
  EXPECT_EQ(gpu.multiplications_per_cycle * gpu.warp_pools, 64);
  EXPECT_EQ(gpu.l1_bytes, 16 * 1024);
  EXPECT_EQ(gpu.l2_bytes, 16 * 256 * 1024);
  EXPECT_EQ(gpu.dram_gigabytes_per_second, 512);
}

TEST(GpuSpecification, DividesTheBandwidthAmongMultiprocessors) {
  EXPECT_DOUBLE_EQ(round_gpu().dram_bytes_per_cycle(10), 16);
  EXPECT_DOUBLE_EQ(round_gpu().dram_bytes_per_cycle(5), 32);
  EXPECT_DOUBLE_EQ(round_gpu().l2_bytes_per_cycle(10), 32);
}

TEST(GpuSpecification, NamesWhatIsMissingOrUnknown) {
  EXPECT_EQ(refusal_of_table("[]"), "gpu.json: this is not a JSON object with the fields of a GPU");
  EXPECT_EQ(refusal_of_table("{"), "gpu.json: this is not a JSON object with the fields of a GPU");
  EXPECT_EQ(refusal_of_table("{}"), "gpu.json: the GPU's name is missing");
  EXPECT_EQ(refusal_of_table(R"({"name": "x"})"), "gpu.json: the field clock_ghz is missing");
  EXPECT_EQ(refusal_of_table(R"({"name": "x", "clock": {"value": 1}})"),
            "gpu.json: the field 'clock' is unknown");
}

TEST(GpuSpecification, NamesTheValueAndWhatIsAccepted) {
  EXPECT_EQ(refusal_of_table(with(R"("l2_bytes": {"value":1048576)", R"("l2_bytes": {"value":-1)")),
            "gpu.json: l2_bytes is -1; it must be from 1024 to 1.71799e+10 (bytes)");
  EXPECT_EQ(refusal_of_table(with(R"("clock_ghz": {"value":1,"source":"measured"})", R"("clock_ghz": 1)")),
            R"(gpu.json: clock_ghz is 1; it must be an object such as {"value": 0.1, "source": "measured"})");
  EXPECT_EQ(
      refusal_of_table(with(R"("source":"measured")", R"("source":"guessed")")),
      "gpu.json: clock_ghz has the source 'guessed'; sources are measured, attribute, datasheet, assumed");
  EXPECT_EQ(refusal_of_table(with(R"("source":"measured")", R"("source":"assumed")")),
            "gpu.json: clock_ghz is assumed without a note; the note gives the reason");
  EXPECT_EQ(refusal_of_table(with(R"("source":"measured")", R"("source":3)")),
            "gpu.json: the source of clock_ghz is 3; it must be text");
  EXPECT_EQ(refusal_of_table(with(R"("source":"measured")", R"("source":"measured","unit":"GHz")")),
            "gpu.json: clock_ghz has 'unit'; a figure has value, source and note");
}

TEST(GpuSpecification, NamesAFileThatIsNotThere) {
  EXPECT_EQ(message_of<std::invalid_argument>([] { read_specification("/nowhere/gpu.json"); }),
            "cannot read /nowhere/gpu.json; it must be a GPU's table as JSON");
}

}  // namespace
}  // namespace warplab::acta
