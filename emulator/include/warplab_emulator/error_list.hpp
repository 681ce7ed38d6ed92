// WARPLAB_CUDA_ERRORS(X): every error that the runtime knows, as X(name, CUDA's number,
// text). No include guard needed.
#pragma once

// clang-format off
#define WARPLAB_CUDA_ERRORS(X)                                                                       \
  X(cudaSuccess, 0, "no error")                                                                      \
  X(cudaErrorInvalidValue, 1, "invalid argument")                                                    \
  X(cudaErrorMemoryAllocation, 2, "out of memory")                                                   \
  X(cudaErrorInitializationError, 3, "initialization error")                                         \
  X(cudaErrorCudartUnloading, 4, "the runtime is shutting down")                                     \
  X(cudaErrorProfilerDisabled, 5, "the profiler is disabled")                                        \
  X(cudaErrorProfilerNotInitialized, 6, "the profiler is not initialized")                           \
  X(cudaErrorProfilerAlreadyStarted, 7, "the profiler has already started")                          \
  X(cudaErrorProfilerAlreadyStopped, 8, "the profiler has already stopped")                          \
  X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                              \
  X(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                                        \
  X(cudaErrorInvalidSymbol, 13, "invalid device symbol")                                             \
  X(cudaErrorInvalidHostPointer, 16, "invalid host pointer")                                         \
  X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                                     \
  X(cudaErrorInvalidTexture, 18, "invalid texture")                                                  \
  X(cudaErrorInvalidChannelDescriptor, 20, "invalid channel descriptor")                             \
  X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                        \
  X(cudaErrorInvalidFilterSetting, 26, "linear filtering of what is not a float")                    \
  X(cudaErrorInvalidNormSetting, 27, "elements that cannot be read as normalized floats")            \
  X(cudaErrorNotYetImplemented, 31, "feature not yet implemented")                                   \
  X(cudaErrorInsufficientDriver, 35, "the driver is too old for this runtime")                       \
  X(cudaErrorInvalidSurface, 37, "invalid surface")                                                  \
  X(cudaErrorDevicesUnavailable, 46, "all devices are busy or unavailable")                          \
  X(cudaErrorMissingConfiguration, 52, "a launch without a configuration")                           \
  X(cudaErrorPriorLaunchFailure, 53, "unspecified failure in a prior launch")                        \
  X(cudaErrorLaunchMaxDepthExceeded, 65, "launch would exceed the maximum depth of nested launches") \
  X(cudaErrorSyncDepthExceeded, 68, "depth of nested synchronization exceeded")                      \
  X(cudaErrorLaunchPendingCountExceeded, 69, "too many pending nested launches")                     \
  X(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                                   \
  X(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                                    \
  X(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                           \
  X(cudaErrorStartupFailure, 127, "the runtime could not start")                                     \
  X(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid")                              \
  X(cudaErrorDeviceUninitialized, 201, "invalid device context")                                     \
  X(cudaErrorNoKernelImageForDevice, 209, "no kernel image is available for execution on the device") \
  X(cudaErrorECCUncorrectable, 214, "uncorrectable ECC error encountered")                           \
  X(cudaErrorUnsupportedLimit, 215, "limit is not supported on this architecture")                   \
  X(cudaErrorDeviceAlreadyInUse, 216, "exclusive-thread device already in use")                      \
  X(cudaErrorPeerAccessUnsupported, 217, "peer access is not supported between these two devices")   \
  X(cudaErrorInvalidPtx, 218, "a PTX JIT compilation failed")                                        \
  X(cudaErrorUnsupportedPtxVersion, 222, "the PTX was compiled with an unsupported toolchain")       \
  X(cudaErrorInvalidSource, 300, "device kernel image is invalid source")                            \
  X(cudaErrorFileNotFound, 301, "file not found")                                                    \
  X(cudaErrorSharedObjectSymbolNotFound, 302, "shared object symbol not found")                      \
  X(cudaErrorSharedObjectInitFailed, 303, "shared object initialization failed")                     \
  X(cudaErrorOperatingSystem, 304, "an operating system call failed")                                \
  X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                                  \
  X(cudaErrorIllegalState, 401, "the operation cannot be performed in the present state")            \
  X(cudaErrorSymbolNotFound, 500, "named symbol not found")                                          \
  X(cudaErrorNotReady, 600, "device not ready")                                                      \
  X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")                        \
  X(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")                   \
  X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")                          \
  X(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                        \
  X(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")                          \
  X(cudaErrorContextIsDestroyed, 709, "context is destroyed")                                        \
  X(cudaErrorAssert, 710, "device-side assert triggered")                                            \
  X(cudaErrorTooManyPeers, 711, "peer mapping resources exhausted")                                  \
  X(cudaErrorHostMemoryAlreadyRegistered, 712, "part or all of the requested memory range is already mapped")\
  X(cudaErrorHostMemoryNotRegistered, 713, "pointer does not correspond to a registered memory region") \
  X(cudaErrorHardwareStackError, 714, "hardware stack error")                                        \
  X(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered")                      \
  X(cudaErrorMisalignedAddress, 716, "misaligned address")                                           \
  X(cudaErrorInvalidAddressSpace, 717, "operation not supported on this address space")              \
  X(cudaErrorInvalidPc, 718, "invalid program counter")                                              \
  X(cudaErrorLaunchFailure, 719, "unspecified launch failure")                                       \
  X(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")                \
  X(cudaErrorNotPermitted, 800, "operation not permitted")                                           \
  X(cudaErrorNotSupported, 801, "operation not supported")                                           \
  X(cudaErrorSystemNotReady, 802, "system not yet initialized")                                      \
  X(cudaErrorSystemDriverMismatch, 803, "system has unsupported display driver or runtime combination") \
  X(cudaErrorCdpNotSupported, 811, "nested launches are not supported here")                         \
  X(cudaErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing")      \
  X(cudaErrorStreamCaptureInvalidated, 901, "operation failed due to a previous error during capture")\
  X(cudaErrorStreamCaptureMerge, 902, "operation would merge two independent captures")              \
  X(cudaErrorStreamCaptureUnmatched, 903, "capture was not begun in this stream")                    \
  X(cudaErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work")                       \
  X(cudaErrorStreamCaptureIsolation, 905, "capture depends on work outside of it")                   \
  X(cudaErrorStreamCaptureImplicit, 906, "operation would wait for a stream that is captured")\
  X(cudaErrorCapturedEvent, 907, "event was last recorded in a capturing stream")                   \
  X(cudaErrorStreamCaptureWrongThread, 908, "capture was begun by another thread")                   \
  X(cudaErrorTimeout, 909, "the wait operation has timed out")                                       \
  X(cudaErrorGraphExecUpdateFailure, 910, "the executable graph cannot be updated to this graph")    \
  X(cudaErrorInvalidClusterSize, 912, "cluster misconfiguration")                                    \
  X(cudaErrorUnknown, 999, "unknown error")
// clang-format on
