#include <array>

#include "variance/reproduce/reproduce_parts.hpp"
#include "variance/sequential/confidence_sequences.hpp"

namespace retrial::variance::inline reproduce::reproductions {
namespace {

void add_mixture(Reproduced& table, const std::string& name, const Mixture& mixture, double log_m, double bound) {
  add(table, name + ": log of the martingale at s 10, v 100", {log_mixture(mixture, 10.0, 100.0)}, {log_m}, 1e-5);
  add(table, name + ": bound at v 100", {mixture_bound(mixture, 100.0, 0.05)}, {bound}, 1e-5);
}

struct Tosses {
  std::int64_t wins, n;
  double t_opt, low, high;
};
constexpr std::array tosses{
    Tosses{15, 50, 50, .129556, .511896},
    Tosses{5, 50, 50, .013021, .269264},
    Tosses{1, 50, 50, 0, .134892},
    Tosses{1, 2, 50, 0, 1},
    Tosses{0, 1, 50, 0, 1},
    Tosses{1, 1, 50, 0, 1},
    Tosses{100, 200, 1, .328923, .671076},
    Tosses{22, 29, 30, .4827926324, .9450653174},
};

}  // namespace

Reproduced confseq() {
  Reproduced table;
  add_mixture(table, "normal, one-sided", {.kind = MixtureKind::normal_one_sided}, -.06502391, 27.66071);
  add_mixture(table, "gamma-exponential, c 2", {.kind = MixtureKind::gamma_exponential, .c = 2.0}, -.2490165, 33.02017);
  add_mixture(table, "gamma-Poisson, c 2", {.kind = MixtureKind::gamma_poisson, .c = 2.0}, -.06991219, 30.19490);
  add(table, "polynomial stitching at v 100, from 10: c 3, c -1",
      {stitched_bound(100, 10, .05, 3), stitched_bound(100, 10, .05, -1)}, {64.48755, 28.99389}, 1e-5);
  add(table, "double stitching at t 1000, tuned to 100: quantile .5, .9, .1",
      {quantile_bound(1000, 100, .5, .05), quantile_bound(1000, 100, .9, .05), quantile_bound(1000, 100, .1, .05)},
      {68.62803, 43.72119, 59.96521}, 1e-5);
  for (const Tosses& t : tosses) {
    const Estimate interval = bernoulli_sequence(t.wins, t.n, .05, t.t_opt);
    add(table, "share of " + std::to_string(t.wins) + " of " + std::to_string(t.n),
        {interval.low.value_or(-1.0), interval.high.value_or(-1.0)}, {t.low, t.high}, 1e-6);
  }
  return table;
}

}  // namespace retrial::variance::inline reproduce::reproductions
