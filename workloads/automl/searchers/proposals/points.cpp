#include <array>
#include <boost/random/sobol.hpp>
#include <cmath>
#include <functional>

#include "variance/random/rng.hpp"
#include "workloads/automl/searchers/proposals/sampler.hpp"
#include "workloads/automl/streams/streams.hpp"

namespace retrial::automl::inline searchers::inline proposals {
namespace {

constexpr std::array primes{2,   3,   5,   7,   11,  13,  17,  19,  23,  29,  31,  37,  41,  43,  47,  53,  59,
                            61,  67,  71,  73,  79,  83,  89,  97,  101, 103, 107, 109, 113, 127, 131, 137, 139,
                            149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197, 199, 211, 223, 227, 229};

double radical_inverse(std::uint64_t index, std::uint64_t base) {
  double value = 0, place = 1;
  for (; index > 0; index /= base) {
    place /= static_cast<double>(base);
    value += place * static_cast<double>(index % base);
  }
  return value;
}

/// Points that depend on no loss.
class Points final : public Sampler {
 public:
  using At = std::function<Coordinates(std::int64_t id)>;
  Points(const Space& space, std::string origin, At at)
      : space_(space), origin_(std::move(origin)), at_(std::move(at)) {}
  std::optional<Suggestion> propose(std::int64_t id) override {
    return Suggestion{.configuration = space_.chosen_at(at_(id)), .origin = origin_};
  }
  void observe(std::int64_t, double, double) override {}

 private:
  Space space_;
  std::string origin_;
  At at_;
};

}  // namespace

Coordinates halton_point(std::uint64_t index, std::size_t dimensions) {
  Coordinates out;
  for (std::size_t d = 0; d < dimensions; ++d)
    out.push_back(radical_inverse(index, static_cast<std::uint64_t>(primes.at(d))));
  return out;
}

Coordinates random_point(const Draws& draws, std::int64_t id, std::size_t dimensions) {
  const auto key = stream_key(draws.seed, "sampler", draws.learner, 0, static_cast<std::uint64_t>(id));
  Coordinates point;
  for (std::size_t i = 0; i < dimensions; ++i) point.push_back(variance::uniform(word(key, i)));
  return point;
}

std::unique_ptr<Sampler> random_sampler(const Space& space, const Draws& draws) {
  return std::make_unique<Points>(
      space, "random", [draws, d = space.dimensions()](std::int64_t id) { return random_point(draws, id, d); });
}

std::unique_ptr<Sampler> halton_sampler(const Space& space) {
  return std::make_unique<Points>(
      space, "halton",
      [d = space.dimensions(), next = std::uint64_t{0}](std::int64_t) mutable { return halton_point(++next, d); });
}

std::unique_ptr<Sampler> sobol_sampler(const Space& space) {
  boost::random::sobol engine(std::max<std::size_t>(1, space.dimensions()));
  engine.discard(space.dimensions());  // the first point is a corner
  return std::make_unique<Points>(space, "sobol", [d = space.dimensions(), engine](std::int64_t) mutable {
    Coordinates point;
    for (std::size_t i = 0; i < d; ++i) point.push_back(std::ldexp(static_cast<double>(engine()), -64));
    return point;
  });
}

}  // namespace retrial::automl::inline searchers::inline proposals
