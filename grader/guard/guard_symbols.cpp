#include "grader/guard/guard_symbols.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace warplab {
namespace {

/// These touch memory by pointers that they are given: guarded code calls variants of them that look first
/// (emulator/src/isolation/calls.cpp).
constexpr std::string_view checked[] = {
    // what g++ itself calls for copies, and operator new and delete for the lists and texts of launchers
    "memcpy", "memmove", "memset", "memcmp", "strlen", "strcmp", "strncmp", "strcpy", "strncpy", "_Znwm",
    "_Znam", "_ZdlPv", "_ZdlPvm", "_ZdaPv", "_ZnwmSt11align_val_t", "_ZdlPvmSt11align_val_t",
    "snprintf",                                // lab 01 writes a table
    "_Unwind_Resume", "__gxx_personality_v0",  // how exceptions pass
    "_ZN7warplab8emulator12device_faultEiPKcz",
    // exceptions of the standard library, and of a student's own classes that derive from them
    "__cxa_allocate_exception", "__cxa_free_exception", "__cxa_throw", "_ZNSt16invalid_argumentC1EPKc",
    "_ZNSt16invalid_argumentC2EPKc", "_ZNSt16invalid_argumentD1Ev", "_ZNSt16invalid_argumentD2Ev",
    "_ZNSt16invalid_argumentC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    "_ZNSt16invalid_argumentC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    "_ZNSt13runtime_errorC1EPKc", "_ZNSt13runtime_errorC2EPKc", "_ZNSt13runtime_errorD1Ev",
    "_ZNSt13runtime_errorD2Ev",
    "_ZNSt13runtime_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    "_ZNSt13runtime_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    "_ZNSt11logic_errorC1EPKc", "_ZNSt11logic_errorC2EPKc", "_ZNSt11logic_errorD1Ev",
    "_ZNSt11logic_errorD2Ev", "_ZNSt11logic_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    "_ZNSt11logic_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    "_ZNSt12out_of_rangeC1EPKc", "_ZNSt12out_of_rangeC2EPKc", "_ZNSt12out_of_rangeD1Ev",
    "_ZNSt12out_of_rangeD2Ev", "_ZNSt12out_of_rangeC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    "_ZNSt12out_of_rangeC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    "_ZNSt12length_errorC1EPKc", "_ZNSt12length_errorC2EPKc", "_ZNSt12length_errorD1Ev",
    "_ZNSt12length_errorD2Ev", "_ZNSt12length_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    "_ZNSt12length_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    "_ZNSt12domain_errorC1EPKc", "_ZNSt12domain_errorC2EPKc", "_ZNSt12domain_errorD1Ev",
    "_ZNSt12domain_errorD2Ev", "_ZNSt12domain_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    "_ZNSt12domain_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    "_ZNSt11range_errorC1EPKc", "_ZNSt11range_errorC2EPKc", "_ZNSt11range_errorD1Ev",
    "_ZNSt11range_errorD2Ev", "_ZNSt11range_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    "_ZNSt11range_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    "_ZNSt14overflow_errorC1EPKc", "_ZNSt14overflow_errorC2EPKc", "_ZNSt14overflow_errorD1Ev",
    "_ZNSt14overflow_errorD2Ev",
    "_ZNSt14overflow_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    "_ZNSt14overflow_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    "_ZNSt15underflow_errorC1EPKc", "_ZNSt15underflow_errorC2EPKc", "_ZNSt15underflow_errorD1Ev",
    "_ZNSt15underflow_errorD2Ev",
    "_ZNSt15underflow_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    "_ZNSt15underflow_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    // g++ 13 and later have it in the library
    "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE15_M_replace_coldEPcmPKcmm",
    // CUDA functions that write a result, or read what the host has
    "_Z13cudaGetDevicePi", "_Z18cudaGetDeviceCountPi", "_Z22cudaDeviceGetAttributePi14cudaDeviceAttri",
    "_Z23cudaGetDevicePropertiesP14cudaDevicePropi", "_Z21cudaFuncGetAttributesP18cudaFuncAttributesPKv",
    "_Z45cudaOccupancyMaxActiveBlocksPerMultiprocessorPiPKvim",
    "_Z54cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlagsPiPKvimj",
    "_Z41cudaOccupancyAvailableDynamicSMemPerBlockPmPKvii", "_Z15cudaMemsetAsyncPvimP11CUstream_st",
    "_Z15cudaMemcpyAsyncPvPKvm14cudaMemcpyKindP11CUstream_st", "_Z18cudaDeviceGetLimitPm9cudaLimit",
    "_ZN7warplab8emulator15apply_attributeERNS0_6LaunchERK19cudaLaunchAttribute",
    "_ZN7warplab8emulator14symbol_addressEPPvNS0_15SymbolReferenceE",
    "_ZN7warplab8emulator11symbol_sizeEPmNS0_15SymbolReferenceE", "_Z20cudaDriverGetVersionPi",
    "_Z21cudaRuntimeGetVersionPi", "_Z14cudaMemGetInfoPmS_",
    "_Z24cudaPointerGetAttributesP21cudaPointerAttributesPKv", "_Z22cudaFuncSetCacheConfigPKv13cudaFuncCache",
    // memory and events: the host cannot use it, since it cannot copy
    "_Z10cudaMallocPPvm", "_Z8cudaFreePv", "_Z10cudaMemsetPvim", "_Z15cudaMallocAsyncPPvmP11CUstream_st",
    "_Z13cudaFreeAsyncPvP11CUstream_st", "_Z21cudaDeviceSynchronizev", "_Z15cudaEventCreatePP10CUevent_st",
    "_Z24cudaEventCreateWithFlagsPP10CUevent_stj", "_Z15cudaEventRecordP10CUevent_stP11CUstream_st",
    "_Z20cudaEventSynchronizeP10CUevent_st", "_Z20cudaEventElapsedTimePfP10CUevent_stS1_",
    "_Z16cudaEventDestroyP10CUevent_st", "_Z16cudaStreamCreatePP11CUstream_st",
    "_Z25cudaStreamCreateWithFlagsPP11CUstream_stj",
    // what is printed goes nowhere, and whoever ends the program has failed
    "printf", "puts", "putchar", "fprintf", "fputs", "fputc", "putc", "fwrite", "fflush", "__assert_fail",
    "exit", "_Exit", "_exit", "quick_exit", "abort", "__cxa_atexit",
    // C's functions with results by pointers, its memory, and clocks
    "sincos", "sincosf", "frexp", "frexpf", "modf", "modff", "remquo", "remquof", "malloc", "calloc",
    "realloc", "free", "clock_gettime", "_ZNSt6chrono3_V212steady_clock3nowEv",
    "_ZNSt6chrono3_V212system_clock3nowEv", "time", "clock", "getenv", "rand", "srand",
    // what __fadd_rz and its kin set: the rounding of whoever calls it
    "fegetround", "fesetround",
    "_ZN7warplab8emulator14copy_to_symbolENS0_15SymbolReferenceEPKvmm14cudaMemcpyKindP11CUstream_stb"};

/// These touch nothing but what they own.
constexpr std::string_view plain[] = {
    // exceptions: how they are passed on, and the tables that g++ makes for them
    "_ZTISt16invalid_argument", "_ZTISt13runtime_error", "_ZTISt11logic_error", "_ZTISt12out_of_range",
    "_ZTISt12length_error", "_ZTISt12domain_error", "_ZTISt11range_error", "_ZTISt14overflow_error",
    "_ZTISt15underflow_error", "_ZTVN10__cxxabiv117__class_type_infoE",
    "_ZTVN10__cxxabiv120__si_class_type_infoE", "_ZNKSt13runtime_error4whatEv", "_ZNKSt11logic_error4whatEv",
    "_ZSt17__throw_bad_allocv", "_ZSt28__throw_bad_array_new_lengthv", "_ZSt20__throw_length_errorPKc",
    "_ZSt19__throw_logic_errorPKc", "_ZSt20__throw_out_of_rangePKc", "_ZSt24__throw_out_of_range_fmtPKcz",
    "_ZSt25__throw_bad_function_callv", "_ZSt9terminatev", "__cxa_pure_virtual",
    // exceptions of launchers (common/throwing.hpp): their sentences are arguments, not pointers
    "_ZN7warplab22throw_invalid_argumentENS_8SentenceE", "_ZN7warplab11throw_to_doENS_8SentenceE",
    "_ZN7warplab16throw_cuda_errorE9cudaErrorNS_8SentenceES1_i",
    // CUDA functions without pointers to results
    "_Z16cudaGetLastErrorv", "_Z19cudaPeekAtLastErrorv", "_Z16cudaGetErrorName9cudaError",
    "_Z18cudaGetErrorString9cudaError", "_Z18cudaDeviceSetLimit9cudaLimitm",
    "_Z20cudaFuncSetAttributePKv17cudaFuncAttributei", "_Z13cudaSetDevicei", "_Z18cudaSetDeviceFlagsj",
    "_Z24cudaDeviceSetCacheConfig13cudaFuncCache", "_Z21cudaStreamSynchronizeP11CUstream_st",
    "_Z15cudaStreamQueryP11CUstream_st", "_Z17cudaStreamDestroyP11CUstream_st",
    "_Z19cudaStreamWaitEventP11CUstream_stP10CUevent_stj", "_Z14cudaEventQueryP10CUevent_st",
    "_Z17cudaProfilerStartv", "_Z16cudaProfilerStopv",
    // what the emulator's headers call for kernels: launches, barriers, exchanges of a warp, tensor cores
    "_ZN7warplab8emulator14enqueue_launchEONS0_6LaunchE", "_ZN7warplab8emulator13run_on_fibersEPFvPKvES2_",
    "_ZN7warplab8emulator13block_barrierERKNS0_4SiteE", "_ZN7warplab8emulator13named_barrierEjjbRKNS0_4SiteE",
    "_ZN7warplab8emulator16DynamicAlignmentC1Em", "_ZN7warplab8emulator16DynamicAlignmentC2Em",
    "_ZN7warplab8emulator19block_barrier_countEbRKNS0_4SiteE", "_ZN7warplab8emulator8exchangeEjyRKNS0_4SiteE",
    "_ZN7warplab8emulator6ballotEjbRKNS0_4SiteE", "_ZN7warplab8emulator4laneEv",
    "_ZN7warplab8emulator10live_lanesEv", "_ZN7warplab8emulator5yieldEv",
    "_ZN7warplab8emulator14note_idle_pollEv", "_ZN7warplab8emulator15new_shared_siteEv",
    "_ZN7warplab8emulator3ptx5nsmidEv", "_ZN7warplab8emulator3ptx10kept_carryEv",
    "_ZN7warplab8emulator3ptx10keep_carryEj", "_ZN7warplab8emulator3ptx17dynamic_smem_sizeEv",
    "_ZN7warplab8emulator3ptx15total_smem_sizeEv", "_ZN7warplab8emulator3ptx14aggr_smem_sizeEv",
    "_ZN7warplab8emulator12header_calls12place_sharedEimmPKcS3_i", "_ZN7warplab8emulator9is_sharedEPKv",
    "_ZN7warplab8emulator11is_recordedEv", "_ZN7warplab8emulator9in_kernelEv",
    "_ZN7warplab8emulator12header_calls19exchange_wmma_wordsERNS0_12WmmaExchangeEibRKNS0_4SiteE",
    "_ZN7warplab8emulator18multiply_fragmentsERNS0_12WmmaOperandsEiRKNS0_4SiteE",
    "_ZN7warplab8emulator12active_lanesERKNS0_4SiteE",
    "_ZN7warplab8emulator21report_shared_addressEyRKNS0_4SiteE",
    "_ZN7warplab8emulator17report_misalignedEPKvjRKNS0_4SiteE",
    "_ZN7warplab8emulator18report_wmma_matrixEjmRKNS0_4SiteE", "_ZN7warplab8emulator13current_blockE",
    "_ZN7warplab8emulator15current_indicesE",
    "_ZN7warplab8emulator12header_calls17original_variableEPvmPKcbS4_i",
    // what keys of lab 11 ask when they are compared
    "_ZN7warplab8emulator22compare_undecided_keysEii",
    // what the lens counts by
    "_ZN7warplab8emulator13LensStructureC1Emmyb", "_ZN7warplab8emulator13LensStructureC2Emmyb",
    "_ZN7warplab8emulator12header_calls11lens_atomicEPVKvm",
    "_ZN7warplab8emulator12header_calls15lens_atomic_sumEPVKvm",
    "_ZN7warplab8emulator12header_calls16lens_atomic_loadEPVKvm",
    "_ZN7warplab8emulator12header_calls9lens_swapEPVKvmy",
    "_ZN7warplab8emulator12header_calls17lens_atomic_storeEPVKvm", "_ZN7warplab8emulator10lens_fenceEv",
    "_ZN7warplab8emulator12header_calls8lens_sinEd", "_ZN7warplab8emulator12header_calls8lens_cosEd",
    "_ZN7warplab8emulator12header_calls10lens_sinpiEd", "_ZN7warplab8emulator12header_calls10lens_cospiEd",
    "_ZN7warplab8emulator12header_calls11lens_permitEPKvm", "warplab_lens_mark", "warplab_lens_array",
    "__tsan_init", "__tsan_func_entry", "__tsan_func_exit", "_GLOBAL_OFFSET_TABLE_",
    // mathematics that C lacks
    "_Z13cyl_bessel_i0d", "_Z13cyl_bessel_i1d"};

/// Copies by cp.async and barriers in shared memory, which check what they are given.
constexpr std::string_view barriers_and_copies[] = {
    "_ZN7warplab8emulator18address_in_clusterEPKv",
    "_ZN7warplab8emulator12header_calls10issue_copyEPvPKvS4_j",
    "_ZN7warplab8emulator12header_calls17issue_padded_copyEPvPKvS4_jj",
    "_ZN7warplab8emulator11bind_copiesEPy",
    "_ZN7warplab8emulator12await_copiesEm",
    "_ZN7warplab8emulator12init_barrierEPyxRKNS0_4SiteE",
    "_ZN7warplab8emulator12wait_for_endEPyjRKNS0_4SiteE",
    "_ZN7warplab8emulator13commit_copiesEv",
    "_ZN7warplab8emulator14require_globalEPKvmbRKNS0_4SiteE",
    "_ZN7warplab8emulator14require_sharedEPKvmRKNS0_4SiteE",
    "_ZN7warplab8emulator15bind_all_copiesEPy",
    "_ZN7warplab8emulator15parity_of_stateEyRKNS0_4SiteE",
    "_ZN7warplab8emulator16arrive_and_leaveEPyRKNS0_4SiteE",
    "_ZN7warplab8emulator16pending_of_stateEyRKNS0_4SiteE",
    "_ZN7warplab8emulator17has_ended_in_timeEPyjRKNS0_4SiteEb",
    "_ZN7warplab8emulator18invalidate_barrierEPyRKNS0_4SiteE",
    "_ZN7warplab8emulator6arriveEPyRKNS0_7ArrivalERKNS0_4SiteE",
    "_ZN7warplab8emulator9arrive_atEPyxRKNS0_4SiteE",
    "_ZN7warplab8emulator9has_endedEPyjRKNS0_4SiteEb"};

/// Copies in bulk and products of warpgroups: no lab but those of them needs these.
constexpr std::string_view asynchronous[] = {
    "_ZN7warplab8emulator10wgmma_waitEj",
    "_ZN7warplab8emulator11wgmma_fenceEv",
    "_ZN7warplab8emulator12expect_bytesEPyxRKNS0_4SiteE",
    "_ZN7warplab8emulator12stage_globalEPKvmRKNS0_4SiteE",
    "_ZN7warplab8emulator12stage_tensorERKNS0_9TensorBoxEPKvRKNS0_4SiteE",
    "_ZN7warplab8emulator12wgmma_commitEv",
    "_ZN7warplab8emulator13set_registersEjRKNS0_4SiteE",
    "_ZN7warplab8emulator14complete_bytesEPyxRKNS0_4SiteE",
    "_ZN7warplab8emulator15issue_bulk_loadEPSt4bytePKS1_mPyRKNS0_4SiteE",
    "_ZN7warplab8emulator15prefetch_tensorERKNS0_9TensorBoxERKNS0_4SiteE",
    "_ZN7warplab8emulator16issue_bulk_storeEPKNS0_9BulkPieceEmPKSt4bytemNS0_13BulkReductionERKNS0_4SiteE",
    "_ZN7warplab8emulator17await_bulk_storesEmb",
    "_ZN7warplab8emulator17fence_async_proxyEv",
    "_ZN7warplab8emulator17issue_staged_loadEPSt4bytemPybRKNS0_4SiteE",
    "_ZN7warplab8emulator17shared_of_clusterEyRKNS0_4SiteE",
    "_ZN7warplab8emulator18commit_bulk_storesEv",
    "_ZN7warplab8emulator18issue_tensor_storeERKNS0_9TensorBoxEPKvNS0_13BulkOperationERKNS0_4SiteE",
    "_ZN7warplab8emulator18multiply_warpgroupERKNS0_9WgmmaKindERKNS0_13WgmmaOperandsERKNS0_4SiteE",
    "_ZN7warplab8emulator19issue_bulk_transferEPSt4bytePKS1_mPyNS0_13BulkReductionERKNS0_4SiteE",
    "_ZN7warplab8emulator22check_async_proxy_readEPKvmRKNS0_4SiteE",
    "_ZN7warplab8emulator22require_bulk_alignmentEPKvS2_mRKNS0_4SiteE"};

/// What a whole host program calls besides: it has its arrays in host memory, and its size is an argument.
constexpr std::string_view of_programs[] = {
    "atoi",
    "atol",
    "atof",
    "strtol",
    "strtoul",
    "strtoll",
    "strtoull",
    "strtod",
    "strtof",
    "_Z15cudaDeviceResetv",
    "_Z10cudaMemcpyPvPKvm14cudaMemcpyKind",
    "_ZN7warplab8emulator16copy_from_symbolEPvNS0_15SymbolReferenceEmm14cudaMemcpyKindP11CUstream_stb"};

/// What a whole program calls where others call the stand-in for copies within device memory.
constexpr std::string_view copy_of_launchers = "_Z15cudaMemcpyAsyncPvPKvm14cudaMemcpyKindP11CUstream_st",
                           copy_of_programs = "warplab_isolation_cudaMemcpyAsync_by_program";

/// C's mathematics, in double and, with an f, in float.
constexpr std::string_view mathematics[] = {
    "fabs",   "sqrt",    "cbrt",      "exp",   "exp2",      "exp10",    "expm1",     "log",    "log2",
    "log10",  "log1p",   "pow",       "sin",   "cos",       "tan",      "asin",      "acos",   "atan",
    "atan2",  "sinh",    "cosh",      "tanh",  "asinh",     "acosh",    "atanh",     "erf",    "erfc",
    "floor",  "ceil",    "trunc",     "round", "rint",      "lrint",    "nearbyint", "llrint", "lround",
    "fmod",   "llround", "remainder", "fmin",  "fmax",      "fma",      "fdim",      "hypot",  "ldexp",
    "scalbn", "scalbln", "logb",      "ilogb", "nextafter", "copysign", "tgamma",    "lgamma", "j0",
    "j1",     "jn",      "y0",        "y1",    "yn"};
/// Division and multiplication of integers of 128 bits, which g++ calls.
constexpr std::string_view wide_integers[] = {"__divti3", "__modti3", "__udivti3", "__umodti3", "__multi3"};

template <std::size_t n>
bool has(const std::string_view (&list)[n], std::string_view symbol) {
  return std::find(list, list + n, symbol) != list + n;
}

/// The hooks before accesses; calls of them that g++ did not make would only add to what is counted.
bool is_hook(std::string_view symbol) {
  for (std::string_view prefix : {"__tsan_read", "__tsan_write", "__tsan_unaligned_", "__tsan_volatile_",
                                  "__tsan_atomic", "__tsan_vptr_"})
    if (symbol.starts_with(prefix)) return true;
  return false;
}

}  // namespace

std::optional<std::string> guarded_symbol(std::string_view symbol, GuardAllowance allowance) {
  // What glibc 2.38 and later call strtol and its kin.
  constexpr std::string_view later_standard = "__isoc23_";
  if (symbol.starts_with(later_standard)) symbol.remove_prefix(later_standard.size());
  if (allowance.whole_program && symbol == copy_of_launchers) return std::string(copy_of_programs);
  if (has(checked, symbol) || (allowance.whole_program && has(of_programs, symbol)))
    return "warplab_isolation_" + std::string(symbol);
  if (has(plain, symbol) || has(wide_integers, symbol) || has(barriers_and_copies, symbol) ||
      symbol == "__dso_handle" || (allowance.asynchronous_copies && has(asynchronous, symbol)) ||
      is_hook(symbol) || has(mathematics, symbol) ||
      (symbol.ends_with('f') && has(mathematics, symbol.substr(0, symbol.size() - 1))))
    return std::string(symbol);
  return std::nullopt;
}

bool may_import(std::string_view symbol, GuardAllowance allowance) {
  if (symbol == copy_of_programs) return allowance.whole_program;
  constexpr std::string_view prefix = "warplab_isolation_";
  const std::string_view original = symbol.starts_with(prefix) ? symbol.substr(prefix.size()) : symbol;
  return guarded_symbol(original, allowance) == symbol;
}

std::string readable_symbol(const std::string& symbol) {
  char* const text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, nullptr);
  if (text == nullptr) return symbol;
  std::string readable = text;
  std::free(text);
  return readable;
}

std::string unneeded_symbol(const std::string& symbol) {
  const std::string name = readable_symbol(symbol);
  // What the compiler calls for parts of C++ that the text of the file does not name.
  constexpr std::pair<std::string_view, const char*> hidden[] = {
      {"__cxa_begin_catch", "it catches exceptions, which no solution of this lab needs: let them pass"},
      {"__cxa_end_catch", "it catches exceptions, which no solution of this lab needs: let them pass"},
      {"_Rb_tree",
       "it uses std::map or std::set, which no solution of this lab needs: take an array or a "
       "std::vector"},
      {"_M_need_rehash",
       "it uses std::unordered_map or std::unordered_set, which no solution of this lab "
       "needs: take an array or a std::vector"},
      {"__libc_single_threaded",
       "it uses std::shared_ptr, which no solution of this lab needs: take "
       "std::unique_ptr"},
      {"basic_stringbuf",
       "it uses a string stream, which no solution of this lab needs: take std::snprintf "
       "or std::to_string"},
      {"__errno_location",
       "it uses errno, or std::stoi and its kin, which no solution of this lab needs: "
       "take std::strtol"},
  };
  for (const auto& [part, sentence] : hidden)
    if (name.find(part) != std::string::npos) return sentence;
  std::string text = "it uses " + name + ", which no solution of this lab needs";
  const auto has = [&](auto... parts) { return ((name.find(parts) != std::string::npos) || ...); };
  if (has("printf", "std::ostream", "basic_ostream", "basic_istream"))
    text += "; take debug output out again";
  else if (has("cudaMemcpy"))
    text += "; what calls it has the memory ready";
  return text;
}

}  // namespace warplab
