#include "workloads/interface/score_scale.hpp"

#include <cmath>

namespace retrial::workloads::inline interface {

double judged_score(const ScoreScale& scale, double score) {
  if (scale.levels.empty() || !std::isfinite(score)) return score;
  double nearest = scale.levels.front();
  for (const double level : scale.levels)
    if (std::fabs(level - score) < std::fabs(nearest - score)) nearest = level;
  return nearest;
}

}  // namespace retrial::workloads::inline interface
