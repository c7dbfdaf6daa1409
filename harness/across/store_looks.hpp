#pragma once

#include "harness/across/two_stores.hpp"
#include "harness/command_line/arguments.hpp"

namespace retrial::harness::inline across {

/// Records the comparison as a look at its questions in both stores, because each has half of the trials, and
/// adds to `answer.undeclared` what either store counted before. False, and reported there, where one of them cannot be
/// written or
/// --foreign is given.
[[nodiscard]] bool record_in_both(const Arguments& arguments, TwoStores& answer);

}  // namespace retrial::harness::inline across
