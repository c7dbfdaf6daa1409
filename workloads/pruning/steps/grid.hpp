#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace retrial::pruning::inline steps {

/// Keep ratios (kept weights / prunable weights of the initial network) of a pipeline's steps, from a text. One or more
/// of these, joined by `+`:
///   geometric(n, max, min)     max (min / max)^(i / (n - 1)), i = 0 .. n - 1
///   linear(n, max, min)        from max to min in equal steps
/// levels(f, L) (1 - f)^i, i = 1 .. L: every level removes the share f of the rest
///   powers(n, first, factor)   first factor^i, i = 0 .. n - 1
///   list(.8, .6), or .8, .6    literally
/// The whole list must strictly decrease within (0, 1]; otherwise Error{usage} with field pruning.grid. The same bits
/// on every machine.
[[nodiscard]] std::vector<double> grid(std::string_view text);
/// The problem with a grid; empty if it is valid.
[[nodiscard]] std::string grid_problem(std::string_view text);

/// 14 rounds from .8 that each remove a quarter of the rest.
inline constexpr const char* tier0_grid = "powers(14, .8, .75)";
/// The 69 ratios of ResNet-20 of Liebenwein et al. 2021; its networks are retrained at every third.
inline constexpr const char* resnet20_grid = "geometric(2, .99, .855) + geometric(58, .85, .15) + linear(9, .132, .02)";

/// Every q-th of the steps, the q-th first: those at which a pipeline with `retrain_every = q` retrains. q >= 1.
[[nodiscard]] std::vector<double> retrained(std::span<const double> ratios, std::size_t q);

}  // namespace retrial::pruning::inline steps
