#include <concepts>
#include <limits>

#include "variance/numbers/number_text.hpp"
#include "workloads/automl/boosting/boosting.hpp"
#include "workloads/automl/boosting/xgboost_api.hpp"
#include "workloads/interface/trial/trial.hpp"

namespace retrial::automl::inline boosting {
namespace {

void xgboost_do(int outcome) {
  if (outcome != 0) throw workloads::TrialFailure("automl.learner_failed", xgboost_api().last_error());
}

/// Rows as the library holds them.
class XgboostMatrix {
 public:
  XgboostMatrix(const DataSet& data, std::span<const std::uint32_t> rows) {
    const std::vector<float> cells = cells_of(data, rows);
    xgboost_do(xgboost_api().matrix_create(cells.data(), rows.size(), data.columns(),
                                           std::numeric_limits<float>::quiet_NaN(), &handle_));
  }
  ~XgboostMatrix() { (void)xgboost_api().matrix_free(handle_); }
  XgboostMatrix(const XgboostMatrix&) = delete;
  XgboostMatrix& operator=(const XgboostMatrix&) = delete;

  void set_labels(const std::vector<double>& target) const {
    const std::vector<float> labels(target.begin(), target.end());
    xgboost_do(xgboost_api().matrix_set_floats(handle_, "label", labels.data(), labels.size()));
  }
  [[nodiscard]] void* handle() const { return handle_; }

 private:
  void* handle_ = nullptr;
};

class XgboostModel final : public Model {
 public:
  explicit XgboostModel(const XgboostMatrix& training) {
    void* const matrix = training.handle();
    xgboost_do(xgboost_api().booster_create(&matrix, 1, &handle_));
  }
  ~XgboostModel() override { (void)xgboost_api().booster_free(handle_); }
  XgboostModel(const XgboostModel&) = delete;
  XgboostModel& operator=(const XgboostModel&) = delete;

  void set(const char* name, const std::string& value) const {
    xgboost_do(xgboost_api().booster_set(handle_, name, value.c_str()));
  }
  void set(const char* name, std::integral auto value) const { set(name, std::to_string(value)); }
  void set(const char* name, double value) const { set(name, variance::shortest(value)); }
  void update(std::int64_t round, const XgboostMatrix& training) const {
    xgboost_do(xgboost_api().booster_update(handle_, static_cast<int>(round), training.handle()));
  }

  [[nodiscard]] std::vector<double> predict(const DataSet& data, std::span<const std::uint32_t> rows,
                                            std::size_t threads) const override {
    set("nthread", threads);
    const XgboostMatrix matrix(data, rows);
    std::uint64_t count = 0;
    const float* answers = nullptr;
    xgboost_do(xgboost_api().booster_predict(handle_, matrix.handle(), 0, 0, 0, &count, &answers));
    return {answers, answers + count};
  }

  [[nodiscard]] std::string bytes() const override {
    std::uint64_t size = 0;
    const char* text = nullptr;
    xgboost_do(xgboost_api().booster_save(handle_, R"({"format": "json"})", &size, &text));
    return {text, text + size};
  }

 private:
  void* handle_ = nullptr;
};

void set_objective(const XgboostModel& model, const DataSet& data) {
  if (data.task == Task::multiclass) model.set("num_class", data.classes.size());
  model.set("objective", data.task == Task::binary       ? std::string("binary:logistic")
                         : data.task == Task::multiclass ? std::string("multi:softprob")
                                                         : std::string("reg:squarederror"));
}

}  // namespace

std::unique_ptr<Model> fit_xgboost(const Training& training, const BoostingSettings& settings, const FitSeeds& seeds,
                                   std::size_t threads) {
  const XgboostMatrix matrix(training.data, training.rows);
  matrix.set_labels(targets_of(training.data, training.rows));
  auto model = std::make_unique<XgboostModel>(matrix);
  model->set("verbosity", 0);
  model->set("nthread", threads);
  model->set("seed", seeds.of_library);
  model->set("tree_method", std::string("hist"));
  model->set("grow_policy", std::string(settings.max_depth == 0 ? "lossguide" : "depthwise"));
  model->set("max_depth", settings.max_depth);
  model->set("max_leaves", settings.max_leaves);
  model->set("learning_rate", settings.learning_rate);
  model->set("min_child_weight", settings.min_child_weight);
  model->set("subsample", settings.subsample);
  model->set("colsample_bylevel", settings.columns_by_level);
  model->set("colsample_bytree", settings.columns_by_tree);
  model->set("reg_alpha", settings.alpha);
  model->set("reg_lambda", settings.lambda);
  set_objective(*model, training.data);
  for (std::int64_t round = 0; round < settings.rounds; ++round) model->update(round, matrix);
  return model;
}

}  // namespace retrial::automl::inline boosting
