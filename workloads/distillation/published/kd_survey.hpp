#pragma once

#include "workloads/published/table.hpp"

namespace retrial::distillation {

/// Published results of distillation (kd_survey.json), and the conclusions of Ruffy and Chahal 2019.
[[nodiscard]] published::Table kd_survey();

}  // namespace retrial::distillation
