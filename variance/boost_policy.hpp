#pragma once

#include <boost/math/policies/error_handling.hpp>
#include <boost/math/policies/policy.hpp>
#include <stdexcept>

#include "variance/error.hpp"

/// How this folder calls Boost.Math: for its .cpp files only, so that no public header shows Boost.
namespace retrial::variance {

namespace policies = boost::math::policies;

/// Without promotion to long double, whose width differs between machines.
using Policy =
    policies::policy<policies::promote_double<false>, policies::domain_error<policies::throw_on_error>,
                     policies::pole_error<policies::throw_on_error>, policies::overflow_error<policies::throw_on_error>,
                     policies::evaluation_error<policies::throw_on_error>>;

/// What `compute` returns; NumericalFailure where Boost gives up.
template <typename Compute>
double guarded(const char* function, Compute&& compute) {
  try {
    return compute();
  } catch (const boost::math::evaluation_error&) {
    throw NumericalFailure(function, static_cast<int>(policies::get_max_series_iterations<Policy>()));
  } catch (const std::overflow_error&) {
    throw NumericalFailure(function, 0);
  }
}

}  // namespace retrial::variance
