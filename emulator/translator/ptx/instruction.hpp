#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/translator/ptx/emitter.hpp"

namespace warplab::translator {

inline const std::string rounding_type = "::warplab::emulator::Rounding::";

/// One PTX instruction on its way to C++, and what all kinds of them read from its name.
struct PtxInstruction {
  PtxEmitter& e;
  const std::vector<PtxOperand>& o;
  PtxModifiers m;

  PtxInstruction(PtxEmitter& emitter, const std::vector<PtxOperand>& operands)
      : e(emitter), o(operands), m(emitter.name()) {}

  const PtxType& type() {
    const PtxType* const found = m.take_type();
    if (found == nullptr) e.unknown();
    return *found;
  }
  static std::string cpp(const PtxType& type) { return std::string(type.cpp); }
  void need(std::size_t count) const { e.need(o, count); }
  std::string value(std::size_t i, const PtxType& type) const { return e.value(o[i], type.cpp); }
  std::string value(std::size_t i, std::string_view type) const { return e.value(o[i], type); }
  std::string site() const { return e.site(); }

  /// "nearest" and the like, of a floating-point operation.
  std::string rounding(std::initializer_list<std::string_view> names = {"rn", "rz", "rp", "rm"}) {
    const std::string found = m.take_one_of(names);
    const char kind = found.size() >= 2 ? found[1] : 'n';
    return kind == 'z' ? "to_zero" : kind == 'p' ? "up" : kind == 'm' ? "down" : "nearest";
  }

  /// .global, .shared::cta and so on (generic where there is none), as the function that makes a pointer.
  std::string space() {
    if (m.take("shared") || m.take("shared::cta")) return "shared";
    if (m.take("shared::cluster")) return "cluster_shared";
    m.take_one_of({"global", "const", "local", "param"});
    return "global";
  }
  /// Hints for caches, which change nothing here. @return whether the last operand is a policy
  bool hints() {
    const bool policy = m.take("L2::cache_hint");
    m.take_prefix("L1::");
    m.take_prefix("L2::");
    return policy;
  }
  unsigned vector() { return m.take("v2") ? 2 : m.take("v4") ? 4 : m.take("v8") ? 8 : 1; }
  /// The registers of an operand: one, or n in braces.
  std::vector<PtxOperand> group(const PtxOperand& operand, unsigned n) const {
    if (n == 1 && operand.kind != PtxOperand::Kind::vector) return {operand};
    if (operand.kind != PtxOperand::Kind::vector || operand.parts.size() != n)
      e.fail("PTX instruction '" + e.name() + "' needs " + std::to_string(n) + " registers in braces");
    return operand.parts;
  }
};

/// Functions that write an instruction's C++, by what its name begins with.
using PtxHandlers = std::map<std::string_view, void (*)(PtxEmitter&, const std::vector<PtxOperand>&)>;

/// The class that a handler is a member of.
template <class>
struct KindOf;
template <class Kind>
struct KindOf<void (Kind::*)()> {
  using type = Kind;
};
/// A handler of a table: nothing of the instruction's name may be left over.
template <auto handler>
void emit_as(PtxEmitter& emitter, const std::vector<PtxOperand>& operands) {
  typename KindOf<decltype(handler)>::type instruction(emitter, operands);
  (instruction.*handler)();
  if (!instruction.m.rest().empty()) emitter.unknown();
}

/// A cp.async.bulk of whose name `tensor` has been taken. @param reduces it is a cp.reduce
void emit_tensor_copy(PtxInstruction& instruction, bool reduces);

const PtxHandlers& ptx_arithmetic();
const PtxHandlers& ptx_comparisons();
const PtxHandlers& ptx_asynchronous();
const PtxHandlers& ptx_memory();
const PtxHandlers& ptx_warps();
const PtxHandlers& ptx_matrices();
const PtxHandlers& ptx_warpgroups();

}  // namespace warplab::translator
