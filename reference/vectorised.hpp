#pragma once

/// Before a loop of a CPU baseline: it is compiled for AVX2 too, and that version runs where the CPU has it.
/// Not for instructions that multiply and add with one rounding, so that both versions give the same bits.
/// Sanitizers cannot start programs that choose functions when they are loaded.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define WARPLAB_VECTORISED __attribute__((target_clones("avx2", "default")))
#else
#define WARPLAB_VECTORISED
#endif
