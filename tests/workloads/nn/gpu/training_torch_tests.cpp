// Trainings on a stand-in for a GPU, whose operators are the CPU's (stand_in_torch.hpp): the same bits as on the CPU,
// so nothing was left on the host; and the host waits at the end of an epoch alone. The kernels of a GPU are run on the
// host.
#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <sstream>

#include "determinism/digest/tensor_digest_torch.hpp"
#include "results/text/text.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/nn/gpu/stand_in_kernels_torch.hpp"
#include "workloads/data/formats/embedded.hpp"
#include "workloads/interface/registry.hpp"
#include "workloads/nn/training/evaluate_torch.hpp"

namespace retrial::tests::gpu_training_tests {
using stand_in::on_host;

namespace {

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
  const at::Tensor there = at::ones({4, 3}).to(stand_in::device_with_kernels());
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
  const at::Device device = stand_in::device_with_kernels();
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
  const at::Device device = stand_in::device_with_kernels();
  Trained on_cpu("mlp:16,8", at::kCPU, protocol(1)), there("mlp:16,8", device, protocol(1));
  std::vector<std::vector<std::uint8_t>> masks(on_cpu.model->parameters().size());
  for (std::size_t e = 0; e < 16 * 64; ++e) masks.front().push_back(e % 3 == 0 ? 0 : 1);
  for (Trained* one : {&on_cpu, &there}) one->training->hold_at_zero(masks);
  CHECK(on_cpu.state() == there.state());
  check_same(on_cpu.epoch(), there.epoch());
  CHECK(on_cpu.state() == there.state());
}

TEST_CASE("an epoch on a device waits for it twice, however many steps it has") {
  const at::Device device = stand_in::device_with_kernels();
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

TEST_CASE("every workload that trains gives an error of LibTorch or of a GPU its kind") {
  for (const auto& declaration : workloads::all_workloads()) {
    if (declaration.trains == workloads::Trains::nothing) continue;
    CAPTURE(declaration.name);
    const auto kind = [&](const char* text) {
      const auto known = workloads::explanation(declaration.name, std::runtime_error(text));
      return known ? known->kind : "";
    };
    CHECK(kind("CUDA out of memory. Tried to allocate 2.00 GiB") == "torch.oom");
    CHECK(kind("CUDA error: an illegal memory access was encountered") == "cuda.sticky");
    CHECK(kind("another error").empty());
  }
}

TEST_CASE("tensors of a device are digested there, all of a list in one launch, with the CPU's digest") {
  const at::Device device = stand_in::device_with_kernels();
  nn::NamedTensors here, there;
  const auto add = [&](const std::string& name, const at::Tensor& tensor) {
    here.emplace_back(name, tensor);
    there.emplace_back(name, tensor.defined() ? tensor.to(device) : tensor);
  };
  add("matrix", at::ones({7, 5}) * 3);
  add("turned", (at::ones({4, 6}) * 2).t());
  add("empty", at::ones({0, 3}));
  add("absent", at::Tensor());
  add("whole", at::ones({11}, at::kLong));
  const std::int64_t before = stand_in::waits();
  CHECK(determinism::tensor_digest(here) == determinism::tensor_digest(there));
  CHECK(stand_in::waits() == before);  // the one wait is the kernel's own
  there[0].second[3][2].fill_(4);
  CHECK_FALSE(determinism::tensor_digest(here) == determinism::tensor_digest(there));
}

TEST_CASE("a call after each step waits before it, as it reads weights") {
  const at::Device device = stand_in::device_with_kernels();
  Trained there("mlp:16,8", device, protocol(1));
  std::int64_t steps = 0;
  const std::int64_t before = stand_in::waits();
  (void)there.training->epoch(nn::labels_alone(*there.model), [&](std::int64_t step) { steps = step; });
  CHECK(steps == 5);
  CHECK(stand_in::waits() - before == 2 + 5);
}

TEST_CASE("a training that diverges ends at the CPU's step with the CPU's weights and statistics") {
  const at::Device device = stand_in::device_with_kernels();
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

}  // namespace retrial::tests::gpu_training_tests
