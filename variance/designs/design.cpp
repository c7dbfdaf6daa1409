#include "variance/designs/design.hpp"

#include "variance/numbers/number_text.hpp"
#include "variance/wins/win.hpp"

namespace retrial::variance::inline designs {

Levels Design::levels() const {
  return {.alpha = sides == Sides::two ? alpha / 2.0 : alpha,
          .beta = beta,
          .gamma = gamma && correlation ? paired_gamma(*gamma, *correlation) : gamma};
}

std::string win_rate_condition(const Design& design) {
  return "if the true win rate is " + percent(design.levels().win_rate()) +
         (design.gamma ? "" : " (assumed: no gamma is declared)");
}

}  // namespace retrial::variance::inline designs
