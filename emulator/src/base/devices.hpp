#pragma once

namespace warplab::emulator {

inline constexpr int max_devices = 8;

/// How many devices are emulated: WARPLAB_DEVICES, else 1. What it cannot be is said once, and taken for 1.
int device_count();

/// Whether programs are told of a device: WARPLAB_DEVICES=0 makes a machine without a GPU, to see what they
/// say there. CUDA_VISIBLE_DEVICES does not count: batch systems set it for the GPUs of a node.
bool has_device();

inline bool is_device(int device) { return device >= 0 && device < device_count(); }

/// The calling host thread's device, as cudaSetDevice has chosen it.
int current_device();
void set_current_device(int device);

/// The device whose kernel runs, or -1 while none does. Signal-safe.
int working_device() noexcept;
void set_working_device(int device) noexcept;

/// Whether kernels of `device` may touch the memory of `peer`: their own, or after
/// cudaDeviceEnablePeerAccess. Signal-safe.
bool may_reach(int device, int peer) noexcept;
void set_peer_access(int device, int peer, bool allowed);
/// Forgets whom this device may reach: it is reset.
void forget_peers(int device);

}  // namespace warplab::emulator
