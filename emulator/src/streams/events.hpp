#pragma once

#include <cuda_runtime_api.h>

#include <optional>

namespace warplab::emulator {

struct Point;

/// Forgets all events of the current device, which is reset.
void drop_events();

// Events of nodes of graphs. What concerns an event that is destroyed is left out.

/// Whether there is an event of that handle.
bool is_event(cudaEvent_t handle);
/// The work that an event was recorded after last, if that was outside of a capture.
std::optional<Point> recorded_point(cudaEvent_t handle);
/// Takes the end of a launch of a graph, which has a node that records the event, for its record.
void record_at(cudaEvent_t handle, const Point& point);
/// The event takes place now.
void note_event_time(cudaEvent_t handle);

}  // namespace warplab::emulator
