#pragma once

#include "workloads/interface/contribution.hpp"

namespace retrial::automl {

/// The view `portfolio`: which few variants of a study do well on all of its problems, mined greedily, and how the
/// portfolio mined without one problem does on it; beside it the variants that were best on the table of nearest shape.
[[nodiscard]] workloads::View portfolio_view();

}  // namespace retrial::automl
