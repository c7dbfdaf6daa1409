// A teacher and a student small enough for gradients by hand, in double precision: two stages with a centring (its mean
// is the running statistic of a batch norm) and a ReLU between them; the student is two linear maps.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/interface/trial/trial.hpp"

namespace retrial::survey {

constexpr std::size_t inputs = 4, hidden = 6, features = 5, classes = 3, rows = 24;

/// Row-major.
struct Matrix {
  std::size_t height = 0, width = 0;
  std::vector<double> at;

  Matrix(std::size_t h, std::size_t w) : height(h), width(w), at(h * w) {}
  double& operator()(std::size_t i, std::size_t j) { return at[i * width + j]; }
  double operator()(std::size_t i, std::size_t j) const { return at[i * width + j]; }
};
[[nodiscard]] Matrix drawn(std::uint64_t key, std::size_t height, std::size_t width);
/// a b^T: outputs of a linear map with weights b for the rows of a.
[[nodiscard]] Matrix times_transposed(const Matrix& a, const Matrix& b);
[[nodiscard]] Matrix softmax(const Matrix& logits, double temperature);

struct Outputs {
  Matrix features, logits;
};

enum class Between { relu, nothing };
enum class Mode { evaluation, training };

class Teacher {
 public:
  explicit Teacher(std::uint64_t seed);
  /// In training mode it centres by the batch and moves its running mean.
  Outputs forward(const Matrix& x, Between stages, Mode mode);
  [[nodiscard]] std::string digest() const;

 private:
  Matrix first_, second_, last_;
  std::vector<double> running_mean_;
};

struct Student {
  Matrix first, last;

  explicit Student(std::uint64_t seed);
  [[nodiscard]] Outputs forward(const Matrix& x) const;
  /// Flat gradient over both maps, from the gradients with respect to features and logits.
  [[nodiscard]] std::vector<double> gradient(const Matrix& x, const Outputs& out, Matrix by_features,
                                             const Matrix& by_logits) const;
  void step(const std::vector<double>& gradient, double rate);
};

/// The images: the same for everybody, with a label each.
[[nodiscard]] Matrix images();
[[nodiscard]] std::vector<std::size_t> labels();

}  // namespace retrial::survey
