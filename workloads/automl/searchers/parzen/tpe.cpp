#include "workloads/automl/searchers/parzen/tpe.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "variance/random/rng.hpp"
#include "workloads/automl/searchers/parzen/parzen.hpp"
#include "workloads/automl/streams/streams.hpp"

namespace retrial::automl::inline searchers::inline parzen {
namespace {

constexpr std::size_t most_good = 25;

Width width_of(TpeMode mode) {
  return mode == TpeMode::v5 ? Width::gaps : mode == TpeMode::v4m ? Width::scott : Width::gaps_with_prior;
}

/// Parameters that are drawn together, with the mixtures over good and bad configurations.
struct Group {
  std::vector<std::size_t> dimensions;
  Parzen good, bad;
};

class Tpe final : public Sampler {
 public:
  Tpe(const Space& space, const Draws& draws, const TpeOptions& options)
      : space_(space), draws_(draws), options_(options) {
    for (std::size_t i = 0; i < space.dimensions(); ++i) scales_.emplace_back(space.tuned(i));
    const bool together = options.mode == TpeMode::v5 || options.mode == TpeMode::v4m;
    std::vector<std::size_t> all(space.dimensions());
    std::iota(all.begin(), all.end(), 0);
    if (together && !all.empty()) groups_.push_back(group_of(all));
    if (!together)
      for (const std::size_t i : all) groups_.push_back(group_of({i}));
  }

  std::optional<Suggestion> propose(std::int64_t id) override {
    if (scales_.empty() && !points_.empty()) return std::nullopt;  // its one configuration was tried
    for (const std::int64_t other : under_way_)
      if (lies_.insert(other).second) add(other, false);
    const bool random = std::ssize(ranked_) < options_.startup;
    const Coordinates at = random ? random_point(draws_, id, scales_.size()) : likeliest(id);
    Suggestion out{.configuration = space_.chosen_at(at), .origin = random ? "random" : "tpe"};
    note(id, out.configuration);
    under_way_.insert(id);
    return out;
  }

  void learn(std::int64_t id, const Chosen& configuration, double loss) override {
    note(id, configuration);
    under_way_.insert(id);
    observe(id, loss, 1);
  }

  void observe(std::int64_t id, double loss, double) override {
    if (under_way_.erase(id) == 0) return;
    if (lies_.erase(id) > 0) drop(id, false);
    const std::size_t before = good_count(options_.mode, ranked_.size());
    const std::pair entry(loss, id);
    const auto place = ranked_.insert(std::ranges::lower_bound(ranked_, entry), entry);
    const auto rank = static_cast<std::size_t>(place - ranked_.begin());
    const std::size_t after = good_count(options_.mode, ranked_.size());
    add(id, rank < after);
    // At the border one configuration changes sides: the last good one that was pushed out, or the first bad one of
    // more good ones.
    if (rank < after && after == before && after < ranked_.size()) move(ranked_[after].second, false);
    if (rank >= after && after > before) move(ranked_[after - 1].second, true);
  }

 private:
  [[nodiscard]] Group group_of(const std::vector<std::size_t>& dimensions) const {
    std::vector<KernelScale> scales;
    for (const std::size_t i : dimensions) scales.push_back(scales_[i]);
    return {dimensions, Parzen(scales, width_of(options_.mode)), Parzen(scales, width_of(options_.mode))};
  }

  void note(std::int64_t id, const Chosen& configuration) {
    std::vector<double>& point = points_[id];
    point.clear();
    const Coordinates settled = space_.normalised(configuration);
    for (std::size_t i = 0; i < settled.size(); ++i) point.push_back(scales_[i].from_coordinate(settled[i]));
  }

  void add(std::int64_t id, bool good) {
    for (Group& group : groups_) {
      std::vector<double> part;
      for (const std::size_t i : group.dimensions) part.push_back(points_[id][i]);
      (good ? group.good : group.bad).insert(id, part);
    }
  }
  void drop(std::int64_t id, bool good) {
    for (Group& group : groups_) (good ? group.good : group.bad).remove(id);
  }
  void move(std::int64_t id, bool to_good) {
    drop(id, !to_good);
    add(id, to_good);
  }

  /// Of the candidates of each group, the first of the largest ratio of densities.
  [[nodiscard]] Coordinates likeliest(std::int64_t id) const {
    variance::Stream stream(stream_key(draws_.seed, "sampler", draws_.learner, 0, static_cast<std::uint64_t>(id)));
    Coordinates out(scales_.size());
    for (const Group& group : groups_) {
      const std::size_t d = group.dimensions.size(), count = static_cast<std::size_t>(options_.candidates);
      std::vector<double> points(count * d), uniforms(d + 1);
      for (std::size_t c = 0; c < count; ++c) {
        for (double& u : uniforms) u = variance::uniform(stream.next());
        group.good.sample(uniforms, std::span(points).subspan(c * d, d));
      }
      const auto good = group.good.log_density(points), bad = group.bad.log_density(points);
      std::size_t best = 0;
      for (std::size_t c = 1; c < count; ++c)
        if (good[c] - bad[c] > good[best] - bad[best]) best = c;
      for (std::size_t k = 0; k < d; ++k)
        out[group.dimensions[k]] = scales_[group.dimensions[k]].to_coordinate(points[best * d + k]);
    }
    return out;
  }

  Space space_;
  Draws draws_;
  TpeOptions options_;
  std::vector<KernelScale> scales_;
  std::vector<Group> groups_;
  std::map<std::int64_t, std::vector<double>> points_;  ///< on the scales
  std::vector<std::pair<double, std::int64_t>> ranked_;
  std::set<std::int64_t> under_way_, lies_;  ///< lies: those under way that stand among the bad ones
};

}  // namespace

std::size_t good_count(TpeMode mode, std::size_t n) {
  std::size_t count = (n + 9) / 10;
  if (mode == TpeMode::hyperopt)
    for (count = 0; 16 * count * count < n; ++count) {
    }
  return std::min(count, most_good);
}

std::unique_ptr<Sampler> tpe_sampler(const Space& space, const Draws& draws, const TpeOptions& options) {
  return std::make_unique<Tpe>(space, draws, options);
}

}  // namespace retrial::automl::inline searchers::inline parzen
