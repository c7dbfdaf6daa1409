#pragma once

#include <array>
#include <string_view>

namespace retrial::determinism::inline portable {

/// An operator of LibTorch's CPU library that kernel mode `portable` computes by own code of a fixed order, or refuses.
/// Chosen by this rule: an emulator computes approximate reciprocals and roots exactly, CPUs by a table of their own,
/// so an operator that uses one shows there (determinism spec 5.10; docs/method/portable.md).
struct ReplacedOperator {
  std::string_view name;         ///< without "aten::"; its in-place and out= forms (sqrt_, sqrt.out) are meant too
  std::string_view reason;       ///< why the library's is not used
  std::string_view replacement;  ///< the computation used instead
  std::string_view cost;         ///< CPU time against the library's in this mode (docs/method/portable.md)
};

inline constexpr std::string_view own_product =
    "one order of summation for every shape: chains of fused multiply-adds over blocks of 256 terms";
inline constexpr std::string_view slow_product =
    "MKL's branch for every CPU is equal on all of them, but takes twice the time, and its bits depend on the batch";

inline constexpr std::string_view other_order = "MKL's order of summation depends on the shape; here it is that of mm";
inline constexpr std::string_view product_cost = "0.4 to 0.6 of the time; a single row 1.6, a single column 3.5";

inline constexpr auto replaced_operators = std::to_array<ReplacedOperator>({
    {"sqrt", "MKL starts from an approximate reciprocal root, a table of each vendor", "correctly rounded square root",
     "0.7 to 1 of the time"},
    {"pow", "with exponent 0.5 it is MKL's square root", "exponent 0.5: correctly rounded square root",
     "0.7 to 1 of the time"},
    {"log", "in float64 MKL starts from an approximate reciprocal, a table of each vendor",
     "float64: a series in one order, within 1 ULP", "float64: 4.7 times the time"},
    {"mm", slow_product, own_product, product_cost},
    {"addmm", slow_product, own_product, product_cost},
    {"bmm", slow_product, own_product, product_cost},
    {"baddbmm", slow_product, own_product, product_cost},
    {"addmv", other_order, own_product, "3.5 times the time"},
    {"dot", other_order, own_product, "3.7 times the time"},
});

/// Refused by name: not portable, and no workload needs them.
struct RefusedOperator {
  std::string_view name;  ///< as above
  std::string_view reason;
};

inline constexpr auto refused_operators = std::to_array<RefusedOperator>({
    {"acos", "MKL starts from an approximate reciprocal root"},
    {"asin", "MKL starts from an approximate reciprocal root"},
    {"atan", "MKL starts from an approximate reciprocal"},
    {"tan", "MKL starts from an approximate reciprocal"},
    {"log2", "MKL starts from an approximate reciprocal"},
    {"log10", "MKL starts from an approximate reciprocal"},
    {"logit", "its logarithm starts from an approximate reciprocal"},
});

}  // namespace retrial::determinism::inline portable
