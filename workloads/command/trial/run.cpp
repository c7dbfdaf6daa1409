#include <cmath>
#include <csignal>
#include <cstring>
#include <istream>
#include <ostream>

#include "results/text/text.hpp"
#include "workloads/command/line/command_line.hpp"
#include "workloads/command/line/environment.hpp"
#include "workloads/command/line/placeholders.hpp"
#include "workloads/command/process/out_folder.hpp"
#include "workloads/command/process/process.hpp"
#include "workloads/command/reading/json_file.hpp"
#include "workloads/command/reading/json_reading.hpp"
#include "workloads/command/reading/lists.hpp"
#include "workloads/command/reading/reading.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::workloads::command::inline trial {

namespace {

/// "`python3 train.py --seed 5`", shortened for a message.
std::string quoted(const std::vector<std::string>& argv) {
  std::string text(1, '`');
  text += results::one_line(results::joined(argv, " "), 300);
  return text += '`';
}

std::string signal_text(int signal) {
  const auto text = std::to_string(signal) + " (" + ::strsignal(signal) + ")";
  return signal == SIGKILL ? text + ", perhaps out of memory" : text;
}

class CommandRun : public Run {
 public:
  CommandRun(Trial trial, const Place& place) : trial_(std::move(trial)), place_(place.out) {}

  /// Runs the whole program: there is no boundary within it.
  bool advance(Recorder& recorder) override {
    for (std::int64_t i = 1; i <= trial_.integer("warm_up"); ++i) warm_up(i, recorder);
    const OutFolder out(place_, trial_.flag("keep_out"));
    prepare(out.path(), recorder);
    const auto json = json_file(out.path());
    const auto argv = argv_of(trial_, out.path());
    const auto finished = run(argv, out.path(), recorder);
    const auto output = finished.output.text();
    // Before anything can fail: the output of a failed trial is kept too.
    recorder.artifact("output", "text", printable_end(output));
    check_end(finished, argv, output, "");
    record_reads(recorder, json, output);
    for (const auto& digest : file_digests(out.path(), trial_.text("digest")))
      recorder.digest(digest.name, digest.step, digest.algo, digest.hex);
    record_costs(recorder, finished);
    if (trial_.flag("keep_out")) recorder.artifact("out", "path", out.path().string());
    recorder.progress(1.0);
    return false;
  }

  // A run has no state before the program and none after it.
  void save(std::ostream& to) const override { to << "command\n"; }
  void load(std::istream& from) override {
    std::string word;
    if (!(from >> word) || word != "command") throw TrialFailure("command.checkpoint", "not a checkpoint of command");
  }

 private:
  /// Output is a sign of life, and its last line says how far the program is.
  static std::function<void(std::string_view)> signs_of_life(Recorder& recorder) {
    return [&recorder](std::string_view printed) {
      if (!trimmed(std::string(printed)).empty()) recorder.standing(trimmed(last_lines(printed, 1)));
      recorder.progress(0);
    };
  }

  std::optional<JsonFile> json_file(const std::filesystem::path& out) const {
    const auto& name = trial_.text("read_json");
    if (name.empty() || name == "-") return std::nullopt;
    return JsonFile(std::filesystem::path(trial_.text("workdir")) / filled(name, trial_, out));
  }

  Finished run(const std::vector<std::string>& argv, const std::filesystem::path& out, Recorder& recorder) const {
    return run_program({argv, environment_of(trial_, out), trial_.text("workdir"), signs_of_life(recorder)});
  }

  void prepare(const std::filesystem::path& out, Recorder& recorder) const {
    if (trial_.text("prepare").empty()) return;
    const auto argv = argv_of(trial_, out, "prepare");
    const auto finished = run(argv, out, recorder);
    check_end(finished, argv, finished.output.text(), " (--prepare)");
  }

  /// A start that is neither timed nor read, in a folder of its own.
  void warm_up(std::int64_t number, Recorder& recorder) const {
    const OutFolder out({}, false);
    prepare(out.path(), recorder);
    const auto argv = argv_of(trial_, out.path());
    const auto finished = run(argv, out.path(), recorder);
    check_end(finished, argv, finished.output.text(),
              " (warm-up " + std::to_string(number) + " of " + std::to_string(trial_.integer("warm_up")) + ")");
  }

  /// `which`: what is said of a start other than the one that is read.
  static void check_end(const Finished& finished, const std::vector<std::string>& argv, const std::string& output,
                        const std::string& which) {
    if (!finished.signal && finished.exit_code == 0) return;
    const auto how = finished.signal ? " was ended by signal " + signal_text(*finished.signal)
                                     : " exited with " + std::to_string(finished.exit_code);
    throw TrialFailure(finished.signal ? "command.signal" : "command.exit",
                       quoted(argv) + which + how + "; last lines:" + last_lines(output));
  }

  void record_reads(Recorder& recorder, const std::optional<JsonFile>& file, const std::string& output) const {
    std::optional<Json> object;
    if (file) object = file->read();
    if (trial_.text("read_json") == "-") object = last_json_line(output);
    const auto reads = reads_of(trial_.text("read"));
    for (std::size_t i = 0; i < reads.size(); ++i) {
      const double value = value_of(reads[i], object, output);
      recorder.metric(reads[i].name, value);
      if (i == 0 && !std::isfinite(value)) recorder.diverged(-1);
    }
  }

  double value_of(const Read& read, const std::optional<Json>& object, const std::string& output) const {
    const bool from_json = !read.pattern && !trial_.text("read_json").empty();
    std::optional<double> value;
    if (from_json)
      value = object ? number_named(*object, read.name) : std::nullopt;
    else
      value = read.pattern ? last_match(output, read) : last_number_after(output, read.name);
    if (value) return *value;
    throw TrialFailure("command.no_metric", "no number \"" + read.name + "\" in " +
                                                (from_json ? "its JSON" : "the output") +
                                                "; last lines:" + last_lines(output));
  }

  static void record_costs(Recorder& recorder, const Finished& finished) {
    recorder.metric("wall_s", finished.wall_s);
    recorder.metric("cpu_s", finished.cpu_s);
    if (finished.peak_rss_mib) recorder.metric("peak_rss_mib", *finished.peak_rss_mib);
  }

  Trial trial_;
  std::filesystem::path place_;
};

const RegisterStart starts{"command", [](const Trial& trial, const Place& place) -> std::unique_ptr<Run> {
                             return std::make_unique<CommandRun>(trial, place);
                           }};

}  // namespace

}  // namespace retrial::workloads::command::inline trial
