#pragma once

#include <string_view>

#include "variance/reproduce/reproduce.hpp"

namespace retrial::pipeline::inline analysis {

/// Formulas computed again beside reference values (reference.json): `retrial reproduce pipelined-backprop`. A group of
/// the document names a formula, what all its rows are given, and their tolerance: `absolute`, or `relative` to the
/// reference, which is then one number a row. A row has further arguments, the places of numbers in the answer (JSON
/// pointers), their values, and a tolerance where it has one of its own. A group with `less` is about the Euclidean
/// distance of the numbers under the arguments `with` from those under the arguments `less`. Throws for other
/// documents.
[[nodiscard]] variance::Reproduced recomputed(std::string_view document);

}  // namespace retrial::pipeline::inline analysis
