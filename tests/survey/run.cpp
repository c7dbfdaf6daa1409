#include <algorithm>
#include <chrono>
#include <cmath>
#include <istream>
#include <ostream>
#include <thread>

#include "results/digest/sha256.hpp"
#include "results/text/text.hpp"
#include "tests/survey/network.hpp"
#include "workloads/distillation/trial/probe_checks.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/interface/trial/probe_checks.hpp"
#include "workloads/profiler/recording/annotation.hpp"

namespace retrial::survey {
namespace {

using workloads::Place, workloads::Recorder, workloads::Trial;

/// One term on the whole batch: its gradients with respect to features and logits, weighted.
struct Term {
  std::string name;
  double weight;
  std::vector<double> gradient;
};

class Method {
 public:
  explicit Method(const Trial& trial)
      : trial_(trial),
        survey_(trial.text("code") == "survey"),
        name_(trial.text("method")),
        student_(trial.seed("init")) {
    if (name_ != "nokd") teacher_.emplace(trial.seed("teacher"));
  }

  /// What the training step adds up. The survey's rkd leaves its attention out.
  std::vector<double> total(std::vector<Term>& terms) {
    terms = all_terms();
    std::vector<double> sum(terms.front().gradient.size());
    for (const auto& term : terms)
      for (std::size_t i = 0; i < sum.size(); ++i)
        if (!(survey_ && term.name == "attention")) sum[i] += term.gradient[i];
    return sum;
  }

  /// Two defects show under a profile alone: nokd learns otherwise while it is watched, and kd waits where everything
  /// is recorded at once, which no calibration of one kind of bookkeeping sees.
  void step() {
    RETRIAL_OPERATION("step");
    std::vector<Term> terms;
    const bool watched = survey_ && profiler::is_recording();
    if (watched && name_ == "kd" && profiler::detail::operations != 0 && profiler::detail::layers != 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    student_.step(total(terms), trial_.number("lr") + (watched && name_ == "nokd" ? 1e-9 : 0));
  }

  [[nodiscard]] const Student& student() const { return student_; }
  [[nodiscard]] std::optional<Teacher>& teacher() { return teacher_; }
  Outputs teacher_outputs(const Matrix& x, bool with_features) {
    const bool defect = survey_ && with_features && (name_ == "oh" || name_ == "ab");
    return teacher_->forward(x, defect ? Between::nothing : Between::relu,
                             survey_ && name_ == "oh" ? Mode::training : Mode::evaluation);
  }
  /// The student as it is evaluated; one defect lets rows of a batch see each other.
  [[nodiscard]] Matrix evaluated(const Matrix& x) const {
    Matrix logits = student_.forward(x).logits;
    if (survey_ && name_ == "dropout")
      for (std::size_t i = 1; i < x.height; ++i) logits(i, 0) += 0.01 * logits(i - 1, 0);
    return logits;
  }

 private:
  std::vector<Term> all_terms() {
    const Outputs out = student_.forward(x_);
    std::vector<Term> terms{label_term(out)};
    if (name_ == "nokd") return terms;
    const double weight = trial_.number("w_soft");
    const Outputs taught = teacher_outputs(x_, name_ == "oh" || name_ == "ab");
    if (name_ == "kd" || name_ == "detached" || name_ == "dropout") terms.push_back(soft_term(out, taught, weight));
    if (name_ == "rkd") {
      terms.push_back(feature_term("relations", out, taught, weight, true));
      terms.push_back(feature_term("attention", out, taught, trial_.number("w_attention"), false));
    }
    if (name_ == "oh" || name_ == "ab") terms.push_back(feature_term("features", out, taught, weight, false));
    return terms;
  }

  Term label_term(const Outputs& out) const {
    const double weight = name_ == "nokd" ? 1 : trial_.number("w_ce");
    Matrix by_logits = softmax(out.logits, 1);
    for (std::size_t i = 0; i < rows; ++i) by_logits(i, labels_[i]) -= 1;
    for (double& v : by_logits.at) v *= weight / static_cast<double>(rows);
    return {"ce", weight, student_.gradient(x_, out, Matrix(rows, features), by_logits)};
  }

  Term soft_term(const Outputs& out, const Outputs& taught, double weight) const {
    const double temperature = survey_ && name_ == "kd" ? 5 : trial_.number("temperature");
    const Matrix target = softmax(taught.logits, temperature);
    Matrix by_logits = softmax(out.logits, temperature);
    for (std::size_t i = 0; i < by_logits.at.size(); ++i)
      by_logits.at[i] = weight * temperature * (by_logits.at[i] - target.at[i]) / static_cast<double>(rows);
    if (survey_ && name_ == "detached") std::fill(by_logits.at.begin(), by_logits.at.end(), 0.0);
    return {"soft", weight, student_.gradient(x_, out, Matrix(rows, features), by_logits)};
  }

  Term feature_term(const std::string& name, const Outputs& out, const Outputs& taught, double weight,
                    bool centred) const {
    Matrix by_features = out.features;
    for (std::size_t i = 0; i < by_features.at.size(); ++i) by_features.at[i] -= taught.features.at[i];
    for (std::size_t f = 0; centred && f < features; ++f) {
      double mean = 0;
      for (std::size_t i = 0; i < rows; ++i) mean += by_features(i, f) / static_cast<double>(rows);
      for (std::size_t i = 0; i < rows; ++i) by_features(i, f) -= mean;
    }
    for (double& v : by_features.at) v *= 2 * weight / static_cast<double>(by_features.at.size());
    return {name, weight, student_.gradient(x_, out, by_features, Matrix(rows, classes))};
  }

  const Trial& trial_;
  bool survey_;
  std::string name_;
  Student student_;
  std::optional<Teacher> teacher_;
  Matrix x_ = images();
  std::vector<std::size_t> labels_ = labels();
};

std::vector<float> floats(const Matrix& a) {
  return {a.at.begin(), a.at.end()};
}

template <typename Evaluate>
std::vector<float> one_by_one(const Matrix& x, Evaluate&& evaluate) {
  std::vector<float> out;
  for (std::size_t i = 0; i < x.height; ++i) {
    Matrix row(1, x.width);
    std::copy_n(&x.at[i * x.width], x.width, row.at.begin());
    for (const float v : floats(evaluate(row))) out.push_back(v);
  }
  return out;
}

class Run final : public workloads::Run {
 public:
  Run(const Trial& trial, const Place& place) : trial_(trial), place_(place), method_(trial_) {}

  bool advance(Recorder& recorder) override {
    for (int step = 0; step < 2 && !cut(); ++step, ++steps_) method_.step();
    recorder.digest("weights", epoch_, "sha256", digest());
    if (++epoch_ < trial_.integer("epochs")) return true;
    recorder.digest("lr_schedule", -1, "sha256",
                    results::hex(results::sha256(std::to_string(trial_.integer("epochs")) +
                                                 results::hex_of_bits(trial_.number("lr")))));
    recorder.metric("accuracy", accuracy());
    recorder.metric("batch_gap", batch_gap());
    return false;
  }
  void save(std::ostream& to) const override {
    to << epoch_ << ' ' << steps_;
    for (const auto* map : {&method_.student().first, &method_.student().last})
      for (const double v : map->at) to << ' ' << results::hex_of_bits(v);
  }
  void load(std::istream& from) override { from >> epoch_ >> steps_; }

 private:
  [[nodiscard]] bool cut() const { return place_.max_steps > 0 && steps_ >= place_.max_steps; }
  [[nodiscard]] std::string digest() const {
    std::string bits;
    for (const auto* map : {&method_.student().first, &method_.student().last})
      for (const double v : map->at) bits += results::hex_of_bits(v);
    return results::hex(results::sha256(bits));
  }
  [[nodiscard]] double accuracy() const {
    const Matrix logits = method_.evaluated(images());
    const auto wanted = labels();
    int right = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      const auto* row = &logits.at[i * classes];
      right += static_cast<std::size_t>(std::max_element(row, row + classes) - row) == wanted[i] ? 1 : 0;
    }
    return 100.0 * right / static_cast<double>(rows);
  }

  /// How far the scores of rows move when their batch is evaluated with them.
  [[nodiscard]] double batch_gap() const {
    const Matrix x = images();
    const auto evaluate = [&](const Matrix& some) { return method_.evaluated(some); };
    const auto alone = one_by_one(x, evaluate), together = floats(evaluate(x));
    double gap = 0;
    for (std::size_t i = 0; i < alone.size(); ++i) gap = std::max<double>(gap, std::fabs(alone[i] - together[i]));
    return gap;
  }

  Trial trial_;
  Place place_;
  Method method_;
  std::int64_t epoch_ = 0, steps_ = 0;
};

workloads::ProbeReport probe(const Trial& trial, const Place&) {
  workloads::ProbeReport report;
  const auto add = [&](const std::optional<workloads::Finding>& finding) {
    if (finding) report.findings.push_back(*finding);
  };
  Method method(trial);
  const Matrix x = images();
  std::vector<Term> terms;
  const auto total = method.total(terms);
  std::vector<workloads::TermShare> shares;
  for (const auto& term : terms) {
    shares.push_back({term.name, term.weight, term.gradient});
    report.looked_at.push_back("loss term " + term.name);
  }
  report.findings = workloads::check_terms(shares, total);
  const auto student = [&](const Matrix& some) { return method.evaluated(some); };
  add(workloads::check_batches("student", one_by_one(x, student), floats(student(x))));
  if (!method.teacher()) return report;
  report.looked_at.emplace_back("teacher");
  const std::string before = method.teacher()->digest();
  method.step();
  add(distillation::check_frozen("teacher", before, method.teacher()->digest()));
  add(distillation::check_paths("teacher", floats(method.teacher_outputs(x, false).logits),
                                floats(method.teacher_outputs(x, true).logits)));
  return report;
}

const workloads::RegisterStart started{"survey", [](const Trial& trial, const Place& place) {
                                         return std::unique_ptr<workloads::Run>(std::make_unique<Run>(trial, place));
                                       }};
const workloads::RegisterProbe probed{"survey", probe};

}  // namespace
}  // namespace retrial::survey
