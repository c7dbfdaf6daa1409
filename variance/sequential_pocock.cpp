#include "variance/sequential_looks.hpp"

namespace retrial::variance::sequential_rules {

Steps pocock(Differences differences, const SequentialSettings& s) {
  return at_looks(Spending::pocock, differences, s);
}

}  // namespace retrial::variance::sequential_rules
