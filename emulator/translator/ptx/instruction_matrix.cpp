// Tensor cores and what feeds their fragments.
#include "emulator/translator/ptx/instruction.hpp"

namespace warplab::translator {
namespace {

struct Matrix : PtxInstruction {
  using PtxInstruction::PtxInstruction;

  void ldmatrix() {
    const Tiles tiles = take_tiles();
    const std::vector<PtxOperand> to = group(o[0], tiles.count);
    e.write("unsigned warplab_words[" + std::to_string(tiles.count) + "]; " + ptx + "ldmatrix" +
            tiles.arguments + "(warplab_words, " + shared_address(o[1]) + ", " + site() + "); ");
    for (unsigned i = 0; i < tiles.count; ++i) e.put(to[i], "warplab_words[" + std::to_string(i) + "]");
  }
  void stmatrix() {
    const Tiles tiles = take_tiles();
    e.write(array("words", group(o[1], tiles.count), "unsigned") + ptx + "stmatrix" + tiles.arguments + "(" +
            shared_address(o[0]) + ", warplab_words, " + site() + "); ");
  }
  /// .sync.aligned.m8n8.trans.b16
  void movmatrix() {
    for (const std::string_view part : {"sync", "aligned", "m8n8", "trans", "b16"})
      if (!m.take(part)) e.unknown();
    need(2);
    e.put(o[0], ptx + "movmatrix(" + value(1, "unsigned") + ", " + site() + ")");
  }
  struct Tiles {
    unsigned count;         ///< of 8x8 elements
    std::string arguments;  ///< "<4, true>": the count, and whether they are transposed
  };
  /// .sync.aligned.m8n8.x4{.trans}{.shared}.b16, of ldmatrix and stmatrix
  Tiles take_tiles() {
    if (!m.take("sync") || !m.take("aligned") || !m.take("m8n8")) e.unknown();
    const unsigned count = m.take("x1") ? 1 : m.take("x2") ? 2 : m.take("x4") ? 4 : 0;
    const bool transposed = m.take("trans");
    m.take("shared") || m.take("shared::cta");
    if (count == 0 || !m.take("b16")) e.unknown();
    need(2);
    return {count, "<" + std::to_string(count) + (transposed ? ", true>" : ", false>")};
  }
  /// `[a+16]` as the number that it is: lanes without a row need not give an address.
  std::string shared_address(const PtxOperand& operand) const {
    const std::string pointer = e.address(operand, "shared");
    const std::size_t begin = pointer.find('('), end = pointer.rfind(", {");
    return pointer.substr(begin + 1, end - begin - 1);
  }
  std::string array(const std::string& name, const std::vector<PtxOperand>& parts,
                    std::string_view type) const {
    std::string values;
    for (const PtxOperand& part : parts) values += (values.empty() ? "" : ", ") + e.value(part, type);
    return "const " + std::string(type) + " warplab_" + name + "[" + std::to_string(parts.size()) + "] = {" +
           values + "}; ";
  }

  struct MatrixFormat {
    std::string_view ptx, format;
    int bits;
  };
  static const MatrixFormat* matrix_format(const std::string& name) {
    static constexpr MatrixFormat formats[] = {{"f16", "half", 16},        {"bf16", "bfloat16", 16},
                                               {"tf32", "tf32", 32},       {"s8", "signed_byte", 8},
                                               {"u8", "unsigned_byte", 8}, {"f64", "float64", 64}};
    for (const MatrixFormat& one : formats)
      if (one.ptx == name) return &one;
    return nullptr;
  }

  /// mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d}, {a}, {b}, {c}
  void mma() {
    if (!m.take("sync") || !m.take("aligned") || !m.take("row") || !m.take("col")) e.unknown();
    const bool saturate = m.take("satfinite");
    const std::string shape = m.take_one_of({"m16n8k16", "m16n8k8", "m16n8k4", "m16n8k32", "m8n8k4"});
    const std::vector<std::string> types = m.rest();
    if (shape.empty() || types.size() != 4) e.unknown();
    m.take_prefix("");
    const MatrixFormat *const a = matrix_format(types[1]), *const b = matrix_format(types[2]);
    if (a == nullptr || b == nullptr || a->bits != b->bits) e.unknown();
    const int rows = shape[1] == '8' ? 8 : 16, depth = std::atoi(shape.c_str() + shape.find('k') + 1);
    const std::string sum = a->bits == 8 ? "s32" : a->bits == 64 ? "f64" : "f32";
    const bool d_half = types[0] == "f16", c_half = types[3] == "f16";
    if ((d_half || c_half) && (types[1] != "f16" || d_half != c_half)) e.unknown();
    if ((!d_half && types[0] != sum) || (!c_half && types[3] != sum) || (saturate && a->bits != 8))
      e.unknown();
    if (!exists(rows, depth, *a)) e.unknown();
    need(4);
    const bool doubles = a->bits == 64;
    const std::string_view cpp = doubles ? "double" : "unsigned";
    const auto registers = [&](int elements, int bits) {
      return static_cast<unsigned>(elements * bits / 32 / (doubles ? 64 : 32));
    };
    const unsigned of_a = registers(rows * depth, a->bits), of_b = registers(8 * depth, b->bits);
    const unsigned of_d = registers(rows * 8, d_half ? 16 : doubles ? 64 : 32);
    e.write(array("a", group(o[1], of_a), cpp) + array("b", group(o[2], of_b), cpp) +
            array("c", group(o[3], of_d), cpp) + std::string(cpp) + " warplab_d[" + std::to_string(of_d) +
            "]; ");
    const std::string format = "::warplab::emulator::WmmaFormat::";
    e.write(ptx + "mma<::warplab::emulator::wmma_kind(" + std::to_string(rows) + ", 8, " +
            std::to_string(depth) + ", " + format + std::string(a->format) + ", " + format +
            std::string(b->format) + ")>(warplab_d, warplab_a, warplab_b, warplab_c, " +
            (c_half ? "true, " : "false, ") + (d_half ? "true, " : "false, ") +
            (saturate ? "true, " : "false, ") + site() + "); ");
    const std::vector<PtxOperand> to = group(o[0], of_d);
    for (unsigned i = 0; i < of_d; ++i) e.put(to[i], "warplab_d[" + std::to_string(i) + "]");
  }
  static bool exists(int rows, int depth, const MatrixFormat& format) {
    if (rows == 8) return depth == 4 && format.bits == 64;
    if (format.bits == 16) return depth == 8 || depth == 16;
    if (format.bits == 8) return depth == 16 || depth == 32;
    return format.bits == 32 && (depth == 4 || depth == 8);
  }
};

}  // namespace

const PtxHandlers& ptx_matrices() {
  static const PtxHandlers all{{"ldmatrix", emit_as<&Matrix::ldmatrix>},
                               {"stmatrix", emit_as<&Matrix::stmatrix>},
                               {"movmatrix", emit_as<&Matrix::movmatrix>},
                               {"mma", emit_as<&Matrix::mma>}};
  return all;
}

}  // namespace warplab::translator
