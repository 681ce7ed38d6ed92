#pragma once

#include "warplab_emulator/user_macros_aside.inc"

// cuBLASLt's handle, for programs whose common header makes one. Its products are not there.
#include "cublas_v2.h"

using cublasLtHandle_t = struct cublasLtContext*;

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle);
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle);

#include "warplab_emulator/user_macros_back.inc"
