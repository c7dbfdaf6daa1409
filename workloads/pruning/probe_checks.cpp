#include "workloads/pruning/probe_checks.hpp"

#include "workloads/pruning/metrics.hpp"

namespace retrial::prune {
namespace {

std::string right_of(std::int64_t wrong, std::int64_t images) {
  return std::to_string(images - wrong) + " of " + std::to_string(images);
}

}  // namespace

std::optional<workloads::Finding> check_chance(const std::string& what, std::int64_t parent_wrong,
                                               std::int64_t pruned_wrong, std::int64_t images, int classes) {
  if (metrics::at_chance(parent_wrong, images, classes) || !metrics::at_chance(pruned_wrong, images, classes))
    return std::nullopt;
  return workloads::Finding{"chance-collapse", what,
                            right_of(pruned_wrong, images) + " right answers, the parent gave " +
                                right_of(parent_wrong, images) + "; chance is 1 in " + std::to_string(classes)};
}

std::optional<workloads::Finding> check_rewound(const std::string& what, const std::string& rewound,
                                                const std::string& wanted) {
  if (rewound == wanted) return std::nullopt;
  return workloads::Finding{"rewind-ignored", what, rewound.substr(0, 12) + ", wanted " + wanted.substr(0, 12)};
}

}  // namespace retrial::prune
