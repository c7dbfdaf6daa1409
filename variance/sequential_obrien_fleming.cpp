#include "variance/sequential_looks.hpp"

namespace retrial::variance::sequential_rules {

Steps obrien_fleming(Differences differences, const SequentialSettings& s) {
  return at_looks(Spending::obrien_fleming, differences, s);
}

}  // namespace retrial::variance::sequential_rules
