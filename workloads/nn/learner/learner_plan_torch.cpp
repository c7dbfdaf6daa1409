#include "determinism/manifest/manifest.hpp"
#include "determinism/mode/switches.hpp"
#include "results/text/text.hpp"
#include "workloads/nn/learner/learner_torch.hpp"

namespace retrial::nn::inline learner {
namespace {

/// Rows represent split, subset and validation.
std::string rows_digest(const std::vector<std::uint32_t>& rows) {
  std::string bytes;
  for (const std::uint32_t row : rows)
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(row >> shift & 0xff));
  return results::hex(results::sha256(bytes));
}

Json bits(const std::vector<double>& values) {
  Json texts = Json::array();
  for (const double value : values) texts.push_back(results::hex_of_bits(value));
  return texts;
}

}  // namespace

Json learner_document(const LearnerPlan& plan) {
  const Protocol& protocol = plan.protocol;
  Json document{{"schema", "retrial.learner/1"},
                {"role", plan.role},
                {"dataset", results::hex(data::identity(*plan.set))},
                {"rows", rows_digest(plan.rows)},
                {"mean", bits(plan.normalisation.mean)},
                {"sd", bits(plan.normalisation.sd)},
                {"model", plan.architecture.name},
                {"epochs", protocol.epochs},
                {"batch", protocol.batch},
                {"numbers", bits({protocol.schedule.lr, protocol.schedule.gamma, protocol.sgd.momentum,
                                  protocol.sgd.weight_decay, protocol.mix, protocol.dropout})},
                {"milestones", protocol.schedule.milestones},
                {"nesterov", protocol.sgd.nesterov},
                {"augmentation", protocol.augmentation == nullptr ? "none" : protocol.augmentation->name},
                {"seeds",
                 {{"init", results::hex16(plan.init)},
                  {"order", results::hex16(plan.seeds.order)},
                  {"augmentation", results::hex16(plan.seeds.augmentation)},
                  {"dropout", results::hex16(plan.seeds.dropout)}}},
                {"program", determinism::own_build_id()},
                {"mode", determinism::read_back()}};
  if (protocol.max_steps > 0)
    document["most_steps"] = protocol.max_steps;  // absent if 0, so that digests of whole trainings stay valid
  if (plan.snapshot) document["snapshot"] = *plan.snapshot;
  if (!plan.beside.is_null()) document["beside"] = plan.beside;
  return document;
}

}  // namespace retrial::nn::inline learner
