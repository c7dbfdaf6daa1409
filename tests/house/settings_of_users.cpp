// A user names the settings that matter and leaves out the rest: no compiler may warn (installed_headers.py).
#include <type_traits>

#include "variance/variance.hpp"

namespace rv = retrial::variance;

static_assert(std::is_same_v<rv::InvalidInput, retrial::InvalidInput>);
static_assert(std::is_same_v<rv::NumericalFailure, retrial::NumericalFailure>);
static_assert(rv::version.find('.') != std::string_view::npos && rv::version_major + rv::version_minor > 0);

int main() {
  [[maybe_unused]] const rv::TestSettings test{.direction = rv::Direction::higher};
  [[maybe_unused]] const rv::Relabelling relabelling{.draws = 1'000};
  [[maybe_unused]] const rv::Levels levels{.alpha = 0.01};
  [[maybe_unused]] const rv::TDesign t_design{.pairing = rv::Pairing::unpaired};
  [[maybe_unused]] const rv::Design design{.candidate = "new", .baseline = "old"};
  [[maybe_unused]] const rv::PairedScores scores{.direction = rv::Direction::lower};
  [[maybe_unused]] const rv::SequentialSettings sequential{.alpha = 0.01};
  [[maybe_unused]] const rv::GroupPermutation looks{.looks = {5, 10}};
  [[maybe_unused]] const rv::BootstrapOptions bootstrap{.resamples = 1'000};
  [[maybe_unused]] const rv::AggregateOptions aggregate{.alpha = 0.01};
  [[maybe_unused]] const rv::PairTable table{.runs = 2, .values = {0.5}};
  [[maybe_unused]] const rv::Range range{.low = 0.0};
  [[maybe_unused]] const rv::Published published{.value = 93.0};
  [[maybe_unused]] const rv::Detector detector{.run_length = 500.0};
  [[maybe_unused]] const rv::AuditChoice choice{.quick = true};
  [[maybe_unused]] const rv::AuditSettings audit{.reps = 1'000};
  [[maybe_unused]] const rv::ErrorSimulation simulation{.simulations = 1'000};
}
