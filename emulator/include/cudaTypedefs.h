#pragma once

#include "warplab_emulator/user_macros_aside.inc"

#include "cuda.h"

// Types of pointers to the driver's functions, as cudaGetDriverEntryPoint() finds them.

using PFN_cuTensorMapEncodeTiled_v12000 = decltype(&cuTensorMapEncodeTiled);
using PFN_cuTensorMapEncodeTiled = PFN_cuTensorMapEncodeTiled_v12000;
using PFN_cuTensorMapReplaceAddress_v12000 = decltype(&cuTensorMapReplaceAddress);
using PFN_cuTensorMapReplaceAddress = PFN_cuTensorMapReplaceAddress_v12000;
using PFN_cuInit_v2000 = decltype(&cuInit);
using PFN_cuInit = PFN_cuInit_v2000;
using PFN_cuDriverGetVersion_v2020 = decltype(&cuDriverGetVersion);
using PFN_cuDriverGetVersion = PFN_cuDriverGetVersion_v2020;
using PFN_cuGetErrorName_v6000 = decltype(&cuGetErrorName);
using PFN_cuGetErrorName = PFN_cuGetErrorName_v6000;
using PFN_cuGetErrorString_v6000 = decltype(&cuGetErrorString);
using PFN_cuGetErrorString = PFN_cuGetErrorString_v6000;

#include "warplab_emulator/user_macros_back.inc"
