#pragma once

namespace retrial::rlenv {

/// In [-pi, pi), with Python's remainder.
[[nodiscard]] double normalised_angle(double angle);

}  // namespace retrial::rlenv
