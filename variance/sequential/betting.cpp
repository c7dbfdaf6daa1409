#include <algorithm>
#include <cmath>
#include <string>

#include "variance/numbers/check.hpp"
#include "variance/sequential/anytime.hpp"
#include "variance/sequential/sequential_rules.hpp"

namespace retrial::variance::inline sequential {
namespace {

constexpr double max_staked = 0.5;  // share of the wealth, in the worst case
constexpr int grid_means = 1000;

void require_unit(double value, std::size_t i) {
  if (value >= 0.0 && value <= 1.0) return;
  throw InvalidInput("values[" + std::to_string(i) + "]", shortest(value), "0 to 1, scaled by the declared range");
}

/// The state of a bettor before a value: estimates of mean and variance from earlier values.
struct Knowledge {
  double mean = 0.5, variance = 0.25;
};

Knowledge after(double sum, double squares, std::size_t count) {
  const double n = static_cast<double>(count) + 1.0;
  return {.mean = (0.5 + sum) / n, .variance = (0.25 + squares) / n};
}

Wealth growth(const Knowledge& known, double value, double m) {
  const double gap = known.mean - m, stake = gap / (known.variance + gap * gap);
  const double up = std::clamp(stake, 0.0, max_staked / m), down = std::clamp(-stake, 0.0, max_staked / (1.0 - m));
  return {.log_up = std::log1p(up * (value - m)), .log_down = std::log1p(-down * (value - m))};
}

}  // namespace

BettingWealth::BettingWealth(double m) : m_(m) {
  require_between("m", m, 0.0, 1.0);
}

Wealth BettingWealth::add(double value) {
  require_unit(value, count_);
  const Wealth step = growth(after(sum_, squares_, count_), value, m_);
  wealth_.log_up += step.log_up;
  wealth_.log_down += step.log_down;
  sum_ += value;
  ++count_;
  const double distance = value - after(sum_, 0.0, count_).mean;
  squares_ += distance * distance;
  return wealth_;
}

Wealth betting_wealth(std::span<const double> values, double m) {
  BettingWealth bettor(m);
  Wealth wealth;
  for (const double value : values) wealth = bettor.add(value);
  return wealth;
}

BettingSequence::BettingSequence(double alpha) : alpha_(alpha) {
  require_between("alpha", alpha, 0.0, 1.0);
  for (int i = 0; i < grid_means; ++i) bettors_.push_back({.mean = (i + 0.5) / grid_means});
}

bool BettingSequence::excluded(const Bettor& bettor) const {
  return std::max(bettor.log_up, bettor.log_down) - std::log(2.0) >= -std::log(alpha_);
}

double BettingSequence::edge(double inside, double outside) const {
  for (int i = 0; i < 30; ++i) {
    const double middle = 0.5 * (inside + outside);
    const Wealth wealth = betting_wealth(values_, middle);
    (excluded({middle, wealth.log_up, wealth.log_down}) ? outside : inside) = middle;
  }
  return outside;
}

void BettingSequence::add(double value) {
  require_unit(value, values_.size());
  const Knowledge known = after(sum_, squares_, values_.size());
  values_.push_back(value);
  sum_ += value;
  const double distance = value - after(sum_, 0.0, values_.size()).mean;
  squares_ += distance * distance;
  for (Bettor& bettor : bettors_) {
    const Wealth step = growth(known, value, bettor.mean);
    bettor.log_up += step.log_up;
    bettor.log_down += step.log_down;
  }
  const auto stays = [&](const Bettor& bettor) { return !excluded(bettor); };
  const auto first = std::ranges::find_if(bettors_, stays);
  if (first == bettors_.end()) {
    low_ = 1.0;
    high_ = 0.0;
    return;
  }
  const auto last = std::find_if(bettors_.rbegin(), bettors_.rend(), stays);
  if (first != bettors_.begin()) low_ = std::max(low_, edge(first->mean, std::prev(first)->mean));
  if (last != bettors_.rbegin()) high_ = std::min(high_, edge(last->mean, std::prev(last)->mean));
}

Estimate BettingSequence::interval() const {
  const double count = static_cast<double>(values_.size());
  Estimate result{
      .point = values_.empty() ? 0.5 : sum_ / count, .low = {}, .high = {}, .level = 1.0 - alpha_, .method = "betting"};
  if (low_ > high_) return result;
  result.low = low_;
  result.high = high_;
  return result;
}

namespace sequential_rules {

Steps betting(Differences differences, const SequentialSettings& s) {
  const UnitScale scale = unit_scale_of(s);
  BettingSequence sequence(s.alpha);
  BettingWealth bettor(scale.unit(0.0));
  return walk_differences(differences, s, [&](SequentialStep& step, Differences so_far) {
    const double unit = scale.unit(so_far.back());
    if (s.intervals) {
      sequence.add(unit);
      step.interval = scale.back(sequence.interval());
      if (!step.interval.low) step.note = "drift";
    }
    const Wealth wealth = bettor.add(unit);
    step.log_e = wealth.log_up - std::log(2.0);
    step.log_e_against = wealth.log_down - std::log(2.0);
    if (*step.log_e >= -std::log(s.alpha)) decide(step, Status::better);
    if (*step.log_e_against >= -std::log(s.alpha)) decide(step, Status::worse);
  });
}

}  // namespace sequential_rules

}  // namespace retrial::variance::inline sequential
