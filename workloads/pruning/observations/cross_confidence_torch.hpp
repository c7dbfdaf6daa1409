#pragma once

#include <memory>
#include <string>
#include <vector>

#include "results/json/json_fwd.hpp"
#include "workloads/nn/shape/state.hpp"
#include "workloads/pruning/observations/backselect_torch.hpp"

namespace retrial::pruning::inline observations {

/// Confidence of networks in the true class when they see only the informative pixels of another network (Liebenwein et
/// al., "Lost in Pruning", 2021). Networks are kept as copies, because the pixels of later networks are shown to all of
/// them.
class CrossConfidence {
 public:
  /// `images` with their `labels`, the same for every network.
  CrossConfidence(nn::Architecture architecture, at::Tensor images, at::Tensor labels, const BackSelect& options);

  /// Chooses pixels by the network, and shows every network so far the pixels of every other. `pr` in percent.
  void add(std::string name, double pr, const nn::Model& network);

  [[nodiscard]] std::size_t networks() const { return seen_.size(); }
  /// Mean probability of the true class by network `judge` for the pixels of network `chooser`; both counted from 0 in
  /// the order of addition.
  [[nodiscard]] double confidence(std::size_t chooser, std::size_t judge) const { return seen_[chooser].by[judge]; }
  /// {"images", "share", "block", "networks": [{"name", "pr"}], "matrix": rows: chooser, columns: judge}.
  [[nodiscard]] Json document() const;

  void save(nn::StateWriter& to) const;
  /// `any` is a network of the architecture.
  void load(nn::StateReader& from, const nn::Model& any);

 private:
  struct Seen {
    std::string name;
    double pr = 0;
    std::unique_ptr<nn::Model> network;
    at::Tensor pixels;       ///< the images with the pixels it chose
    std::vector<double> by;  ///< confidence of every network in them
  };

  nn::Architecture architecture_;
  at::Tensor images_, labels_;
  BackSelect options_;
  std::vector<Seen> seen_;
};

}  // namespace retrial::pruning::inline observations
