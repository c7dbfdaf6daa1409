#include "workloads/data/sets/teacher4.hpp"

#include <cmath>

#include "variance/random/rng.hpp"

namespace retrial::data::inline sets {
namespace {

constexpr std::size_t hidden = 32;

/// One of the tables of normals below key 0.
class Normals {
 public:
  explicit Normals(std::uint64_t table) : key_(variance::derive(variance::derive(0, "table"), table)) {}
  [[nodiscard]] double operator()(std::uint64_t n) const { return variance::normal(variance::block(key_, n, 0)[0]); }

 private:
  std::uint64_t key_;
};

struct Labeler {
  std::vector<double> first, second;  ///< V and U, row by row

  Labeler() {
    const Normals v(1), u(2);
    for (std::size_t n = 0; n < hidden * Teacher4::features; ++n) first.push_back(v(n) / 4);
    for (std::size_t n = 0; n < Teacher4::classes * hidden; ++n) second.push_back(u(n) / std::sqrt(32.0));
  }

  [[nodiscard]] std::uint8_t label(std::span<const float> x) const {
    double active[hidden];
    for (std::size_t j = 0; j < hidden; ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < x.size(); ++i) sum += first[j * x.size() + i] * static_cast<double>(x[i]);
      active[j] = std::tanh(sum);
    }
    double largest = 0;
    std::uint8_t label = 0;
    for (std::size_t c = 0; c < Teacher4::classes; ++c) {
      double sum = 0;
      for (std::size_t j = 0; j < hidden; ++j) sum += second[c * hidden + j] * active[j];
      if (c == 0 || sum > largest) largest = sum, label = static_cast<std::uint8_t>(c);
    }
    return label;
  }
};

Teacher4::Part part_of(const Labeler& labeler, std::uint64_t table, std::size_t rows) {
  const Normals draws(table);
  Teacher4::Part part;
  for (std::size_t n = 0; n < rows * Teacher4::features; ++n) part.inputs.push_back(static_cast<float>(draws(n)));
  for (std::size_t r = 0; r < rows; ++r) part.labels.push_back(labeler.label(part.row(r)));
  return part;
}

}  // namespace

const Teacher4& teacher4() {
  static const Teacher4 made = [] {
    const Labeler labeler;
    return Teacher4{part_of(labeler, 3, Teacher4::train_rows), part_of(labeler, 4, Teacher4::test_rows)};
  }();
  return made;
}

results::Digest teacher4_identity() {
  return results::digest_from_hex("7f993ed0237dc2ac0b7f20b538257ac10c889a8ffd3d1add69a1895fade2671b", "teacher4");
}

}  // namespace retrial::data::inline sets
