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
  X(cudaErrorInvalidTextureBinding, 19, "invalid texture binding")                                   \
  X(cudaErrorInvalidChannelDescriptor, 20, "invalid channel descriptor")                             \
  X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                        \
  X(cudaErrorAddressOfConstant, 22, "address of a constant, of before CUDA 3.1")                     \
  X(cudaErrorTextureFetchFailed, 23, "fetch from a texture failed")                                  \
  X(cudaErrorTextureNotBound, 24, "fetch from a texture that is not bound")                          \
  X(cudaErrorSynchronizationError, 25, "synchronization failed")                                     \
  X(cudaErrorInvalidFilterSetting, 26, "linear filtering of what is not a float")                    \
  X(cudaErrorInvalidNormSetting, 27, "elements that cannot be read as normalized floats")            \
  X(cudaErrorMixedDeviceExecution, 28, "device emulation and device code do not mix")                \
  X(cudaErrorNotYetImplemented, 31, "feature not yet implemented")                                   \
  X(cudaErrorMemoryValueTooLarge, 32, "an emulated device pointer is too large")                     \
  X(cudaErrorStubLibrary, 34, "the driver is a stub")                                                \
  X(cudaErrorInsufficientDriver, 35, "the driver is too old for this runtime")                       \
  X(cudaErrorCallRequiresNewerDriver, 36, "this call needs a newer driver")                          \
  X(cudaErrorInvalidSurface, 37, "invalid surface")                                                  \
  X(cudaErrorDuplicateVariableName, 43, "several variables have this name")                          \
  X(cudaErrorDuplicateTextureName, 44, "several textures have this name")                            \
  X(cudaErrorDuplicateSurfaceName, 45, "several surfaces have this name")                            \
  X(cudaErrorDevicesUnavailable, 46, "all devices are busy or unavailable")                          \
  X(cudaErrorIncompatibleDriverContext, 49, "the context is of another version of the driver API")   \
  X(cudaErrorMissingConfiguration, 52, "a launch without a configuration")                           \
  X(cudaErrorPriorLaunchFailure, 53, "unspecified failure in a prior launch")                        \
  X(cudaErrorLaunchMaxDepthExceeded, 65, "launch would exceed the maximum depth of nested launches") \
  X(cudaErrorLaunchFileScopedTex, 66, "nested launch with a texture at file scope")                  \
  X(cudaErrorLaunchFileScopedSurf, 67, "nested launch with a surface at file scope")                 \
  X(cudaErrorSyncDepthExceeded, 68, "depth of nested synchronization exceeded")                      \
  X(cudaErrorLaunchPendingCountExceeded, 69, "too many pending nested launches")                     \
  X(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                                   \
  X(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                                    \
  X(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                           \
  X(cudaErrorDeviceNotLicensed, 102, "the device has no valid licence")                              \
  X(cudaErrorSoftwareValidityNotEstablished, 103, "integrity checks failed")                         \
  X(cudaErrorStartupFailure, 127, "the runtime could not start")                                     \
  X(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid")                              \
  X(cudaErrorDeviceUninitialized, 201, "invalid device context")                                     \
  X(cudaErrorMapBufferObjectFailed, 205, "mapping of a buffer object failed")                        \
  X(cudaErrorUnmapBufferObjectFailed, 206, "unmapping of a buffer object failed")                    \
  X(cudaErrorArrayIsMapped, 207, "the array is mapped")                                              \
  X(cudaErrorAlreadyMapped, 208, "the resource is already mapped")                                   \
  X(cudaErrorNoKernelImageForDevice, 209, "no kernel image is available for execution on the device") \
  X(cudaErrorAlreadyAcquired, 210, "the resource has already been acquired")                         \
  X(cudaErrorNotMapped, 211, "the resource is not mapped")                                           \
  X(cudaErrorNotMappedAsArray, 212, "the resource is not mapped as an array")                        \
  X(cudaErrorNotMappedAsPointer, 213, "the resource is not mapped as a pointer")                     \
  X(cudaErrorECCUncorrectable, 214, "uncorrectable ECC error encountered")                           \
  X(cudaErrorUnsupportedLimit, 215, "limit is not supported on this architecture")                   \
  X(cudaErrorDeviceAlreadyInUse, 216, "exclusive-thread device already in use")                      \
  X(cudaErrorPeerAccessUnsupported, 217, "peer access is not supported between these two devices")   \
  X(cudaErrorInvalidPtx, 218, "a PTX JIT compilation failed")                                        \
  X(cudaErrorInvalidGraphicsContext, 219, "invalid context of OpenGL or DirectX")                    \
  X(cudaErrorNvlinkUncorrectable, 220, "uncorrectable NVLink error")                                 \
  X(cudaErrorJitCompilerNotFound, 221, "the PTX JIT compiler was not found")                         \
  X(cudaErrorUnsupportedPtxVersion, 222, "the PTX was compiled with an unsupported toolchain")       \
  X(cudaErrorJitCompilationDisabled, 223, "PTX JIT compilation was disabled")                        \
  X(cudaErrorUnsupportedExecAffinity, 224, "the provided execution affinity is not supported")       \
  X(cudaErrorUnsupportedDevSideSync, 225,                                                            \
    "the provided PTX contains unsupported call to cudaDeviceSynchronize")                           \
  X(cudaErrorContained, 226, "Invalid access of peer GPU memory over nvlink or a hardware error")    \
  X(cudaErrorInvalidSource, 300, "device kernel image is invalid source")                            \
  X(cudaErrorFileNotFound, 301, "file not found")                                                    \
  X(cudaErrorSharedObjectSymbolNotFound, 302, "shared object symbol not found")                      \
  X(cudaErrorSharedObjectInitFailed, 303, "shared object initialization failed")                     \
  X(cudaErrorOperatingSystem, 304, "an operating system call failed")                                \
  X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                                  \
  X(cudaErrorIllegalState, 401, "the operation cannot be performed in the present state")            \
  X(cudaErrorLossyQuery, 402, "attempted introspection would be semantically lossy")                 \
  X(cudaErrorSymbolNotFound, 500, "named symbol not found")                                          \
  X(cudaErrorNotReady, 600, "device not ready")                                                      \
  X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")                        \
  X(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")                   \
  X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")                          \
  X(cudaErrorLaunchIncompatibleTexturing, 703, "launch with a texture of another kind")              \
  X(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                        \
  X(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")                          \
  X(cudaErrorSetOnActiveProcess, 708, "this must be set before the first call of CUDA")              \
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
  X(cudaErrorTensorMemoryLeak, 721, "tensor memory not completely freed")                            \
  X(cudaErrorNotPermitted, 800, "operation not permitted")                                           \
  X(cudaErrorNotSupported, 801, "operation not supported")                                           \
  X(cudaErrorSystemNotReady, 802, "system not yet initialized")                                      \
  X(cudaErrorSystemDriverMismatch, 803, "system has unsupported display driver or runtime combination") \
  X(cudaErrorCompatNotSupportedOnDevice, 804, "forward compatibility was attempted on non supported HW") \
  X(cudaErrorMpsConnectionFailed, 805,                                                               \
    "MPS client failed to connect to the MPS control daemon or the MPS server")                      \
  X(cudaErrorMpsRpcFailure, 806,                                                                     \
    "the remote procedural call between the MPS server and the MPS client failed")                   \
  X(cudaErrorMpsServerNotReady, 807, "MPS server is not ready to accept new MPS client requests")    \
  X(cudaErrorMpsMaxClientsReached, 808,                                                              \
    "the hardware resources required to create MPS client have been exhausted")                      \
  X(cudaErrorMpsMaxConnectionsReached, 809,                                                          \
    "the hardware resources required to support device connections have been exhausted")             \
  X(cudaErrorMpsClientTerminated, 810, "the MPS client has been terminated by the server")           \
  X(cudaErrorCdpNotSupported, 811, "nested launches are not supported here")                         \
  X(cudaErrorCdpVersionMismatch, 812,                                                                \
    "unsupported interaction between different versions of CUDA Dynamic Parallelism")                \
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
  X(cudaErrorExternalDevice, 911, "an async error has occurred in external entity outside of CUDA")  \
  X(cudaErrorInvalidClusterSize, 912, "cluster misconfiguration")                                    \
  X(cudaErrorFunctionNotLoaded, 913,                                                                 \
    "the function handle is not loaded when calling an API that requires a loaded function")         \
  X(cudaErrorInvalidResourceType, 914,                                                               \
    "one or more resources passed in are not valid resource types for the operation")                \
  X(cudaErrorInvalidResourceConfiguration, 915,                                                      \
    "one or more resources are insufficient or non-applicable for the operation")                    \
  X(cudaErrorUnknown, 999, "unknown error")                                                          \
  X(cudaErrorApiFailureBase, 10000, "a failure of the API, of before CUDA 4.1")
// clang-format on
