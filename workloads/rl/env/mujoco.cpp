#include "workloads/rl/env/kinds.hpp"

#ifdef RETRIAL_MUJOCO
#include <mujoco/mujoco.h>

#include <algorithm>
#include <fstream>

#include "results/digest/sha256.hpp"
#include "variance/numbers/error.hpp"
#include "variance/random/rng.hpp"
#include "workloads/data/files/fetched.hpp"
#include "workloads/data/files/shared_library.hpp"
#endif

namespace retrial::rlenv {

#ifndef RETRIAL_MUJOCO

std::string absent_mujoco(const std::string&) {
  return "this program was built without MuJoCo (Debian package libmujoco-dev)";
}
std::unique_ptr<Environment> make_mujoco(const Description&, const Options&) {
  return nullptr;
}

#else

namespace {

/// The functions of MuJoCo that are used. It is opened and not linked, so that a program starts where it is not.
class Api {
 public:
  data::SharedLibrary library;
  decltype(&mj_loadXML) load = nullptr;
  decltype(&mj_makeData) make_data = nullptr;
  decltype(&mj_deleteModel) delete_model = nullptr;
  decltype(&mj_deleteData) delete_data = nullptr;
  decltype(&mj_resetData) reset_data = nullptr;
  decltype(&mj_forward) forward = nullptr;
  decltype(&mj_step) step = nullptr;
  decltype(&mj_rnePostConstraint) finish = nullptr;

  Api()
      : library(RETRIAL_MUJOCO, {"mj_version", "mj_loadXML", "mj_makeData", "mj_deleteModel", "mj_deleteData",
                                 "mj_resetData", "mj_forward", "mj_step", "mj_rnePostConstraint", "mju_user_warning"}) {
    if (!library.absent().empty()) return;
    // The layout of its structures is that of the headers that this file was compiled with.
    if (const int version = library.function<decltype(&mj_version)>("mj_version")(); version != mjVERSION_HEADER) {
      library = data::SharedLibrary(std::string(RETRIAL_MUJOCO) + " is version " + std::to_string(version) +
                                    "; this program was built with " + std::to_string(mjVERSION_HEADER));
      return;
    }
    load = library.function<decltype(load)>("mj_loadXML");
    make_data = library.function<decltype(make_data)>("mj_makeData");
    delete_model = library.function<decltype(delete_model)>("mj_deleteModel");
    delete_data = library.function<decltype(delete_data)>("mj_deleteData");
    reset_data = library.function<decltype(reset_data)>("mj_resetData");
    forward = library.function<decltype(forward)>("mj_forward");
    step = library.function<decltype(step)>("mj_step");
    finish = library.function<decltype(finish)>("mj_rnePostConstraint");
    // It would write MUJOCO_LOG.TXT into the working directory. A state that is not finite shows in the rewards.
    *library.function<void (**)(const char*)>("mju_user_warning") = [](const char*) {};
  }
};

const Api& api() {
  static const Api opened;
  return opened;
}

/// What differs between the environments (Gymnasium 1.4.0, gymnasium/envs/mujoco/*_v4.py).
struct Kind {
  const char *name, *model, *sha256;
  int steps;  ///< of the simulator for one of the environment
  double control_weight, alive, reset_noise;
  bool falls, clips_rates;
  double low_height, high_height, largest_angle;
  double largest_state;  ///< of all positions and rates from the angle on
};

constexpr double none = std::numeric_limits<double>::infinity();
constexpr Kind kinds[] = {
    {"hopper", "hopper.xml", "3ce93a055ffdcd83c0c701d2400768e40d2cbb9532f3c4ae33377c27f8b39f9e", 4, 1e-3, 1, 5e-3, true,
     true, .7, none, .2, 100},
    {"walker2d", "walker2d.xml", "ac13373c7ac9003a5311c4704b314ed11149b3dd7600bbc02770487300f9ad2d", 4, 1e-3, 1, 5e-3,
     true, true, .8, 2, 1, none},
    {"halfcheetah", "half_cheetah.xml", "11797a5d69e8ac955e89ca6fdd3a0087f1c990094fda401ac51420de1b6c5494", 5, .1, 0,
     .1, false, false, -none, none, none, none}};

const Kind& kind_of(const std::string& name) {
  return *std::ranges::find(kinds, name, [](const Kind& kind) { return std::string(kind.name); });
}

std::string why_no_model(const Kind& kind) {
  const auto file = data::found_by_setup(kind.model);
  if (!file) return std::string("its model ") + kind.model + " was not fetched (scripts/setup does)";
  if (results::hex(results::sha256_file(*file)) != kind.sha256)
    return file->string() + " is not the model of Gymnasium 1.4.0";
  return {};
}

/// Asked for each environment that is made; the files are read once.
const std::string& absent_model(const Kind& kind) {
  static const std::array reasons{why_no_model(kinds[0]), why_no_model(kinds[1]), why_no_model(kinds[2])};
  return reasons.at(static_cast<std::size_t>(&kind - kinds));
}

using Model = std::shared_ptr<const mjModel>;
struct DeleteData {
  void operator()(mjData* data) const { api().delete_data(data); }
};
using Simulation = std::unique_ptr<mjData, DeleteData>;

/// Read once; all environments of a kind share it.
Model model_of(const Kind& kind) {
  static std::array<Model, std::size(kinds)> models;
  Model& model = models[static_cast<std::size_t>(&kind - kinds)];
  if (model) return model;
  std::array<char, 500> problem{};
  mjModel* read =
      api().load(data::found_by_setup(kind.model)->c_str(), nullptr, problem.data(), static_cast<int>(problem.size()));
  if (read == nullptr)
    throw variance::InvalidInput("env", kind.name, "a model that MuJoCo reads: " + std::string(problem.data()));
  return model = Model(read, [](mjModel* made) { api().delete_model(made); });
}

class Mujoco final : public Environment {
 public:
  Mujoco(Description description, const Options& options)
      : Environment(std::move(description), options),
        kind_(kind_of(this->description().name)),
        model_(model_of(kind_)),
        now_(api().make_data(model_.get())),
        state_(positions() + rates()) {
    if (!now_) throw std::bad_alloc();
    keep_state();
  }

  /// Positions, then rates.
  [[nodiscard]] std::span<const double> state() const override { return state_; }

  /// All but the distance covered.
  void observe(std::span<float> to) const override {
    for (std::size_t i = 1; i < state_.size(); ++i) {
      const bool rate = i >= positions();
      to[i - 1] = static_cast<float>(rate && kind_.clips_rates ? clipped(state_[i], -10, 10) : state_[i]);
    }
  }

 protected:
  /// Gymnasium draws the rates of halfcheetah by NumPy's tables of the normal distribution; here the quantile of a word
  /// is taken. The positions and all of the others' starts are equal in every bit.
  void start(Pcg64& generator) override {
    const double noise = kind_.reset_noise;
    api().reset_data(model_.get(), now_.get());
    for (std::size_t i = 0; i < positions(); ++i) now_->qpos[i] = model_->qpos0[i] + generator.uniform(-noise, noise);
    for (std::size_t i = 0; i < rates(); ++i)
      now_->qvel[i] = kind_.falls ? 0 + generator.uniform(-noise, noise) : noise * variance::normal(generator.next());
    api().forward(model_.get(), now_.get());
    keep_state();
  }

  Step move(std::span<const double> action) override {
    const double before = now_->qpos[0];
    double squares = 0;
    for (std::size_t i = 0; i < action.size(); ++i) {
      now_->ctrl[i] = action[i];
      squares += action[i] * action[i];
    }
    for (int i = 0; i < kind_.steps; ++i) api().step(model_.get(), now_.get());
    api().finish(model_.get(), now_.get());
    keep_state();
    const double speed = (now_->qpos[0] - before) / (model_->opt.timestep * kind_.steps);
    return {.reward = speed + kind_.alive - kind_.control_weight * squares, .terminated = kind_.falls && !healthy()};
  }

  void save_state(nn::StateWriter& to) const override {
    to.real("time", now_->time);
    for (const double value : state_) to.real("state", value);
    for (std::size_t i = 0; i < rates(); ++i) to.real("warm start", now_->qacc_warmstart[i]);
  }
  void load_state(nn::StateReader& from) override {
    api().reset_data(model_.get(), now_.get());
    now_->time = from.real("time");
    for (std::size_t i = 0; i < positions(); ++i) now_->qpos[i] = from.real("state");
    for (std::size_t i = 0; i < rates(); ++i) now_->qvel[i] = from.real("state");
    for (std::size_t i = 0; i < rates(); ++i) now_->qacc_warmstart[i] = from.real("warm start");
    keep_state();
  }

 private:
  [[nodiscard]] std::size_t positions() const { return static_cast<std::size_t>(model_->nq); }
  [[nodiscard]] std::size_t rates() const { return static_cast<std::size_t>(model_->nv); }

  void keep_state() {
    std::copy_n(now_->qpos, positions(), state_.begin());
    std::copy_n(now_->qvel, rates(), state_.begin() + static_cast<std::ptrdiff_t>(positions()));
  }

  /// The torso is as high and as upright as Gymnasium asks, and nothing has run away.
  [[nodiscard]] bool healthy() const {
    const double height = state_[1], angle = state_[2], most = kind_.largest_angle;
    return kind_.low_height < height && height < kind_.high_height && -most < angle && angle < most &&
           std::all_of(state_.begin() + 2, state_.end(),
                       [&](double value) { return -kind_.largest_state < value && value < kind_.largest_state; });
  }

  const Kind& kind_;
  Model model_;
  Simulation now_;
  std::vector<double> state_;
};

}  // namespace

std::string absent_mujoco(const std::string& name) {
  const std::string& library = api().library.absent();
  return library.empty() ? absent_model(kind_of(name)) : library;
}

std::unique_ptr<Environment> make_mujoco(const Description& description, const Options& options) {
  return std::make_unique<Mujoco>(description, options);
}

#endif

}  // namespace retrial::rlenv
