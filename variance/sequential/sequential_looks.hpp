#pragma once

#include "variance/sequential/sequential_rules.hpp"

/// The declared looks of rules that test at a few numbers of pairs. Internal to this folder.
namespace retrial::variance::inline sequential::sequential_rules {

using Looks = std::vector<std::int64_t>;

/// As declared, or five at equal distances up to the horizon. InvalidInput{looks[k]} if they do not ascend from 2 to
/// the horizon.
[[nodiscard]] Looks looks_of(const SequentialSettings& settings);

}  // namespace retrial::variance::inline sequential::sequential_rules
