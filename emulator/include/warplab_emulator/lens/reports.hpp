#pragma once

namespace warplab::emulator {

/// From now on each report is also written to `descriptor`, without the words "warplab emulator: " and with a
/// line end. Whoever reads there reads reports only, whatever the program prints.
void send_reports_to(int descriptor);

}  // namespace warplab::emulator
