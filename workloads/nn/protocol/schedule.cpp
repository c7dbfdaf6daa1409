#include "workloads/nn/protocol/schedule.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "results/text/text.hpp"
#include "variance/numbers/error.hpp"
#include "workloads/data/files/rational.hpp"
#include "workloads/interface/trial/split.hpp"

namespace retrial::nn::inline protocol {
namespace {

const char* const allowed_milestones =
    "shares in (0, 1) such as 1/3 or .66, or whole epochs from 1, separated by commas; empty for none";

std::vector<std::string> pieces_of(const std::string& list) {
  return list.empty() ? std::vector<std::string>{} : workloads::split(list, ',');
}

/// A whole number is an epoch, anything else a share of them.
std::optional<std::int64_t> epoch_of(const std::string& piece, std::int64_t epochs) {
  const auto exact = data::parse_rational(piece);
  if (!exact || exact->numerator == 0) return std::nullopt;
  if (piece.find_first_not_of("0123456789") == std::string::npos) return exact->numerator;
  if (exact->numerator >= exact->denominator) return std::nullopt;
  return exact->floor_of(epochs);
}

}  // namespace

std::string milestones_problem(const std::string& milestones) {
  for (const std::string& piece : pieces_of(milestones))
    if (!epoch_of(piece, 1)) return "\"" + piece + "\" is not a milestone (allowed: " + allowed_milestones + ")";
  return "";
}

std::vector<std::int64_t> milestone_epochs(const std::string& milestones, std::int64_t epochs) {
  std::vector<std::int64_t> found;
  for (const std::string& piece : pieces_of(milestones)) {
    const auto epoch = epoch_of(piece, epochs);
    if (!epoch) throw InvalidInput("milestones", milestones, allowed_milestones);
    found.push_back(*epoch);
  }
  return found;
}

std::vector<double> learning_rates(const Schedule& schedule, int epochs) {
  const std::vector<std::int64_t> milestones = milestone_epochs(schedule.milestones, epochs);
  std::vector<double> rates;
  double rate = schedule.lr;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (auto passed = std::count(milestones.begin(), milestones.end(), epoch); passed > 0; --passed)
      rate *= schedule.gamma;
    rates.push_back(rate);
  }
  return rates;
}

results::Digest schedule_digest(const std::vector<double>& rates) {
  std::string bytes;
  for (const double rate : rates)
    for (int shift = 0; shift < 64; shift += 8)
      bytes.push_back(static_cast<char>(std::bit_cast<std::uint64_t>(rate) >> shift & 0xff));
  return results::sha256(bytes);
}

}  // namespace retrial::nn::inline protocol
