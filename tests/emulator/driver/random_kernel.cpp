#include "tests/emulator/driver/random_kernel.hpp"

namespace warplab::test {

std::string RandomKernel::declarations() {
  return R"(#include <cstdio>
__device__ unsigned plus_one(unsigned x) { return x + 1; }
__device__ void add_to(unsigned& x, unsigned by) { x += by; }
template <class T> __device__ void add_forwarded(T&& x, unsigned by) { x += by; }
__device__ void add_by_pointer(unsigned* x, unsigned by) { *x += by; }
__device__ unsigned warp_sum(unsigned v) {
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_xor_sync(~0u, v, offset);
  return v;
}
__device__ unsigned block_sum(unsigned v, unsigned* s) {
  s[threadIdx.x] = v;
  __syncthreads();
  unsigned sum = 0;
  for (int i = 0; i < 8; ++i) sum += s[8 * i];
  __syncthreads();
  return sum;
}
struct Adder {
  unsigned& sum;
  __device__ explicit Adder(unsigned& s) : sum(s) {}
  __device__ void add(unsigned by) const { sum += by; }
};
struct Reference { unsigned& value; };
struct Twice { __device__ unsigned operator()(unsigned x) const { return 2 * x; } };
)";
}

std::string RandomKernel::text(const std::string& name) {
  text_ = "__global__ void " + name + "(unsigned* out, unsigned n, unsigned m) {\n";
  put("__shared__ unsigned s[64];");
  put("const unsigned t = threadIdx.x;");
  put("unsigned first = 0;");
  variables_ = {"first"};
  has_lambdas_ = below(5) == 0;
  has_references_ = below(4) == 0;
  has_conditions_ = below(4) == 0;
  has_commas_ = below(4) == 0;
  for (std::size_t count = 8 + below(10); count > 0; --count) statement();
  std::string sum = "t";
  for (std::size_t i = 0; i < variables_.size(); ++i)
    sum += " + " + std::to_string(i + 3) + " * " + variables_[i];
  if (below(2) == 0) put("__syncthreads();");
  put("out[blockIdx.x * 64 + t] = " + sum + ";");
  return text_ + "}\n";
}

std::string RandomKernel::value(int depth) {
  if (depth > 2) return "2u";
  switch (below(8)) {
    case 0:
      return one_of({"1u", "3u", "n", "t", "threadIdx.x", "blockIdx.x", "blockDim.x"});
    case 1:
      return "plus_one(" + value(depth + 1) + ")";
    case 2:
      if (!has_conditions_) return "min(" + value(depth + 1) + ", 7u)";
      return "(" + value(depth + 1) + " & 1 ? " + value(depth + 1) + " : " + value(depth + 1) + ")";
    case 3:
    case 4:
      return variable();
    default:
      return "(" + value(depth + 1) + one_of({" + ", " - ", " * ", " & ", " ^ "}) + value(depth + 1) + ")";
  }
}

std::string RandomKernel::same_value(int depth) {
  if (depth > 1 || below(3) > 0) return one_of({"1u", "2u", "n", "m", "blockIdx.x", "gridDim.x"});
  return "(" + same_value(depth + 1) + " + " + same_value(depth + 1) + ")";
}

void RandomKernel::declare(bool same) {
  const std::string name = "v" + std::to_string(++names_), begin = same ? same_value() : value();
  put(one_of({"unsigned " + name + " = " + begin + ";", "unsigned " + name + "{" + begin + "};",
              "auto " + name + " = 0u + " + begin + ";", "unsigned " + name + "(" + begin + ");"}));
  variables_.push_back(name);
}

void RandomKernel::change() {
  const std::string to = variable(), other = variable();
  switch (below(6)) {
    case 0:
      return put(to + " = " + value() + ", " + other + " += " + to + " * 2;");
    case 1:
      return put(to + one_of({"++;", "--;"}));
    case 2:
      return put("for (unsigned q = 0; q < (" + value() + " & 3); ++q) { " + to + " += q; if (" + to +
                 " & 4) break; }");
    case 3:
      if (!has_lambdas_) return put(to + " ^= " + other + ";");
      return put(to + " ^= [](unsigned x) { return x * 3 + blockDim.x + threadIdx.x; }(" + value() + ");");
    default:
      return put(to + one_of({" = ", " += ", " -= ", " ^= ", " *= "}) + value() + ";");
  }
}

void RandomKernel::change_by_reference() {
  const std::string to = variable(), by = value(), name = "r" + std::to_string(++names_);
  std::vector<std::string> ways = {"add_to(" + to + ", " + by + ");",
                                   "add_forwarded(" + to + ", " + by + ");",
                                   "Adder(" + to + ").add(" + by + ");", to + " = Twice{}(" + to + ");"};
  if (has_references_) {
    ways.push_back("add_by_pointer(&" + to + ", " + by + ");");
    ways.push_back("{ const Adder " + name + "(" + to + "); " + name + ".add(" + by + "); }");
    ways.push_back("{ const Reference " + name + "{" + to + "}; " + name + ".value += " + by + "; }");
    ways.push_back("{ const Reference " + name + " = {" + to + "}; " + name + ".value ^= " + by + "; }");
    ways.push_back("{ unsigned& " + name + " = " + to + "; " + name + " += " + by + "; }");
  }
  if (has_lambdas_) ways.push_back("[&] { " + to + " += " + by + "; }();");
  put(one_of(ways));
}

void RandomKernel::branch_of_threads() {
  put("if (" + value() + " & 1) " + variable() + " += " + value() + ";");
  if (below(2) == 0) put("else " + variable() + " ^= " + value() + ";");
}

void RandomKernel::exchange() {
  const std::string to = variable(), other = variable();
  const std::string shuffle =
      one_of({"__shfl_xor_sync", "__shfl_down_sync", "__shfl_up_sync", "__shfl_sync"});
  std::vector<std::string> ways = {
      to + " += " + shuffle + "(~0u, " + value() + ", " + one_of({"1", "4", "n & 15"}) + ");",
      to + " += __ballot_sync(~0u, " + value() + " & 1);",
      to + " += __any_sync(~0u, " + value() + " > 3) + __all_sync(~0u, " + value() + " > 0);",
      to + " += warp_sum(" + value() + ");",
      "if (t < 32) { " + to + " += warp_sum(" + value() + "); }",
      "__syncwarp();"};
  if (has_commas_)
    ways.push_back(to + " = " + shuffle + "(~0u, " + to + ", 8), " + other + " += " + shuffle + "(~0u, " +
                   to + ", 2);");
  put(one_of(ways));
}

void RandomKernel::exchange_of_block() {
  const std::string to = variable();
  if (below(3) == 0) return put(to + " += block_sum(" + value() + ", s);");
  put("s[t] = " + value() + ";");
  put("__syncthreads();");
  put(to + " += s[(t + " + one_of({"1", "n", "m", "17"}) + ") & 63];");
  put("__syncthreads();");
}

void RandomKernel::branch_of_block() {
  const std::string counter = "i" + std::to_string(++names_);
  switch (below(4)) {
    case 0:
      put("if (" + same_value() + " > 2) {");
      break;
    case 1:
      put("{");
      break;
    default:
      if (++loops_ > 2) return put("__syncthreads();");
      put("for (unsigned " + counter + " = 0; " + counter + " < " + one_of({"3", "(n & 3) + 1", "m"}) + "; " +
          one_of({"++" + counter, counter + " += 1"}) + ") {");
  }
  block();
  put("}");
}

void RandomKernel::block() {
  const std::size_t kept = variables_.size();
  ++indent_;
  for (std::size_t count = 2 + below(4); count > 0; --count) statement();
  --indent_;
  variables_.resize(kept);
}

void RandomKernel::statement() {
  switch (below(12)) {
    case 0:
      return declare(true);
    case 1:
      return declare(false);
    case 2:
    case 3:
      return change();
    case 4:
      return change_by_reference();
    case 5:
      return branch_of_threads();
    case 6:
    case 7:
      return exchange();
    case 8:
      return exchange_of_block();
    case 9:
      return put("__syncthreads();");
    case 10:
      if (indent_ < 4) return branch_of_block();
      [[fallthrough]];
    default:
      return change();
  }
}

}  // namespace warplab::test
