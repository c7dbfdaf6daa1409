#include "tests/survey/network.hpp"

#include <algorithm>
#include <cmath>

#include "results/digest/sha256.hpp"
#include "results/text/text.hpp"
#include "variance/random/rng.hpp"

namespace retrial::survey {
namespace {

constexpr double momentum = 0.1;

std::vector<double> column_means(const Matrix& a) {
  std::vector<double> out(a.width);
  for (std::size_t i = 0; i < a.height; ++i)
    for (std::size_t j = 0; j < a.width; ++j) out[j] += a(i, j) / static_cast<double>(a.height);
  return out;
}

std::string bits_of(const std::vector<double>& values) {
  std::string out;
  for (const double v : values) out += results::hex_of_bits(v);
  return out;
}

}  // namespace

Matrix drawn(std::uint64_t key, std::size_t height, std::size_t width) {
  Matrix out(height, width);
  variance::Stream draws(key);
  for (double& v : out.at) v = variance::normal(draws.next()) / std::sqrt(static_cast<double>(width));
  return out;
}

Matrix times_transposed(const Matrix& a, const Matrix& b) {
  Matrix out(a.height, b.height);
  for (std::size_t i = 0; i < a.height; ++i)
    for (std::size_t j = 0; j < b.height; ++j)
      for (std::size_t k = 0; k < a.width; ++k) out(i, j) += a(i, k) * b(j, k);
  return out;
}

Matrix softmax(const Matrix& logits, double temperature) {
  Matrix out(logits.height, logits.width);
  for (std::size_t i = 0; i < logits.height; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < logits.width; ++j) sum += out(i, j) = std::exp(logits(i, j) / temperature);
    for (std::size_t j = 0; j < logits.width; ++j) out(i, j) /= sum;
  }
  return out;
}

Teacher::Teacher(std::uint64_t seed)
    : first_(drawn(variance::derive(seed, "first"), hidden, inputs)),
      second_(drawn(variance::derive(seed, "second"), features, hidden)),
      last_(drawn(variance::derive(seed, "last"), classes, features)),
      running_mean_(hidden) {}

Outputs Teacher::forward(const Matrix& x, Between stages, Mode mode) {
  Matrix stage = times_transposed(x, first_);
  const auto mean = mode == Mode::training ? column_means(stage) : running_mean_;
  for (std::size_t i = 0; i < stage.height; ++i)
    for (std::size_t j = 0; j < stage.width; ++j) {
      stage(i, j) -= mean[j];
      if (stages == Between::relu) stage(i, j) = std::max(stage(i, j), 0.0);
    }
  if (mode == Mode::training)
    for (std::size_t j = 0; j < hidden; ++j) running_mean_[j] += momentum * (mean[j] - running_mean_[j]);
  Matrix out = times_transposed(stage, second_);
  return {out, times_transposed(out, last_)};
}

std::string Teacher::digest() const {
  return results::hex(
      results::sha256(bits_of(first_.at) + bits_of(second_.at) + bits_of(last_.at) + bits_of(running_mean_)));
}

Student::Student(std::uint64_t seed)
    : first(drawn(variance::derive(seed, "first"), features, inputs)),
      last(drawn(variance::derive(seed, "last"), classes, features)) {}

Outputs Student::forward(const Matrix& x) const {
  Matrix out = times_transposed(x, first);
  return {out, times_transposed(out, last)};
}

std::vector<double> Student::gradient(const Matrix& x, const Outputs& out, Matrix by_features,
                                      const Matrix& by_logits) const {
  Matrix d_first(first.height, first.width), d_last(last.height, last.width);
  for (std::size_t i = 0; i < x.height; ++i)
    for (std::size_t c = 0; c < classes; ++c)
      for (std::size_t f = 0; f < features; ++f) {
        d_last(c, f) += by_logits(i, c) * out.features(i, f);
        by_features(i, f) += by_logits(i, c) * last(c, f);
      }
  for (std::size_t i = 0; i < x.height; ++i)
    for (std::size_t f = 0; f < features; ++f)
      for (std::size_t k = 0; k < inputs; ++k) d_first(f, k) += by_features(i, f) * x(i, k);
  d_first.at.insert(d_first.at.end(), d_last.at.begin(), d_last.at.end());
  return d_first.at;
}

void Student::step(const std::vector<double>& gradient, double rate) {
  for (std::size_t i = 0; i < first.at.size(); ++i) first.at[i] -= rate * gradient[i];
  for (std::size_t i = 0; i < last.at.size(); ++i) last.at[i] -= rate * gradient[first.at.size() + i];
}

Matrix images() {
  return drawn(variance::derive(0, "survey-images"), rows, inputs);
}

std::vector<std::size_t> labels() {
  const Matrix logits = Teacher(7).forward(images(), Between::relu, Mode::evaluation).logits;
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto* row = &logits.at[i * classes];
    out.push_back(static_cast<std::size_t>(std::max_element(row, row + classes) - row));
  }
  return out;
}

}  // namespace retrial::survey
