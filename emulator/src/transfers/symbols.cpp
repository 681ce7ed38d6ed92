#include "emulator/src/transfers/symbols.hpp"

#include "emulator/src/calls/api_call.hpp"
#include "emulator/src/memory/memory.hpp"
#include "emulator/src/recorder/session.hpp"
#include "emulator/src/streams/transfer.hpp"
#include "warplab_emulator/block/block.hpp"

namespace warplab::emulator {
namespace {

// The symbol with its true size; anything that is not a symbol is explained.
cudaError_t find_symbol(SymbolReference& symbol, const char* function) {
  const std::optional<Allocation> known = find_allocation(symbol.address);
  if (!known || known->space != Space::symbol) {
    // Of an address of the host it would describe the variable beside it.
    const std::string what = known ? describe_address(symbol.address) : "host memory";
    report(
        "%s: the symbol is %s, not a __device__ or __constant__ variable; pass the variable itself, neither "
        "its name as a string nor a pointer",
        function, what.c_str());
    return cudaErrorInvalidSymbol;
  }
  symbol.bytes =
      known->bytes - static_cast<std::size_t>(static_cast<const char*>(symbol.address) - known->data);
  return cudaSuccess;
}

cudaError_t check_range(const SymbolReference& symbol, std::size_t bytes, std::size_t offset,
                        const char* function) {
  if (offset <= symbol.bytes && bytes <= symbol.bytes - offset) return cudaSuccess;
  report("%s: %zu bytes at offset %zu do not fit into the %zu bytes of this symbol; is the size in bytes?",
         function, bytes, offset, symbol.bytes);
  return cudaErrorInvalidValue;
}

Transfer between_symbol(const char* function, void* to, const void* from, std::size_t bytes,
                        cudaMemcpyKind kind) {
  Transfer copy{function, to, from, bytes, bytes, bytes, 1, kind};
  copy.names_symbol = true;
  return copy;
}

}  // namespace

SymbolRegistration::SymbolRegistration(const volatile void* address, std::size_t bytes, const char* name,
                                       bool constant, const char* file, int line) {
  register_symbol(const_cast<const void*>(address), bytes, name, constant);
  lens::register_variable(const_cast<void*>(address), name, file, line);
}

cudaError_t describe_copy_to_symbol(const char* function, SymbolReference symbol, const void* from,
                                    std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                    Transfer& transfer) {
  if (const cudaError_t error = find_symbol(symbol, function)) return error;
  if (const cudaError_t error = check_range(symbol, bytes, offset, function)) return error;
  if (find_allocation(symbol.address)->read_only) {
    report("%s: the variable is const, so nothing can be copied to it", function);
    return cudaErrorInvalidSymbol;
  }
  if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost) return cudaErrorInvalidMemcpyDirection;
  if (!from && bytes) return cudaErrorInvalidValue;
  void* const to = static_cast<char*>(const_cast<void*>(symbol.address)) + offset;
  transfer = between_symbol(function, to, from, bytes, kind);
  return cudaSuccess;
}

cudaError_t describe_copy_from_symbol(const char* function, void* to, SymbolReference symbol,
                                      std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                      Transfer& transfer) {
  if (const cudaError_t error = find_symbol(symbol, function)) return error;
  if (const cudaError_t error = check_range(symbol, bytes, offset, function)) return error;
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost) return cudaErrorInvalidMemcpyDirection;
  transfer = between_symbol(function, to, static_cast<const char*>(symbol.address) + offset, bytes, kind);
  return cudaSuccess;
}

cudaError_t copy_to_symbol(SymbolReference symbol, const void* from, std::size_t bytes, std::size_t offset,
                           cudaMemcpyKind kind, cudaStream_t stream, bool async) {
  const char* const function = async ? "cudaMemcpyToSymbolAsync" : "cudaMemcpyToSymbol";
  return api_call([&] {
    Transfer copy;
    const cudaError_t error = describe_copy_to_symbol(function, symbol, from, bytes, offset, kind, copy);
    return error != cudaSuccess ? error : transfer(copy, stream, async);
  });
}

cudaError_t copy_from_symbol(void* to, SymbolReference symbol, std::size_t bytes, std::size_t offset,
                             cudaMemcpyKind kind, cudaStream_t stream, bool async) {
  const char* const function = async ? "cudaMemcpyFromSymbolAsync" : "cudaMemcpyFromSymbol";
  return api_call([&] {
    Transfer copy;
    const cudaError_t error = describe_copy_from_symbol(function, to, symbol, bytes, offset, kind, copy);
    return error != cudaSuccess ? error : transfer(copy, stream, async);
  });
}

cudaError_t symbol_address(void** address, SymbolReference symbol) {
  return api_call([&] {
    if (!address) return cudaErrorInvalidValue;
    if (const cudaError_t error = find_symbol(symbol, "cudaGetSymbolAddress")) return error;
    *address = const_cast<void*>(symbol.address);
    give_symbol_address(symbol.address);
    return cudaSuccess;
  });
}

cudaError_t symbol_size(std::size_t* bytes, SymbolReference symbol) {
  return api_call([&] {
    if (!bytes) return cudaErrorInvalidValue;
    if (const cudaError_t error = find_symbol(symbol, "cudaGetSymbolSize")) return error;
    *bytes = symbol.bytes;
    return cudaSuccess;
  });
}

}  // namespace warplab::emulator
