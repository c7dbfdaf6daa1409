#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results/digest/chain.hpp"
#include "results/json/json.hpp"
#include "workloads/automl/core/problem.hpp"

namespace retrial::automl::inline core {

/// "f64:3fb999999999999a": the bits of a double in a ledger. -0 is written as 0, and every NaN alike.
[[nodiscard]] std::string bits_text(double value);
/// The double of such a text; NaN where it is none.
[[nodiscard]] double number_of(const Json& text);
/// The values of a configuration: whole numbers as such, doubles by their bits.
[[nodiscard]] Json values_json(const Chosen& chosen);

/// A delivered evaluation.
struct Record {
  Evaluation evaluation;
  Outcome outcome;
  std::string learner;
  std::string origin;        ///< init, portfolio:NAME, flow2:+, random, ...; with |cache where nothing was trained
  std::int64_t parent = -1;  ///< the evaluation of the incumbent that it came from
  std::int64_t worker = 0, start = 0, end = 0;  ///< virtual
};
/// Canonical JSON: what is hashed. Times and threads are not in it.
[[nodiscard]] std::string line_of(const Record& record);

/// Everything that a search did, in the order of delivery, under one rolling hash: H0 = SHA-256(header), and after each
/// record SHA-256(hash, record).
class Ledger {
 public:
  explicit Ledger(const Json& header);
  void append(const Record& record);
  [[nodiscard]] const results::Digest& hash() const { return chain_.hash(); }
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }  ///< the header first
  [[nodiscard]] std::size_t records() const { return lines_.size() - 1; }
  /// One line each.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::string> lines_;
  results::Chain chain_;
};

/// Where two ledger texts part: "differs at 17, field config: stored ..., proposed ..."; empty: nowhere.
[[nodiscard]] std::string difference(const std::string& stored, const std::string& now, std::size_t number);

}  // namespace retrial::automl::inline core
