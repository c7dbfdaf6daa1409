// One fuzzer for every reader of bytes from outside. An input is what a reader refuses with one Error, or accepts; a
// crash, a hang, an exception of another type or a sanitizer's report is a defect.
//
//   RETRIAL_FUZZ=csv fuzz_readers tests/fuzz/corpus/csv     (libFuzzer: scripts/fuzz)
//   fuzz_readers --seconds 10 csv tests/fuzz/corpus/csv     (any compiler: CTest)
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "harness/scores/formats/formats.hpp"
#include "harness/study/file/study_file.hpp"
#include "harness/worker/protocol.hpp"
#include "results/exchange/jsonl.hpp"
#include "results/json/json.hpp"
#include "results/store/store.hpp"
#include "results/text/error.hpp"
#include "variance/random/rng.hpp"
#include "workloads/data/formats/idx.hpp"
#include "workloads/data/formats/npy.hpp"

namespace retrial::tests::fuzz {
namespace {

namespace fs = std::filesystem;

/// A file of this process, rewritten for each input.
fs::path scratch_file() {
  static const fs::path file =
      fs::path(fs::is_directory("/dev/shm") ? "/dev/shm" : "/tmp") / ("retrial-fuzz-" + std::to_string(::getpid()));
  return file;
}

fs::path written(std::string_view bytes) {
  std::ofstream(scratch_file(), std::ios::binary | std::ios::trunc) << bytes;
  return scratch_file();
}

void read_scores(std::string_view bytes, const char* format) {
  const harness::ScoreInput input{.path = "input", .text = std::string(bytes)};
  static_cast<void>(harness::read_score_table({&input, 1}, format));
}

void read_store(std::string_view bytes) {
  const auto file = written(bytes);
  const results::Store store(file, results::Store::Access::read);
  static_cast<void>(store.verify(true));
  static_cast<void>(store.info());
  for (const auto& study : store.studies()) {
    store.demand_sealed(study, store.plan_listing(study.digest));
    static_cast<void>(store.plan(study.digest));
  }
  for (const auto& trial : store.trials()) static_cast<void>(store.record(trial.id));
}

void read_spill(std::string_view bytes) {
  static_cast<void>(results::read_jsonl(bytes, "input", [](const auto&) { return std::nullopt; }));
}

void read_idx(std::string_view bytes) {
  const auto file = written(bytes);
  for (const auto kind : {data::IdxKind::images, data::IdxKind::labels}) try {
      data::check_idx_file(kind, file);
    } catch (const Error&) {
    }
}

void read_event(std::string_view bytes) {
  static_cast<void>(harness::decode_event(std::string(bytes)));
}

struct Reader {
  std::string_view name;
  void (*read)(std::string_view bytes);
};
constexpr Reader readers[] = {
    {"store", read_store},
    {"spill", read_spill},
    {"study", [](std::string_view bytes) { static_cast<void>(harness::read_study_file(written(bytes).string())); }},
    {"protocol", read_event},
    {"json", [](std::string_view bytes) { static_cast<void>(results::parse_json(bytes, "input")); }},
    {"csv", [](std::string_view bytes) { read_scores(bytes, "csv"); }},
    {"long-csv", [](std::string_view bytes) { read_scores(bytes, "long-csv"); }},
    {"npy", [](std::string_view bytes) { read_scores(bytes, "npy"); }},
    {"google-benchmark", [](std::string_view bytes) { read_scores(bytes, "google-benchmark"); }},
    {"hyperfine", [](std::string_view bytes) { read_scores(bytes, "hyperfine"); }},
    {"mllog", [](std::string_view bytes) { read_scores(bytes, "mllog"); }},
    {"idx", read_idx},
};

const Reader& reader(std::string_view name) {
  const auto found = std::ranges::find(readers, name, &Reader::name);
  if (found != std::end(readers)) return *found;
  std::cerr << "fuzz_readers: unknown reader " << name << "; known:";
  for (const auto& one : readers) std::cerr << " " << one.name;
  std::cerr << "\n";
  std::exit(2);
}

/// Any exception but an Error ends the process.
void one_input(const Reader& of, std::string_view bytes) {
  try {
    of.read(bytes);
  } catch (const Error&) {
  }
}

}  // namespace
}  // namespace retrial::tests::fuzz

using namespace retrial;

#ifdef RETRIAL_LIBFUZZER

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto& of =
      tests::fuzz::reader(std::getenv("RETRIAL_FUZZ") == nullptr ? "" : std::getenv("RETRIAL_FUZZ"));
  tests::fuzz::one_input(of, {reinterpret_cast<const char*>(data), size});
  return 0;
}

#else

namespace {

std::vector<std::string> corpus_of(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<std::string> out;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    out.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return out;
}

/// A byte changed, a piece doubled, lost or moved, an end cut off: one to four of these.
std::string mutant(std::string text, const std::vector<std::string>& corpus, variance::Stream& draws) {
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(draws.next() % n); };
  for (std::size_t i = 1 + below(4); i > 0 && !text.empty(); --i) {
    const auto at = below(text.size()), length = 1 + below(std::min<std::size_t>(64, text.size() - at));
    const auto& other = corpus[below(corpus.size())];
    switch (draws.next() % 6) {
      case 0:
        text[at] = static_cast<char>(draws.next());
        break;
      case 1:
        text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3:
        text.insert(at, text.substr(at, length));
        break;
      case 4:
        text.insert(at, other.substr(below(other.size()), length));
        break;
      default:
        text.resize(at);
    }
  }
  return text;
}

}  // namespace

int main(int count, char** words) {
  if (count != 5 || std::string_view(words[1]) != "--seconds") {
    std::cerr << "usage: fuzz_readers --seconds N READER CORPUS_FOLDER\n";
    return 2;
  }
  const auto& of = tests::fuzz::reader(words[3]);
  const auto corpus = corpus_of(words[4]);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(words[2]));
  for (const auto& text : corpus) tests::fuzz::one_input(of, text);
  // A crash is repeated by the same number of inputs: the draws come from a fixed seed.
  variance::Stream draws(variance::derive(variance::derive(std::uint64_t{20210403}, "fuzz"), words[3]));
  std::uint64_t inputs = 0;
  for (; std::chrono::steady_clock::now() < end; ++inputs)
    tests::fuzz::one_input(of, mutant(corpus[draws.next() % corpus.size()], corpus, draws));
  std::filesystem::remove(tests::fuzz::scratch_file());
  std::cout << of.name << ": " << inputs << " inputs, " << corpus.size() << " in the corpus\n";
  return 0;
}

#endif
