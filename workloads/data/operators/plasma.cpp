#include <algorithm>

#include "variance/numbers/error.hpp"
#include "workloads/data/operators/operators.hpp"

namespace retrial::corrupt {
namespace {

/// A square array that wraps at its sides.
class Field {
 public:
  explicit Field(int side)
      : side_(side), values(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), 0.0) {}
  double& at(int y, int x) {
    const auto row = static_cast<std::size_t>((y + side_) % side_),
               column = static_cast<std::size_t>((x + side_) % side_);
    return values[row * static_cast<std::size_t>(side_) + column];
  }

 private:
  int side_;

 public:
  std::vector<double> values;
};

/// Calls set(y, x) for y = top, top + step, ... and x = left, left + step, ... below side, row by row.
template <typename Set>
void every(int side, int step, int top, int left, Set&& set) {
  for (int y = top; y < side; y += step)
    for (int x = left; x < side; x += step) set(y, x);
}

}  // namespace

std::vector<double> plasma(int side, double decay, const std::function<double()>& u) {
  if (side < 2 || (side & (side - 1)) != 0) throw InvalidInput("side", std::to_string(side), "powers of two from 2");
  Field field(side);
  double wobble = 100;
  for (int step = side; step >= 2; step /= 2, wobble /= decay) {
    const int half = step / 2;
    const auto about = [&](double sum) { return sum / 4 + wobble * (wobble * (2 * u() - 1)); };
    every(side, step, half, half, [&](int y, int x) {
      const double left = field.at(y - half, x - half) + field.at(y + half, x - half);
      field.at(y, x) = about(left + (field.at(y - half, x + half) + field.at(y + half, x + half)));
    });
    every(side, step, 0, half, [&](int y, int x) {
      const double squares = field.at(y + half, x) + field.at(y - half, x);
      field.at(y, x) = about(squares + (field.at(y, x - half) + field.at(y, x + half)));
    });
    every(side, step, half, 0, [&](int y, int x) {
      const double squares = field.at(y, x + half) + field.at(y, x - half);
      field.at(y, x) = about(squares + (field.at(y - half, x) + field.at(y + half, x)));
    });
  }
  const double lowest = *std::min_element(field.values.begin(), field.values.end());
  for (double& value : field.values) value -= lowest;
  const double highest = *std::max_element(field.values.begin(), field.values.end());
  for (double& value : field.values) value /= highest;
  return field.values;
}

std::vector<double> plasma(int side, double decay, variance::Stream& draws) {
  return plasma(side, decay, [&] { return variance::uniform_open(draws.next()); });
}

}  // namespace retrial::corrupt
