#include "variance/designs/design.hpp"

#include "variance/wins/win.hpp"

namespace retrial::variance::inline designs {

Levels Design::levels() const {
  return {.alpha = sides == Sides::two ? alpha / 2.0 : alpha,
          .beta = beta,
          .gamma = correlation ? paired_gamma(gamma, *correlation) : gamma};
}

}  // namespace retrial::variance::inline designs
