// Reading CIFAR-10 from the page cache, a copy of the same bytes, and the cost of augmentation per image.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "results/digest/sha256.hpp"
#include "workloads/data/augment/augment.hpp"
#include "workloads/data/formats/cifar.hpp"

namespace retrial::tests::data_bench {

using namespace retrial;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t batch_bytes = 30730000;

/// Six files of the size of the published ones, removed at the end.
class Files {
 public:
  Files() {
    fs::create_directories(path_);
    std::string bytes(batch_bytes, '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<char>(i % 3073 == 0 ? i / 3073 % 10 : i * 31 % 251);
    for (const char* name : {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin",
                             "data_batch_5.bin", "test_batch.bin"})
      std::ofstream(path_ / name, std::ios::binary) << bytes;
  }
  ~Files() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_ = fs::temp_directory_path() / ("retrial-data-bench-" + std::to_string(::getpid()));
};

const fs::path& folder() {
  static const Files files;
  return files.path();
}

void load(benchmark::State& state) {
  folder();
  for (auto step : state) benchmark::DoNotOptimize(data::load_cifar10(folder(), state.range(0) == 1).pixels.data());
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * 6 * static_cast<std::int64_t>(batch_bytes));
}
BENCHMARK(load)->ArgName("hash")->Arg(0)->Arg(1)->UseRealTime()->Unit(benchmark::kMillisecond);

/// Into memory that was never touched, as a loader's buffer is.
void copy(benchmark::State& state) {
  const std::vector<std::uint8_t> from(6 * batch_bytes, 1);
  for (auto step : state) {
    std::vector<std::uint8_t> to(from.begin(), from.end());
    benchmark::DoNotOptimize(to.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * 6 * static_cast<std::int64_t>(batch_bytes));
}
BENCHMARK(copy)->UseRealTime()->Unit(benchmark::kMillisecond);

void sha256_of_the_files(benchmark::State& state) {
  for (auto step : state)
    for (const auto& file : fs::directory_iterator(folder())) benchmark::DoNotOptimize(results::sha256_file(file));
}
BENCHMARK(sha256_of_the_files)->UseRealTime()->Unit(benchmark::kMillisecond);

/// The program of the same name, on the same files.
void sha256sum(benchmark::State& state) {
  const std::string line = "sha256sum '" + folder().string() + "'/*.bin >/dev/null";
  for (auto step : state)
    if (std::system(line.c_str()) != 0) state.SkipWithError("no sha256sum");
}
BENCHMARK(sha256sum)->UseRealTime()->Unit(benchmark::kMillisecond);

void augment(benchmark::State& state, const std::string& name) {
  const data::Shape shape{3, 32, 32};
  std::vector<std::uint8_t> image(shape.pixels());
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<std::uint8_t>(i * 31);
  const data::Operator& op = data::find_augmentation(name);
  const auto keys = data::augmentation_key(1, op, 0);
  data::Augmenter augmenter(shape);
  std::uint64_t sample = 0;
  for (auto step : state) benchmark::DoNotOptimize(augmenter.changed(op, keys, sample++, image.data()));
}
BENCHMARK_CAPTURE(augment, crop_flip, "crop_flip");
BENCHMARK_CAPTURE(augment, autoaugment, "autoaugment");

}  // namespace

}  // namespace retrial::tests::data_bench
