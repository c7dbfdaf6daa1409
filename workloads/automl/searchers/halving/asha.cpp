#include <algorithm>
#include <cmath>
#include <deque>
#include <map>

#include "variance/random/rng.hpp"
#include "workloads/automl/searchers/halving/halving.hpp"
#include "workloads/automl/streams/streams.hpp"

namespace retrial::automl::inline searchers::inline halving {
namespace {

struct Ladder {
  std::vector<std::int64_t> resources;
  std::int64_t share = 1;  ///< of the draws of a ladder
  std::vector<std::vector<Climber>> rungs = {};
};

/// Configurations that climb one or several ladders, each evaluation on its own.
class Asha final : public Sampler {
 public:
  Asha(const Space& space, const Draws& draws, const HalvingOptions& options, std::vector<Ladder> ladders,
       std::string origin)
      : space_(space), draws_(draws), options_(options), ladders_(std::move(ladders)), origin_(std::move(origin)) {
    for (Ladder& ladder : ladders_) ladder.rungs.resize(ladder.resources.size());
  }

  std::optional<Suggestion> propose(std::int64_t id) override {
    if (!going_on_.empty()) {
      const std::int64_t parent = going_on_.front();
      going_on_.pop_front();
      return climbs(id, parent);
    }
    if (options_.pruner == Pruner::promotion)
      for (Ladder& ladder : ladders_)
        for (std::size_t rung = ladder.rungs.size() - 1; rung-- > 0;)
          if (const auto ready = promotable(ladder.rungs[rung], options_.eta); !ready.empty()) {
            std::ranges::find(ladder.rungs[rung], ready.front(), &Climber::id)->promoted = true;
            return climbs(id, ready.front());
          }
    if (space_.dimensions() == 0 && !climbers_.empty()) return std::nullopt;
    climbers_[id] = {.configuration = space_.chosen_at(random_point(draws_, id, space_.dimensions())),
                     .ladder = drawn_ladder(id)};
    return suggestion(climbers_[id], -1);
  }

  void observe_folds(std::int64_t id, std::span<const double> losses) override {
    if (const auto found = climbers_.find(id); found != climbers_.end())
      found->second.folds.assign(losses.begin(), losses.end());
  }

  void observe(std::int64_t id, double loss, double) override {
    const auto found = climbers_.find(id);
    if (found == climbers_.end()) return;
    Climb& climb = found->second;
    climb.losses.push_back(loss);
    auto& rung = ladders_[climb.ladder].rungs[climb.rung];
    std::vector<double> others;
    for (const Climber& other : rung) others.push_back(other.loss);
    PairedFolds folds{.own = climb.folds, .best = {}};
    if (!rung.empty()) folds.best = climbers_.at(rung.front().id).folds;
    const auto rank = [](const Climber& climber) { return std::pair(climber.loss, climber.id); };
    rung.insert(std::ranges::lower_bound(rung, std::pair(loss, id), {}, rank), {.loss = loss, .id = id});
    const bool top = climb.rung + 1 == ladders_[climb.ladder].rungs.size();
    if (options_.pruner == Pruner::promotion) return;
    if (top || prunes(options_, climb.losses, others, ended_, folds))
      ++ended_;
    else
      going_on_.push_back(id);
  }

 private:
  struct Climb {
    Chosen configuration;
    std::size_t ladder = 0, rung = 0;
    std::vector<double> losses = {}, folds = {};
  };

  [[nodiscard]] std::size_t drawn_ladder(std::int64_t id) const {
    if (ladders_.size() == 1) return 0;
    std::uint64_t sum = 0;
    for (const Ladder& ladder : ladders_) sum += static_cast<std::uint64_t>(ladder.share);
    auto drawn = variance::bounded(
        word(stream_key(draws_.seed, "bracket", draws_.learner, 0, static_cast<std::uint64_t>(id)), 0), sum);
    std::size_t place = 0;
    for (; drawn >= static_cast<std::uint64_t>(ladders_[place].share); ++place)
      drawn -= static_cast<std::uint64_t>(ladders_[place].share);
    return place;
  }

  Suggestion climbs(std::int64_t id, std::int64_t parent) {
    Climb next = climbers_.at(parent);
    ++next.rung;
    return suggestion(climbers_[id] = std::move(next), parent);
  }

  [[nodiscard]] Suggestion suggestion(const Climb& climb, std::int64_t parent) const {
    return {.configuration = climb.configuration,
            .origin = origin_ + std::to_string(climb.rung),
            .parent = parent,
            .fidelity = ladders_[climb.ladder].resources[climb.rung],
            .resumes = parent >= 0};
  }

  Space space_;
  Draws draws_;
  HalvingOptions options_;
  std::vector<Ladder> ladders_;
  std::string origin_;
  std::map<std::int64_t, Climb> climbers_;
  std::deque<std::int64_t> going_on_;
  std::int64_t ended_ = 0;
};

std::vector<std::int64_t> resources_of(const Bracket& bracket) {
  std::vector<std::int64_t> out;
  for (const Rung& rung : bracket) out.push_back(static_cast<std::int64_t>(rung.resource));
  return out;
}

/// Bracket after bracket, a rung at a time.
class Hyperband final : public Sampler {
 public:
  Hyperband(const Space& space, const Draws& draws, std::vector<Bracket> brackets)
      : space_(space), draws_(draws), brackets_(std::move(brackets)) {}

  std::optional<Suggestion> propose(std::int64_t id) override {
    if (space_.dimensions() == 0 && proposed_ > 0) return std::nullopt;
    if (proposed_ == wanted()) return std::nullopt;  // the rung waits for its results
    Member made{.id = id, .configuration = {}};
    std::int64_t parent = -1;
    if (rung_ == 0) {
      made.configuration = space_.chosen_at(random_point(draws_, id, space_.dimensions()));
    } else {
      const Member& kept = best_[static_cast<std::size_t>(proposed_)];
      made.configuration = kept.configuration;
      parent = kept.id;
    }
    ++proposed_;
    members_.push_back(made);
    return Suggestion{.configuration = made.configuration,
                      .origin = "hyperband:" + std::to_string(rung_),
                      .parent = parent,
                      .fidelity = static_cast<std::int64_t>(bracket()[rung_].resource),
                      .resumes = parent >= 0};
  }

  void observe(std::int64_t id, double loss, double) override {
    std::ranges::find(members_, id, &Member::id)->loss = loss;
    if (++delivered_ < wanted()) return;
    std::ranges::sort(members_, {}, [](const Member& m) { return std::pair(m.loss, m.id); });
    best_ = std::move(members_);
    std::erase_if(best_, [](const Member& m) { return !std::isfinite(m.loss); });
    members_.clear();
    proposed_ = delivered_ = 0;
    ++rung_;
    if (rung_ == bracket().size() || best_.empty()) {
      rung_ = 0;
      current_ = (current_ + 1) % brackets_.size();
    }
  }

 private:
  struct Member {
    std::int64_t id = 0;
    Chosen configuration;
    double loss = 0;
  };
  [[nodiscard]] const Bracket& bracket() const { return brackets_[current_]; }
  /// Fewer where too many have failed.
  [[nodiscard]] std::int64_t wanted() const {
    return rung_ == 0 ? bracket()[0].count : std::min(bracket()[rung_].count, std::ssize(best_));
  }

  Space space_;
  Draws draws_;
  std::vector<Bracket> brackets_;
  std::size_t current_ = 0, rung_ = 0;
  std::int64_t proposed_ = 0, delivered_ = 0;
  std::vector<Member> members_, best_;
};

}  // namespace

std::unique_ptr<Sampler> asha_sampler(const Space& space, const Draws& draws, const HalvingOptions& options) {
  Bracket rungs;
  for (double r = options.least; r * (1 + 1e-9) < options.most; r *= static_cast<double>(options.eta))
    rungs.push_back({.resource = r});
  rungs.push_back({.resource = options.most});
  return std::make_unique<Asha>(space, draws, options, std::vector{Ladder{resources_of(whole_rungs(rungs))}}, "asha:");
}

std::unique_ptr<Sampler> hyperband_sampler(const Space& space, const Draws& draws, const HalvingOptions& options) {
  auto brackets = hyperband_brackets(options.least, options.most, options.eta);
  for (Bracket& bracket : brackets) bracket = whole_rungs(std::move(bracket));
  if (!options.drawn_brackets) return std::make_unique<Hyperband>(space, draws, std::move(brackets));
  std::vector<Ladder> ladders;
  for (const Bracket& bracket : brackets)
    ladders.push_back({.resources = resources_of(bracket), .share = bracket[0].count});
  return std::make_unique<Asha>(space, draws, options, std::move(ladders), "hyperband:");
}

}  // namespace retrial::automl::inline searchers::inline halving
