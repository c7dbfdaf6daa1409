#include "variance/verdict/design.hpp"

#include "variance/two_variants/win.hpp"

namespace retrial::variance::inline verdict {

Levels Design::levels() const {
  return {.alpha = sides == Sides::two ? alpha / 2.0 : alpha,
          .beta = beta,
          .gamma = correlation ? paired_gamma(gamma, *correlation) : gamma};
}

}  // namespace retrial::variance::inline verdict
