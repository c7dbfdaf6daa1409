#include <concepts>

#include "variance/numbers/number_text.hpp"
#include "workloads/automl/boosting/boosting.hpp"
#include "workloads/automl/boosting/lightgbm_api.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::automl::inline boosting {
namespace {

void lightgbm_do(int outcome) {
  if (outcome != 0) throw workloads::TrialFailure("automl.learner_failed", lightgbm_api().last_error());
}

/// "name=value name=value".
class LightgbmParameters {
 public:
  LightgbmParameters& add(const char* name, const std::string& value) {
    text_ += (text_.empty() ? "" : " ") + std::string(name) + "=" + value;
    return *this;
  }
  LightgbmParameters& add(const char* name, std::integral auto value) { return add(name, std::to_string(value)); }
  LightgbmParameters& add(const char* name, double value) { return add(name, variance::shortest(value)); }
  [[nodiscard]] const char* text() const { return text_.c_str(); }

 private:
  std::string text_;
};

LightgbmParameters parameters_of(const DataSet& data, const BoostingSettings& settings, const FitSeeds& seeds,
                                 std::size_t threads) {
  LightgbmParameters given;
  given.add("verbosity", -1).add("num_threads", threads).add("seed", seeds.of_library);
  given.add("deterministic", std::string("true")).add("force_row_wise", std::string("true"));
  given.add("objective", data.task == Task::binary       ? std::string("binary")
                         : data.task == Task::multiclass ? std::string("multiclass")
                                                         : std::string("regression"));
  if (data.task == Task::multiclass) given.add("num_class", data.classes.size());
  given.add("num_leaves", settings.max_leaves).add("min_data_in_leaf", settings.min_child_samples);
  given.add("learning_rate", settings.learning_rate).add("max_bin", settings.max_bin);
  given.add("feature_fraction", settings.columns_by_tree);
  given.add("lambda_l1", settings.alpha).add("lambda_l2", settings.lambda);
  if (settings.subsample < 1) given.add("bagging_fraction", settings.subsample).add("bagging_freq", 1);
  return given;
}

class LightgbmRows {
 public:
  LightgbmRows(const Training& training, const LightgbmParameters& given) {
    const std::vector<float> cells = cells_of(training.data, training.rows);
    const auto rows = static_cast<std::int32_t>(training.rows.size());
    lightgbm_do(lightgbm_api().data_create(cells.data(), LightgbmApi::float32, rows,
                                           static_cast<std::int32_t>(training.data.columns()), LightgbmApi::row_by_row,
                                           given.text(), nullptr, &handle_));
    const std::vector<double> target = targets_of(training.data, training.rows);
    const std::vector<float> labels(target.begin(), target.end());
    lightgbm_do(lightgbm_api().data_set(handle_, "label", labels.data(), rows, LightgbmApi::float32));
  }
  ~LightgbmRows() { (void)lightgbm_api().data_free(handle_); }
  LightgbmRows(const LightgbmRows&) = delete;
  LightgbmRows& operator=(const LightgbmRows&) = delete;
  [[nodiscard]] void* handle() const { return handle_; }

 private:
  void* handle_ = nullptr;
};

class LightgbmModel final : public Model {
 public:
  LightgbmModel(const LightgbmRows& training, const LightgbmParameters& given) {
    lightgbm_do(lightgbm_api().booster_create(training.handle(), given.text(), &handle_));
  }
  ~LightgbmModel() override { (void)lightgbm_api().booster_free(handle_); }
  LightgbmModel(const LightgbmModel&) = delete;
  LightgbmModel& operator=(const LightgbmModel&) = delete;

  /// True where no tree can be added any more.
  [[nodiscard]] bool update() const {
    int finished = 0;
    lightgbm_do(lightgbm_api().booster_update(handle_, &finished));
    return finished != 0;
  }

  [[nodiscard]] std::vector<double> predict(const DataSet& data, std::span<const std::uint32_t> rows,
                                            std::size_t threads) const override {
    const std::vector<float> cells = cells_of(data, rows);
    std::vector<double> answers(rows.size() * outputs_of(data));
    std::int64_t count = 0;
    const LightgbmParameters given = LightgbmParameters().add("num_threads", threads).add("verbosity", -1);
    lightgbm_do(lightgbm_api().booster_predict(
        handle_, cells.data(), LightgbmApi::float32, static_cast<std::int32_t>(rows.size()),
        static_cast<std::int32_t>(data.columns()), LightgbmApi::row_by_row, LightgbmApi::probabilities, 0, -1,
        given.text(), &count, answers.data()));
    return answers;
  }

  [[nodiscard]] std::string bytes() const override {
    std::int64_t size = 0;
    lightgbm_do(lightgbm_api().booster_save(handle_, 0, -1, 0, 0, &size, nullptr));
    std::string text(static_cast<std::size_t>(size), '\0');
    lightgbm_do(lightgbm_api().booster_save(handle_, 0, -1, 0, size, &size, text.data()));
    text.resize(text.find('\0'));
    return text;
  }
  /// The part from `parameters:` on prints the number of threads.
  [[nodiscard]] std::string digested() const override {
    const std::string text = bytes();
    return text.substr(0, text.find("\nparameters:"));
  }

 private:
  void* handle_ = nullptr;
};

}  // namespace

std::unique_ptr<Model> fit_lightgbm(const Training& training, const BoostingSettings& settings, const FitSeeds& seeds,
                                    std::size_t threads) {
  const LightgbmParameters given = parameters_of(training.data, settings, seeds, threads);
  const LightgbmRows rows(training, given);
  auto model = std::make_unique<LightgbmModel>(rows, given);
  for (std::int64_t round = 0; round < settings.rounds; ++round)
    if (model->update()) break;
  return model;
}

}  // namespace retrial::automl::inline boosting
