#include "workloads/automl/linear/logistic.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "results/json/json.hpp"
#include "workloads/automl/datasets/encoding.hpp"
#include "workloads/automl/linear/lbfgs.hpp"

namespace retrial::automl::inline linear {
namespace {

constexpr double gradient_tolerance = 1e-6;
constexpr int power_iterations = 50;

/// Scores of one row become probabilities; returns the log-loss of `label`. Of two classes there is one score.
double settle(std::span<double> scores, std::size_t label) {
  if (scores.size() == 1) {
    const double score = scores[0], small = std::exp(-std::fabs(score));
    scores[0] = score >= 0 ? 1.0 / (1.0 + small) : small / (1.0 + small);
    return std::log1p(small) + std::max(label == 1 ? -score : score, 0.0);
  }
  const double most = *std::max_element(scores.begin(), scores.end()), own = scores[label];
  double sum = 0;
  for (double& score : scores) sum += score = std::exp(score - most);
  for (double& score : scores) score /= sum;
  return std::log(sum) - (own - most);
}

/// Weights, output by output: one per column, then the intercept.
struct LinearScores {
  std::size_t width = 0, outputs = 1;

  [[nodiscard]] std::size_t stride() const { return width + 1; }
  [[nodiscard]] std::size_t size() const { return outputs * stride(); }
  [[nodiscard]] bool intercept(std::size_t i) const { return i % stride() == width; }

  void scores(std::span<const double> weights, std::span<const double> row, std::span<double> into) const {
    for (std::size_t o = 0; o < outputs; ++o) {
      double sum = weights[o * stride() + width];
      for (std::size_t c = 0; c < width; ++c) sum += weights[o * stride() + c] * row[c];
      into[o] = sum;
    }
  }
};

/// The mean log-loss over the rows, and its gradient.
class MeanLoss {
 public:
  MeanLoss(const LinearScores& shape, std::vector<double> rows, std::vector<double> labels)
      : shape_(shape), cells_(std::move(rows)), labels_(std::move(labels)) {}

  [[nodiscard]] double count() const { return static_cast<double>(labels_.size()); }
  [[nodiscard]] std::span<const double> row(std::size_t r) const {
    return std::span(cells_).subspan(r * shape_.width, shape_.width);
  }

  double operator()(std::span<const double> weights, std::span<double> gradient) const {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    std::vector<double> scores(shape_.outputs);
    double loss = 0;
    for (std::size_t r = 0; r < labels_.size(); ++r) {
      const auto cells = row(r);
      const auto label = static_cast<std::size_t>(labels_[r]);
      shape_.scores(weights, cells, scores);
      loss += settle(scores, label);
      for (std::size_t o = 0; o < shape_.outputs; ++o) {
        const bool own = shape_.outputs == 1 ? label == 1 : label == o;
        const double off = scores[o] - (own ? 1.0 : 0.0);
        for (std::size_t c = 0; c < shape_.width; ++c) gradient[o * shape_.stride() + c] += off * cells[c];
        gradient[o * shape_.stride() + shape_.width] += off;
      }
    }
    for (double& entry : gradient) entry /= count();
    return loss / count();
  }

  /// The square of the largest singular value of the rows with a column of ones, by power iterations from all ones.
  [[nodiscard]] double squared_norm() const {
    std::vector<double> direction(shape_.stride(), 1.0);
    double size = 0;
    for (int iteration = 0; iteration < power_iterations; ++iteration) {
      std::vector<double> next(shape_.stride());
      for (std::size_t r = 0; r < labels_.size(); ++r) {
        const auto cells = row(r);
        const double image = std::inner_product(cells.begin(), cells.end(), direction.begin(), direction.back());
        for (std::size_t c = 0; c < shape_.width; ++c) next[c] += image * cells[c];
        next.back() += image;
      }
      size = std::sqrt(std::inner_product(next.begin(), next.end(), next.begin(), 0.0));
      for (double& entry : next) entry /= size;
      direction = std::move(next);
    }
    return size;
  }

 private:
  const LinearScores& shape_;
  std::vector<double> cells_, labels_;
};

Minimum smallest_l2(const LinearScores& shape, const MeanLoss& loss, const LogisticSettings& settings) {
  const double share = 1.0 / (settings.c * loss.count());
  const Objective penalised = [&](std::span<const double> weights, std::span<double> gradient) {
    double value = loss(weights, gradient);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (shape.intercept(i)) continue;
      value += share * weights[i] * weights[i] / 2;
      gradient[i] += share * weights[i];
    }
    return value;
  };
  return lbfgs(penalised, std::vector<double>(shape.size()), gradient_tolerance, settings.max_iterations);
}

/// FISTA (Beck and Teboulle 2009): a gradient step from an extrapolated point, then every weight is moved towards 0.
Minimum smallest_l1(const LinearScores& shape, const MeanLoss& loss, const LogisticSettings& settings) {
  const double curvature = loss.squared_norm() / (shape.outputs == 1 ? 4.0 : 2.0) / loss.count();
  const double step = 1.0 / curvature, towards_zero = step / (settings.c * loss.count());
  Minimum found{.at = std::vector<double>(shape.size())};
  std::vector<double> ahead(shape.size()), gradient(shape.size());
  double momentum = 1, moved = 1;
  while (found.iterations < settings.max_iterations && moved > gradient_tolerance) {
    (void)loss(ahead, gradient);
    std::vector<double> next = ahead;
    moved = 0;
    for (std::size_t i = 0; i < next.size(); ++i) {
      next[i] -= step * gradient[i];
      if (!shape.intercept(i)) next[i] = std::copysign(std::max(std::fabs(next[i]) - towards_zero, 0.0), next[i]);
      moved = std::max(moved, std::fabs(next[i] - ahead[i]) / step);
    }
    const double later = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
    for (std::size_t i = 0; i < next.size(); ++i) ahead[i] = next[i] + (momentum - 1) / later * (next[i] - found.at[i]);
    momentum = later;
    found.at = std::move(next);
    ++found.iterations;
  }
  return found;
}

class Logistic final : public Model {
 public:
  Logistic(const DataSet& data, DenseEncoding encoding, LinearScores shape, Minimum minimum)
      : classes_(data.classes),
        columns_(encoding.described(data)),
        encoding_(std::move(encoding)),
        shape_(shape),
        minimum_(std::move(minimum)) {}

  [[nodiscard]] std::vector<double> predict(const DataSet& data, std::span<const std::uint32_t> rows,
                                            std::size_t) const override {
    const std::vector<double> cells = encoding_.apply(data, rows);
    std::vector<double> answers(rows.size() * shape_.outputs);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const auto into = std::span(answers).subspan(r * shape_.outputs, shape_.outputs);
      shape_.scores(minimum_.at, std::span(cells).subspan(r * shape_.width, shape_.width), into);
      (void)settle(into, 0);
    }
    return answers;
  }

  [[nodiscard]] std::string bytes() const override {
    return results::printed(
        {{"about",
          "scores: for each output the weights of the standardised columns, then the intercept; one "
          "output: the logistic function gives the probability of the second class, else softmax"},
         {"classes", classes_},
         {"columns", columns_},
         {"format", "retrial.logistic/1"},
         {"outputs", shape_.outputs},
         {"weights", minimum_.at}});
  }

  [[nodiscard]] std::int64_t iterations() const override { return minimum_.iterations; }

 private:
  std::vector<std::string> classes_;
  Json columns_;
  DenseEncoding encoding_;
  LinearScores shape_;
  Minimum minimum_;
};

}  // namespace

std::unique_ptr<Model> fit_logistic(const Training& training, const LogisticSettings& settings) {
  DenseEncoding encoding(training.data, training.rows);
  const LinearScores shape{.width = encoding.width(), .outputs = outputs_of(training.data)};
  const MeanLoss loss(shape, encoding.apply(training.data, training.rows), targets_of(training.data, training.rows));
  Minimum minimum =
      settings.penalty == Penalty::l2 ? smallest_l2(shape, loss, settings) : smallest_l1(shape, loss, settings);
  return std::make_unique<Logistic>(training.data, std::move(encoding), shape, std::move(minimum));
}

}  // namespace retrial::automl::inline linear
