// What automated searches answer and cost, for tests/measure/peers/searchers.py. Reads JSON from standard input.
//   walk      {"directions": [[...], ...], "evaluations": n}    FLOW2 as FLAML ships it on a sphere: points, losses,
//   steps density   {"width": "gaps", "low": [...], "high": [...], "log": [...], "seen": [[...], ...], "at": [[...],
//   ...]} times     {"dimensions": d, "evaluations": n}     CPU microseconds of one proposal and its result
#include <cmath>
#include <ctime>
#include <iostream>
#include <string>

#include "results/json/json.hpp"
#include "workloads/automl/searchers/blend.hpp"
#include "workloads/automl/searchers/evolution/cma.hpp"
#include "workloads/automl/searchers/parzen/parzen.hpp"

namespace {

using namespace retrial::automl;
using retrial::Json;

Space box(std::size_t d) {
  std::vector<Hyperparameter> out;
  for (std::size_t i = 0; i < d; ++i) {
    const std::string digits = std::to_string(i);
    out.push_back({.name = "x" + std::string(2 - digits.size(), '0') + digits, .low = -5, .high = 5, .init = 4});
  }
  return Space(out);
}

double sphere(const Chosen& at, double center = 0) {
  double sum = 0;
  for (const auto& [name, value] : at) {
    const double x = std::get<double>(value) - center;
    sum += x * x;
  }
  return sum;
}

Json walk(const Json& asked) {
  const auto directions = asked.at("directions").get<std::vector<Coordinates>>();
  const Space space = box(directions.front().size());
  const auto sampler = flow2_sampler(space, {},
                                     {.rule = Flow2Rule::flaml26,
                                      .min_step = 1e-4,
                                      .directions = [&](std::uint64_t, std::uint64_t i) { return directions.at(i); }},
                                     space.initial());
  Json out = Json::array();
  for (std::int64_t t = 0; t <= asked.at("evaluations").get<std::int64_t>(); ++t) {
    const auto next = sampler->propose(t);
    const double loss = sphere(next->configuration);
    sampler->observe(t, loss);
    Json x = Json::array();
    for (const auto& [name, value] : next->configuration) x.push_back(std::get<double>(value));
    out.push_back({{"x", x}, {"loss", loss}, {"step", sampler->step()}});
  }
  return out;
}

Json density(const Json& asked) {
  const auto& low = asked.at("low");
  std::vector<KernelScale> scales;
  for (std::size_t i = 0; i < low.size(); ++i)
    scales.emplace_back(Hyperparameter{
        .name = "x",
        .kind = asked.at("log")[i].get<bool>() ? Hyperparameter::Kind::log : Hyperparameter::Kind::linear,
        .low = low[i],
        .high = asked.at("high")[i]});
  const auto inner = [&](const Json& point) {
    std::vector<double> out;
    for (std::size_t i = 0; i < point.size(); ++i)
      out.push_back(asked.at("log")[i].get<bool>() ? std::log(point[i].get<double>()) : point[i].get<double>());
    return out;
  };
  const std::string name = asked.at("width");
  Parzen mixture(scales, name == "gaps" ? Width::gaps : name == "scott" ? Width::scott : Width::gaps_with_prior);
  std::int64_t age = 0;
  for (const Json& point : asked.at("seen")) mixture.insert(age++, inner(point));
  std::vector<double> at;
  for (const Json& point : asked.at("at"))
    for (const double x : inner(point)) at.push_back(x);
  return mixture.log_density(at);
}

double cpu_microseconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
}

/// Over all evaluations, and over the last tenth.
Json timed(std::unique_ptr<Sampler> sampler, std::int64_t evaluations) {
  const double start = cpu_microseconds();
  double late = start;
  const std::int64_t from = evaluations - evaluations / 10;
  for (std::int64_t id = 0; id < evaluations; ++id) {
    if (id == from) late = cpu_microseconds();
    const auto next = sampler->propose(id);
    if (!next) return nullptr;
    sampler->observe(id, sphere(next->configuration, 1.2345));
  }
  const double end = cpu_microseconds();
  return {{"mean", (end - start) / static_cast<double>(evaluations)},
          {"late", (end - late) / static_cast<double>(evaluations / 10)}};
}

Json times(const Json& asked) {
  const Space space = box(asked.at("dimensions"));
  const auto n = asked.at("evaluations").get<std::int64_t>();
  const auto made = [&](const std::string& name) {
    if (name == "tpe") return tpe_sampler(space, {1, 0}, {});
    if (name == "cma") return cma_sampler(space, {1, 0}, space.initial());
    if (name == "random") return random_sampler(space, {1, 0});
    const Flow2Rule rule = name == "flaml26" ? Flow2Rule::flaml26 : Flow2Rule::adaptive;
    return flow2_sampler(space, {1, 0}, {.rule = rule}, space.initial());
  };
  Json out;
  for (const std::string name : asked.at("samplers")) out[name] = timed(made(name), n);
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc == 2 ? argv[1] : "";
  const Json asked = Json::parse(std::cin);
  const Json answer = what == "walk" ? walk(asked) : what == "density" ? density(asked) : times(asked);
  std::cout << answer.dump() << '\n';
  return 0;
}
