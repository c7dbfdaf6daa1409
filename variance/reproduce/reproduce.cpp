#include "variance/reproduce/reproduce.hpp"

#include <algorithm>
#include <cmath>

#include "variance/reproduce/reproduce_parts.hpp"

namespace retrial::variance::inline reproduce {

bool ReproducedLine::ok() const {
  return std::ranges::equal(value, reference,
                            [this](double ours, double theirs) { return std::fabs(ours - theirs) <= tolerance; });
}

bool agrees(const Reproduced& reproduced) {
  return std::ranges::all_of(reproduced.lines, &ReproducedLine::ok);
}

std::vector<Reproduction>& registered_reproductions() {
  static std::vector<Reproduction> rows;
  return rows;
}

RegisterReproduction::RegisterReproduction(const Reproduction& row) {
  registered_reproductions().push_back(row);
}

}  // namespace retrial::variance::inline reproduce
