#include "workloads/pruning/observations/cross_confidence_torch.hpp"

#include <ATen/ops/empty_like.h>

#include "results/json/json.hpp"
#include "workloads/nn/training/training_torch.hpp"

namespace retrial::pruning::inline observations {

CrossConfidence::CrossConfidence(nn::Architecture architecture, at::Tensor images, at::Tensor labels,
                                 const BackSelect& options)
    : architecture_(std::move(architecture)),
      images_(std::move(images)),
      labels_(std::move(labels)),
      options_(options) {}

void CrossConfidence::add(std::string name, double pr, const nn::Model& network) {
  Seen added{.name = std::move(name),
             .pr = pr,
             .network = nn::copied(architecture_, network),
             .pixels = informative_pixels(network, images_, options_),
             .by = {}};
  added.network->freeze();
  nn::move_to(added.network->tensors(), nn::device_of(network));
  for (Seen& earlier : seen_) {
    earlier.by.push_back(mean_confidence(*added.network, earlier.pixels, labels_));
    added.by.push_back(mean_confidence(*earlier.network, added.pixels, labels_));
  }
  added.by.push_back(mean_confidence(*added.network, added.pixels, labels_));
  seen_.push_back(std::move(added));
}

Json CrossConfidence::document() const {
  Json networks = Json::array(), matrix = Json::array();
  for (const Seen& one : seen_) {
    networks.push_back({{"name", one.name}, {"pr", one.pr}});
    matrix.push_back(one.by);
  }
  return {{"images", images_.size(0)},
          {"share", options_.share},
          {"block", options_.block},
          {"networks", std::move(networks)},
          {"matrix", std::move(matrix)}};
}

void CrossConfidence::save(nn::StateWriter& to) const {
  to.number("seen", seen_.size());
  for (const Seen& one : seen_) {
    to.text("name", one.name);
    to.real("pr", one.pr);
    nn::save_network(to, *one.network);
    nn::save_tensors(to, {{"pixels", one.pixels}});
    for (const double value : one.by) to.real("confidence", value);
  }
}

void CrossConfidence::load(nn::StateReader& from, const nn::Model& any) {
  seen_.clear();
  const std::uint64_t count = from.number("seen");
  for (std::uint64_t i = 0; i < count; ++i) {
    Seen one{.name = from.text("name"), .pr = from.real("pr"), .network = {}, .by = {}};
    one.network = nn::load_network(from, architecture_, any.identity());
    one.network->freeze();
    nn::move_to(one.network->tensors(), nn::device_of(any));
    one.pixels = at::empty_like(images_);
    nn::load_tensors(from, {{"pixels", one.pixels}});
    for (std::uint64_t j = 0; j < count; ++j) one.by.push_back(from.real("confidence"));
    seen_.push_back(std::move(one));
  }
}

}  // namespace retrial::pruning::inline observations
