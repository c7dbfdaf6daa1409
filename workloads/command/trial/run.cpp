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
#include "workloads/command/reading/log_file.hpp"
#include "workloads/command/reading/plain_text.hpp"
#include "workloads/command/trial/recorded_metrics.hpp"
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
    const OutFolder out(place_, trial_.flag("keep_out"));
    const auto json = json_file(out.path());
    const auto argv = argv_of(trial_, out.path());
    const auto finished = run_program({argv, environment_of(trial_, out.path()), trial_.text("workdir")});
    check_end(finished, argv);
    const auto metrics = metric_reads(trial_.values);
    const auto from = readable(finished, json, out.path(), metrics);
    record_metrics(recorder, metrics, from);
    for (const auto& digest : file_digests(out.path(), trial_.text("digest")))
      recorder.digest(digest.name, digest.step, digest.algo, digest.hex);
    record_costs(recorder, finished);
    recorder.artifact("output", "text", printable_end(from.output));
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
  std::optional<JsonFile> json_file(const std::filesystem::path& out) const {
    const auto& name = trial_.text("read_json");
    if (name.empty() || name == "-") return std::nullopt;
    return JsonFile(std::filesystem::path(trial_.text("workdir")) / filled(name, trial_, out));
  }

  static void check_end(const Finished& finished, const std::vector<std::string>& argv) {
    if (!finished.signal && finished.exit_code == 0) return;
    const auto how = finished.signal ? " was ended by signal " + signal_text(*finished.signal)
                                     : " exited with " + std::to_string(finished.exit_code);
    throw TrialFailure(finished.signal ? "command.signal" : "command.exit",
                       quoted(argv) + how + "; last lines:" + last_lines(without_escapes(finished.output.text())));
  }

  Readable readable(const Finished& finished, const std::optional<JsonFile>& file, const std::filesystem::path& out,
                    const std::vector<MetricRead>& metrics) const {
    Readable made{.output = without_escapes(finished.output.text()), .whole = finished.output.whole()};
    std::vector<std::string> names;
    for (const auto& metric : metrics) names.push_back(metric.name);
    if (file) {
      made.json = values_in_file(file->text(), file->name(), names);
      made.json_name = "its JSON";
    } else if (trial_.text("read_json") == "-") {
      made.json = values_in_output(made.output, names);
      made.json_name = "its JSON";
    } else if (auto text = log_text(out)) {
      made.json = values_in_file(*text, "the file TRIAL_LOG", names);
      made.json_name = "the file TRIAL_LOG";
      made.logged = true;
    }
    return made;
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
