// Trainings on a stand-in for a GPU, whose operators are the CPU's (stand_in_torch.hpp): the same bits as on the CPU,
// so nothing was left on the host; and the host waits at the end of an epoch alone. The kernels of a GPU are run on the
// host.
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <set>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/determinism/kernels/twin.hpp"
#include "tests/workloads/distillation/libtorch/trial_torch.hpp"
#include "tests/workloads/nn/gpu/stand_in_torch.hpp"
#include "tests/workloads/pruning/libtorch/trial_torch.hpp"
#include "workloads/data/formats/embedded.hpp"
#include "workloads/distillation/methods/methods.hpp"
#include "workloads/distillation/trial/dot_device.hpp"
#include "workloads/nn/gpu/kernels.hpp"
#include "workloads/nn/training/evaluate_torch.hpp"

namespace retrial::tests::gpu_training_tests {
using stand_in::on_host;
using std::string_literals::operator""s;

namespace {

/// Every kernel with one block of one thread, on memory of the device.
template <typename Body>
void launch(const Body& body) {
  twin::launch({1, 1}, body);
}

nn::UpdateControl seen(const nn::UpdateControl& control) {
  return {on_host(control.rate), on_host(control.proceed)};
}

template <typename Tensor, typename Body>
void launch_list(std::span<const determinism::Listed<Tensor>> list, Tensor (*translated)(const Tensor&),
                 const Body& body) {
  std::vector<determinism::Listed<Tensor>> all;
  for (const auto& one : list) all.push_back({translated(one.tensor), one.elements});
  determinism::each_launch(std::span<const determinism::Listed<Tensor>>(all),
                           [&](const determinism::Parts<Tensor>& parts, std::size_t) {
                             launch([&](const determinism::Where& at) { body(parts, at); });
                           });
}

void gather(const nn::Gather& batch) {
  const nn::Gather seen{
      on_host(batch.bytes), on_host(batch.table), on_host(batch.places), on_host(batch.images), batch.count,
      batch.pixels,         batch.plane};
  launch([&](const determinism::Where& at) { nn::gather_elements(seen, at); });
}

void note(const nn::StepTerms& step, const nn::Ledger& ledger) {
  nn::StepTerms seen = step;
  for (unsigned i = 0; i < seen.count; ++i) seen.values[i] = on_host(seen.values[i]);
  const nn::Ledger to{on_host(ledger.loss), on_host(ledger.terms), on_host(ledger.proceed),
                      on_host(ledger.diverged_at)};
  launch([&](const determinism::Where& at) { nn::note_step(seen, to, at); });
}

void settle(std::span<const determinism::Listed<nn::Settled>> tensors, const std::uint8_t* proceed) {
  launch_list<nn::Settled>(
      tensors,
      [](const nn::Settled& t) {
        return nn::Settled{on_host(t.now), on_host(t.counted)};
      },
      [&](const auto& parts, const determinism::Where& at) { nn::settle_parts(parts, on_host(proceed), at); });
}

void drop(const float* x, float* y, std::uint64_t n, const determinism::Drop& drop) {
  launch([&](const determinism::Where& at) { determinism::drop_elements(on_host(x), on_host(y), n, drop, at); });
}

void sgd(std::span<const determinism::Listed<nn::SgdTensor>> tensors, const nn::UpdateControl& control,
         const nn::Sgd& sgd) {
  const auto momentum = static_cast<float>(sgd.momentum), decay = static_cast<float>(sgd.weight_decay);
  launch_list<nn::SgdTensor>(
      tensors,
      [](const nn::SgdTensor& t) {
        return nn::SgdTensor{on_host(t.w), on_host(t.gradient), on_host(t.v), on_host(t.live)};
      },
      [&](const auto& parts, const determinism::Where& at) {
        sgd.nesterov ? nn::sgd_parts<true>(parts, seen(control), momentum, decay, at)
                     : nn::sgd_parts<false>(parts, seen(control), momentum, decay, at);
      });
}

void dot(std::span<const determinism::Listed<distillation::DotTensor>> tensors, const nn::UpdateControl& control,
         double delta, const nn::Sgd& sgd) {
  const auto numbers = distillation::dot_numbers(0, delta, sgd);
  launch_list<distillation::DotTensor>(
      tensors,
      [](const distillation::DotTensor& t) {
        return distillation::DotTensor{on_host(t.w), on_host(t.gradient), on_host(t.imitation),
                                       on_host(t.v), on_host(t.u),        on_host(t.live)};
      },
      [&](const auto& parts, const determinism::Where& at) {
        distillation::dot_parts(parts, seen(control), numbers, at);
      });
}

nn::AdaptiveTensor seen_adaptive(const nn::AdaptiveTensor& t) {
  return {on_host(t.w), on_host(t.gradient), on_host(t.m), on_host(t.v)};
}

void adam(std::span<const determinism::Listed<nn::AdaptiveTensor>> tensors, const nn::AdamNumbers& numbers) {
  launch_list<nn::AdaptiveTensor>(tensors, seen_adaptive, [&](const auto& parts, const determinism::Where& at) {
    nn::adam_parts(parts, numbers, at);
  });
}

void rmsprop(std::span<const determinism::Listed<nn::AdaptiveTensor>> tensors, const nn::RmspropNumbers& numbers) {
  launch_list<nn::AdaptiveTensor>(tensors, seen_adaptive, [&](const auto& parts, const determinism::Where& at) {
    nn::rmsprop_parts(parts, numbers, at);
  });
}

constexpr nn::DeviceKernels by_host{
    .gather = gather, .note = note, .settle = settle, .drop = drop, .sgd = sgd, .adam = adam, .rmsprop = rmsprop};

/// The device for tests, with kernels.
at::Device stand_in_device() {
  nn::use_device_kernels(by_host);
  distillation::dot_kernel() = dot;
  at::set_num_threads(1);
  return stand_in::device();
}

workloads::Place place_on(const at::Device& device) {
  workloads::Place place;
  place.device = device.is_cpu() ? "cpu" : "standin";
  return place;
}

/// Trained by SGD on 130 of the digits: four batches of 32, the last of 34 rows less.
struct Trained {
  std::unique_ptr<nn::Model> model;
  std::unique_ptr<nn::Training> training;

  Trained(const std::string& network, const at::Device& device, nn::Protocol protocol) {
    const data::ImageSet& set = data::digits();
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = 0; row < 130; ++row) rows.push_back(row);
    const data::PixelTable table(set, data::computed_normalisation(set, rows));
    protocol.device = device;
    model = nn::make(nn::parse_architecture(network, "model"), set.shape, set.classes, 17);
    training = std::make_unique<nn::Training>(*model, nn::Samples(set, rows, table, protocol.batch, device), protocol,
                                              nn::TrainingSeeds{.order = 1, .augmentation = 2, .dropout = 3});
  }

  nn::EpochReport epoch() { return training->epoch(nn::labels_alone(*model), {}); }
  [[nodiscard]] std::string state() const {
    std::ostringstream bytes;
    nn::StateWriter to(bytes);
    training->save(to);
    return bytes.str();
  }
  void resume(const std::string& state) {
    std::istringstream bytes(state);
    nn::StateReader from(bytes);
    training->load(from);
  }
};

nn::Protocol protocol(std::int64_t epochs, double rate = .1) {
  return {.epochs = epochs,
          .batch = 32,
          .schedule = {.lr = rate, .gamma = .1, .milestones = "1/2"},
          .sgd = {.momentum = .9, .weight_decay = 5e-4, .nesterov = true}};
}

void check_same(const nn::EpochReport& a, const nn::EpochReport& b) {
  CHECK(results::hex_of_bits(a.loss) == results::hex_of_bits(b.loss));
  CHECK(a.terms.size() == b.terms.size());
  for (std::size_t i = 0; i < a.terms.size(); ++i)
    CHECK(results::hex_of_bits(a.terms[i].second) == results::hex_of_bits(b.terms[i].second));
  CHECK(a.diverged_at == b.diverged_at);
}

}  // namespace

TEST_CASE("the memory of the device cannot be read, and its tensors do not mix with those of the host") {
  const at::Tensor there = at::ones({4, 3}).to(stand_in_device());
  CHECK((there.t().matmul(there) - 4).abs().sum().item().toDouble() == 0);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL);  // of the process that tests, which would report it
    const volatile float read = *there.data_ptr<float>();
    _exit(read == 1 ? 0 : 1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  CHECK_THROWS_WITH(there + at::ones({4, 3}), has_text("to be on the same device"));
}

TEST_CASE("a training on a device has the bits of the CPU's, epoch by epoch and saved") {
  const at::Device device = stand_in_device();
  for (const std::string network : {"mlp:16,8", "cnn2", "resnet8b:w=4"}) {
    CAPTURE(network);
    nn::Protocol both = protocol(4);
    both.dropout = network == "mlp:16,8" ? .3 : 0;
    both.augmentation = &data::find_augmentation("shift1");
    both.mix = .5;
    Trained on_cpu(network, at::kCPU, both), there(network, device, both);
    for (int epoch = 0; epoch < 2; ++epoch) {
      check_same(on_cpu.epoch(), there.epoch());
      CHECK(nn::device_of(*there.model) == device);
      CHECK(on_cpu.state() == there.state());
    }
    Trained again(network, device, both), home(network, at::kCPU, both);
    again.resume(on_cpu.state());
    home.resume(there.state());
    check_same(again.epoch(), home.epoch());
    CHECK(again.state() == home.state());
    const at::Tensor images = at::ones({3, 1, 8, 8});
    CHECK(nn::logits_of(*again.model, images).equal(nn::logits_of(*home.model, images)));
  }
}

TEST_CASE("masked weights stay 0 on a device, and their momentum too") {
  const at::Device device = stand_in_device();
  Trained on_cpu("mlp:16,8", at::kCPU, protocol(1)), there("mlp:16,8", device, protocol(1));
  std::vector<std::vector<std::uint8_t>> masks(on_cpu.model->parameters().size());
  for (std::size_t e = 0; e < 16 * 64; ++e) masks.front().push_back(e % 3 == 0 ? 0 : 1);
  for (Trained* one : {&on_cpu, &there}) one->training->hold_at_zero(masks);
  CHECK(on_cpu.state() == there.state());
  check_same(on_cpu.epoch(), there.epoch());
  CHECK(on_cpu.state() == there.state());
}

TEST_CASE("an epoch on a device waits for it twice, however many steps it has") {
  const at::Device device = stand_in_device();
  for (const std::int64_t batch : {64, 16, 4}) {
    nn::Protocol many = protocol(2);
    many.batch = batch;
    Trained there("cnn2", device, many);
    (void)there.epoch();
    const std::int64_t before = stand_in::waits();
    (void)there.epoch();
    CHECK(stand_in::waits() - before == 2);  // the sums, and the step at which it diverged
  }
}

TEST_CASE("a call after each step waits before it, as it reads weights") {
  const at::Device device = stand_in_device();
  Trained there("mlp:16,8", device, protocol(1));
  std::int64_t steps = 0;
  const std::int64_t before = stand_in::waits();
  (void)there.training->epoch(nn::labels_alone(*there.model), [&](std::int64_t step) { steps = step; });
  CHECK(steps == 5);
  CHECK(stand_in::waits() - before == 2 + 5);
}

TEST_CASE("a training that diverges ends at the CPU's step with the CPU's weights and statistics") {
  const at::Device device = stand_in_device();
  for (const std::int64_t bad : {0, 1, 3, 4}) {
    CAPTURE(bad);
    const auto diverging = [&](const nn::Model& model) {
      return [&model, bad, step = std::int64_t{0}](const nn::BatchView& batch) mutable {
        at::Tensor loss = nn::labels_alone(model)(batch).front().value;
        if (step++ >= bad) loss = loss / 0;  // infinite from then on
        return std::vector<nn::Term>{{"ce", 1, loss}};
      };
    };
    Trained on_cpu("cnn2", at::kCPU, protocol(2)), there("cnn2", device, protocol(2));
    for (const bool calls : {false, true}) {
      Trained other("cnn2", device, protocol(2));
      std::int64_t calls_made = 0;
      const std::function<void(std::int64_t)> after =
          calls ? [&](std::int64_t) { ++calls_made; } : std::function<void(std::int64_t)>();
      const nn::EpochReport found = other.training->epoch(diverging(*other.model), after);
      CHECK(found.diverged_at == bad);
      CHECK(calls_made == (calls ? bad : 0));
      CHECK(other.training->finished());
      if (!calls) there = std::move(other);
    }
    const nn::EpochReport expected = on_cpu.training->epoch(diverging(*on_cpu.model), {});
    CHECK(expected.diverged_at == bad);
    CHECK(on_cpu.state() == there.state());
  }
}

TEST_CASE("every method of distillation has the CPU's digests on a device") {
  const at::Device device = stand_in_device();
  std::set<std::string> wait_in_steps;
  for (const auto& method : distillation::all_methods()) {
    if (method.name == "uda") continue;  // needs photographs
    CAPTURE(method.name);
    Values keys{{"method", method.name},
                {"student", "cnn2"s},
                {"teacher", "cnn2"s},
                {"assistant", "mlp:9"s},
                {"train_count", std::int64_t{64}},
                {"teacher_epochs", std::int64_t{1}},
                {"epochs", std::int64_t{1}},
                {"negatives", std::int64_t{50}}};
    if (method.init_epochs > 0) keys["init_epochs"] = std::int64_t{1};
    test::check_equal(test::run(keys), test::run(keys, {}, place_on(device)));
    const auto waits_of = [&](std::int64_t rows) {
      const std::int64_t before = stand_in::waits();
      (void)test::run(test::joined(keys, {{"train_count", rows}}), {}, place_on(device));
      return stand_in::waits() - before;
    };
    if (waits_of(64) != waits_of(192)) wait_in_steps.insert(method.name);
  }
  // Points without spread are refused at their step; singular vectors are found on the host; and LibTorch's gradient of
  // max() waits on every device but CUDA's.
  CHECK(wait_in_steps == std::set<std::string>{"kdsvd", "rkd", "sfd"});
}

TEST_CASE("keys of distillation that touch tensors have the CPU's digests on a device, saved at every boundary too") {
  const at::Device device = stand_in_device();
  for (const Values& more : {Values{{"optimizer", "dot"s}}, Values{{"teacher_cache", "logits"s}},
                             Values{{"dropout", .2}, {"gradient_norms", true}},
                             Values{{"method", "hint"s},
                                    {"base", "kd"s},
                                    {"init_epochs", std::int64_t{1}},
                                    {"student", "cnn2"s},
                                    {"teacher", "cnn3"s}}}) {
    const Values keys = test::joined({{"train_count", std::int64_t{70}}}, more);
    const auto on_cpu = test::run(keys);
    test::check_equal(on_cpu, test::run(keys, {}, place_on(device)));
    test::check_equal(on_cpu, test::run_in_pieces(test::trial_of(keys), place_on(device)));
    workloads::Place looked = place_on(device);
    looked.checksum_every = 2;
    workloads::Place beside;
    beside.checksum_every = 2;
    test::check_equal(test::run(keys, {}, beside), test::run(keys, {}, looked));
  }
}

TEST_CASE("every method of pruning and every pipeline has the CPU's digests on a device") {
  namespace fixture = pruning::fixture;
  const at::Device device = stand_in_device();
  std::vector<Values> all;
  for (const auto& variant : workloads::find_workload("pruning", "").variants) {
    all.push_back(variant.preset);
    if (variant.name == "lth") all.back()["grid"] = "levels(.4, 3)"s;
  }
  for (const std::string& pipeline : pruning::pipeline_names())
    all.push_back({{"pipeline", pipeline}, {"rewind_epoch", std::int64_t{1}}});
  all.push_back({{"noise_images", std::int64_t{3}},
                 {"noise_draws", std::int64_t{2}},
                 {"noise_levels", "0,.3"s},
                 {"separate", true},
                 {"backselect_images", std::int64_t{1}}});
  all.push_back(
      {{"method", "ft"s}, {"structure", "group"s}, {"latency", true}, {"recalibrate", true}, {"model", "cnn2"s}});
  for (const Values& keys : all) {
    const auto method = keys.find("method");
    CAPTURE(method == keys.end() ? ""s : std::get<std::string>(method->second));
    const auto on_cpu = fixture::run(keys), there = fixture::run(keys, {}, place_on(device));
    CHECK(on_cpu.digests == there.digests);
    CHECK(fixture::outcomes(on_cpu) == fixture::outcomes(there));
  }
}

namespace {

workloads::Trial agent_trial(const Values& given) {
  const workloads::Declaration& declaration = workloads::find_workload("rl", "");
  workloads::Trial trial{.workload = "rl",
                         .variant = "agent",
                         .values = workloads::resolved(declaration, given),
                         .identity = std::string(64, 'a')};
  for (const std::string& source : declaration.honours(trial.values)) {
    trial.pairs[source] = 0;
    trial.seeds[source] = variance::source_seed(20210403, source, 0);
  }
  return trial;
}

/// With a save and a load into a fresh run at every boundary, if `in_pieces`.
test::Recorded train_agent(const Values& keys, const at::Device& device, bool in_pieces = false) {
  const workloads::Trial trial = agent_trial(keys);
  test::Recorded recorded;
  auto run = workloads::find_start("rl")(trial, place_on(device));
  while (run->advance(recorded)) {
    if (!in_pieces) continue;
    std::stringstream state;
    run->save(state);
    run = workloads::find_start("rl")(trial, place_on(device));
    run->load(state);
  }
  return recorded;
}

/// Scores and returns, as bits.
std::map<std::string, std::string> scores_of(const test::Recorded& recorded) {
  auto outcomes = recorded.outcomes();
  std::erase_if(outcomes, [](const auto& one) {
    return one.first.starts_with("region_s") || one.first.starts_with("steps_per_s");
  });
  return outcomes;
}

}  // namespace

TEST_CASE(
    "every agent has the CPU's digests and scores on a device, in pieces too, and with its optimizer on the host") {
  const at::Device device = stand_in_device();
  const std::int64_t steps = 1200;
  for (const auto& [algorithm, environment] : std::vector<std::pair<std::string, std::string>>{{"ppo", "cartpole"},
                                                                                               {"ppo", "pendulum"},
                                                                                               {"a2c", "cartpole"},
                                                                                               {"a2c", "pendulum"},
                                                                                               {"dqn", "cartpole"},
                                                                                               {"ddpg", "pendulum"},
                                                                                               {"td3", "pendulum"},
                                                                                               {"sac", "pendulum"}}) {
    CAPTURE(algorithm, environment);
    Values keys{{"algorithm", algorithm},
                {"env", environment},
                {"steps", steps},
                {"hidden", "16,8"s},
                {"eval_episodes", std::int64_t{3}}};
    if (algorithm == "ppo") keys["rollout"] = std::int64_t{300}, keys["batch"] = std::int64_t{100};
    if (algorithm == "ppo" && environment == "pendulum") keys["normalise"] = "obs+reward"s;
    if (algorithm != "ppo" && algorithm != "a2c")
      keys["batch"] = std::int64_t{32}, keys["train_every"] = std::int64_t{4};
    if (algorithm == "dqn") keys["target_every"] = std::int64_t{100};
    const auto on_cpu = train_agent(keys, at::kCPU), there = train_agent(keys, device);
    CHECK(on_cpu.digests == there.digests);
    CHECK(scores_of(on_cpu) == scores_of(there));
    CHECK(there.digests == train_agent(keys, device, true).digests);
    const std::int64_t before = stand_in::waits();
    (void)train_agent(keys, device);
    const std::int64_t between = stand_in::waits();
    keys["adam_host"] = true;
    CHECK(there.digests == train_agent(keys, device).digests);
    CHECK(stand_in::waits() - between > between - before);
  }
}

}  // namespace retrial::tests::gpu_training_tests
