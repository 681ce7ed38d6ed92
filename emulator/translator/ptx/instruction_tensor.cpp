// cp.async.bulk.tensor: boxes of tensors.
#include "emulator/translator/ptx/instruction.hpp"

namespace warplab::translator {
namespace {

struct Tensor {
  PtxInstruction& i;
  PtxEmitter& e = i.e;
  PtxModifiers& m = i.m;
  unsigned rank = 0;

  void copy(bool reduces) {
    const bool prefetches = m.take("prefetch");
    const std::string tensor_rank = m.take_one_of({"1d", "2d", "3d", "4d", "5d"});
    if (tensor_rank.empty()) e.unknown();
    rank = static_cast<unsigned>(tensor_rank[0] - '0');
    if (!m.take_one_of(
              {"im2col", "im2col_no_offs", "im2col::w", "im2col::w::128", "tile::gather4", "tile::scatter4"})
             .empty())
      e.fail("PTX instruction '" + e.name() + "': the emulator has tensor copies only of the mode .tile");
    if (prefetches) return prefetch();
    if (m.rest().size() < 2) e.unknown();
    const std::string to = m.rest()[0], from = m.rest()[1];
    m.take(to);
    m.take(from);
    m.take("tile");
    if (to == "global" && from == "shared::cta")
      store(reduces);
    else if ((to == "shared::cluster" || to == "shared::cta") && from == "global" && !reduces)
      load(to == "shared::cta" ? "shared" : "cluster_shared");
    else
      e.unknown();
  }

  /// `[map, {x, y}]` as a TensorBox.
  std::string box(const PtxOperand& operand) const {
    const bool has_coordinates = operand.kind == PtxOperand::Kind::address && operand.parts.size() == 2;
    if (!has_coordinates) e.fail("PTX instruction '" + e.name() + "' needs [map, {coordinates}]");
    std::string coordinates;
    for (const PtxOperand& part : i.group(operand.parts[1], rank))
      coordinates += (coordinates.empty() ? "" : ", ") + e.value(part, "int");
    return "{" + e.address(operand, "global") + ", " + std::to_string(rank) + ", {" + coordinates + "}}";
  }

  /// cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
  /// [to], [map, {x, y}], [barrier], mask
  void load(const std::string& where) {
    const bool multicast = m.take("multicast::cluster"), policy = i.hints();
    if (!m.take("mbarrier::complete_tx::bytes")) e.unknown();
    i.need(3 + static_cast<std::size_t>(multicast) + policy);
    e.write(ptx + (multicast ? "cp_async_bulk_tensor_multicast(" : "cp_async_bulk_tensor_load(") +
            e.address(i.o[0], where) + ", " + box(i.o[1]) + ", " + e.address(i.o[2], where) +
            (multicast ? ", " + i.value(3, "unsigned short") : "") + ", " + i.site() + "); ");
  }
  /// cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [map, {x, y}], [from]
  void store(bool reduces) {
    const bool policy = i.hints();
    if (!m.take("bulk_group")) e.unknown();
    std::string operation = "store";
    if (reduces) {
      operation = m.take_one_of({"add", "min", "max", "and", "or", "xor", "inc", "dec"});
      if (operation.empty()) e.unknown();
      if (operation == "and" || operation == "or" || operation == "xor") operation = "bit_" + operation;
      if (operation == "inc") operation = "increment";
      if (operation == "dec") operation = "decrement";
    }
    i.need(2 + static_cast<std::size_t>(policy));
    e.write(ptx + "cp_async_bulk_tensor_store(" + box(i.o[0]) + ", " + e.address(i.o[1], "shared") +
            ", ::warplab::emulator::BulkOperation::" + operation + ", " + i.site() + "); ");
  }
  /// cp.async.bulk.prefetch.tensor.2d.L2.global.tile [map, {x, y}]
  void prefetch() {
    if (!m.take("L2") || !m.take("global")) e.unknown();
    m.take("tile");
    const bool policy = i.hints();
    i.need(1 + static_cast<std::size_t>(policy));
    e.write("::warplab::emulator::prefetch_tensor(" + box(i.o[0]) + ", " + i.site() + "); ");
  }
};

}  // namespace

void emit_tensor_copy(PtxInstruction& instruction, bool reduces) { Tensor{instruction}.copy(reduces); }

}  // namespace warplab::translator
