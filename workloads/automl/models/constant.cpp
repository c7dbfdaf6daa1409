#include "workloads/automl/models/constant.hpp"

#include "results/json/json.hpp"
#include "variance/samples/summary.hpp"

namespace retrial::automl::inline models {
namespace {

class Constant final : public Model {
 public:
  explicit Constant(std::vector<double> answer) : answer_(std::move(answer)) {}

  [[nodiscard]] std::vector<double> predict(const DataSet&, std::span<const std::uint32_t> rows,
                                            std::size_t) const override {
    std::vector<double> answers;
    for (std::size_t r = 0; r < rows.size(); ++r) answers.insert(answers.end(), answer_.begin(), answer_.end());
    return answers;
  }
  [[nodiscard]] std::string bytes() const override {
    return results::printed({{"answer", answer_}, {"format", "retrial.constant/1"}});
  }

 private:
  std::vector<double> answer_;
};

}  // namespace

std::unique_ptr<Model> fit_constant(const Training& training) {
  const DataSet& data = training.data;
  const auto rows = static_cast<double>(training.rows.size());
  const std::vector<double> target = targets_of(data, training.rows);
  std::vector<double> answer(outputs_of(data));
  if (data.task == Task::regression) {
    variance::Neumaier sum;
    for (const double value : target) sum.add(value);
    answer[0] = sum.value() / rows;
  } else {
    std::vector<double> counts(data.classes.size());
    for (const double label : target) ++counts[static_cast<std::size_t>(label)];
    for (std::size_t o = 0; o < answer.size(); ++o) answer[o] = counts[data.task == Task::binary ? 1 : o] / rows;
  }
  return std::make_unique<Constant>(std::move(answer));
}

}  // namespace retrial::automl::inline models
