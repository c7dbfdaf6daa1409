#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace retrial::report {

/// Runs gnuplot once over `script` in a private folder that goes afterwards, with an environment of four variables and
/// limits of 30 s and 64 MiB a file, and returns fig-0001.svg to fig-<figures>.svg. Error{incomparable} naming the
/// package when there is no gnuplot on the PATH; Error{measurement} with its words when it fails, writes anything to
/// standard error or leaves a figure out.
[[nodiscard]] std::vector<std::string> run_gnuplot(const std::string& script, std::size_t figures);

}  // namespace retrial::report
