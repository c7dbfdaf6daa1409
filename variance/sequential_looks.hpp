#pragma once

#include "variance/group_sequential.hpp"
#include "variance/sequential_rules.hpp"

/// What rules have in common that are asked at a few numbers of pairs, declared beforehand. Internal to this folder.
namespace retrial::variance::sequential_rules {

using Looks = std::vector<std::int64_t>;

/// As declared, or five at equal distances up to the horizon. InvalidInput{looks[k]} when they do not ascend from 2 to
/// the horizon.
[[nodiscard]] Looks looks_of(const SequentialSettings& settings);
/// The t test at each look against the boundary that the spending function leaves it.
[[nodiscard]] Steps at_looks(Spending spending, Differences, const SequentialSettings&);

}  // namespace retrial::variance::sequential_rules
