#include "harness/profile/profile_run.hpp"

#include "harness/profile/configurations.hpp"
#include "harness/system/host.hpp"
#include "harness/system/signals.hpp"
#include "harness/text/failure_text.hpp"
#include "results/text/error.hpp"
#include "workloads/profiler/overhead/kinds.hpp"

namespace retrial::harness::inline profile {
namespace {

using profiler::OnOff;
using profiler::ProfileOrder;
using profiler::RunProfile;
using results::PlanEntry;

/// One run and what it left.
struct Ran {
  RunProfile profile;
  results::TrialRecord record;
};

/// Runs trials in one worker, one after the other.
class Runner {
 public:
  Runner(const Study& study, const ProfileSettings& settings)
      : study_(study), document_(study_document(study)), settings_(settings), pool_(settings.pool) {}

  Ran run(const PlanEntry& entry, ProfileOrder order, const std::string& name) {
    const ScratchFolder scratch;  // a network that another run has trained would save this one its training
    std::filesystem::create_directories(scratch.path() / "out");
    const TrialBody body(entry);
    pool_.start(0, {.trial = body,
                    .profile = std::move(order),
                    .place = {.data = settings_.data,
                              .cache = scratch.path() / "cache",
                              .out = scratch.path() / "out",
                              .folders = study_.folders,
                              .scripts = settings_.scripts}});
    JobResult result = ended();
    if (result.event.kind != WorkerEvent::Kind::profiled)
      throw Error({.exit = Exit::measurement,
                   .code = "profile.failed",
                   .where = entry.variant + ", " + name,
                   .problem = "a run failed: " + failure_line(result.message, 800)});
    manifest_ = result.manifest;
    auto record = record_of(entry, body, result, {}, {.host = "profile"}, document_);
    return {.profile = std::move(result.event.profile), .record = std::move(record)};
  }
  [[nodiscard]] const Json& manifest() const { return manifest_; }

 private:
  JobResult ended() {
    for (;;) {
      if (SignalWatch::count() > 0)
        throw Error({.exit = SignalWatch::first() == 2 ? Exit::interrupted : Exit::terminated,
                     .code = "interrupted",
                     .problem = "interrupted; a profile stores nothing"});
      if (auto all = pool_.wait(std::chrono::milliseconds(250)); !all.empty()) return std::move(all.front());
    }
  }

  const Study& study_;
  Json document_;
  const ProfileSettings& settings_;
  WorkerPool pool_;
  Json manifest_;
};

/// The profile of one variant, run by run.
class VariantProfile {
 public:
  VariantProfile(const Study& study, const StudyVariant& variant, const PlanInputs& inputs,
                 const ProfileSettings& settings, Runner& runner)
      : study_(study), variant_(variant), inputs_(inputs), settings_(settings), runner_(runner) {
    out_.name = variant.name;
  }

  ProfiledVariant made() {
    warm_up();
    if (settings_.calibrate) calibrate();
    measure();
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::size_t size() const {
    const auto blocks = settings_.calibrate ? static_cast<std::size_t>(settings_.blocks) : 0;
    return 1 + blocks * used_.size() + 2 * static_cast<std::size_t>(settings_.pairs);
  }

  /// Every varied source at this pair index.
  [[nodiscard]] PlanEntry trial_of(std::uint64_t pair) const {
    std::map<std::string, std::uint64_t> pairs;
    for (const std::string& source : study_.varied) pairs[source] = pair;
    return make_trial(study_, variant_, inputs_, pairs, pair);
  }

  /// The first run of a trial is what all later ones must repeat.
  const RunProfile& run(const PlanEntry& entry, const Configuration& how, const std::string& where,
                        const std::filesystem::path& trace = {}) {
    auto order = how.order(settings_.cap_bytes);
    order.trace = trace;
    const std::string name = where + ", " + how.meaning;
    last_ = runner_.run(entry, std::move(order), name);
    if (first_.empty() || first_.back().identity != last_.record.identity)
      first_.push_back(last_.record);
    else if (const auto difference = first_difference(first_.back(), last_.record))
      out_.changed.push_back({.run = name, .difference = *difference});
    ++done_;
    if (settings_.progress && !used_.empty()) settings_.progress(variant_.name, done_, size());
    return last_.profile;
  }

  void warm_up() {
    const RunProfile& seen = run(trial_of(0), everything_recorded(), "warm-up");
    const auto happens = [&](const std::string& kind) { return seen.dropped > 0 || seen.events_of(kind) > 0; };
    if (happens(profiler::annotation_kind)) {
      for (const Configuration& each : configurations())
        if (each.kind.empty() || happens(each.kind)) used_.push_back(each);
      return;
    }
    throw Error({.code = "profile.no_operations",
                 .where = study_.workload,
                 .problem = "opens no operation, so a profile could not say where its time goes",
                 .help = "docs/method/profiling.md says how a workload opens operations"});
  }

  void calibrate() {
    const auto entry = trial_of(0);
    std::vector<std::vector<RunProfile>> runs(used_.size());  // [configuration][block]
    for (std::size_t block = 0; block < static_cast<std::size_t>(settings_.blocks); ++block)
      for (std::size_t i = 0; i < used_.size(); ++i) {
        const std::size_t c = (block + i) % used_.size();
        runs[c].push_back(run(entry, used_[c], "calibration block " + std::to_string(block + 1)));
      }
    for (std::size_t c = 0; c < used_.size(); ++c)
      if (!used_[c].kind.empty()) out_.costs.push_back(cost_of(used_[c].kind, runs[c], runs.front()));
  }

  [[nodiscard]] profiler::CostEstimate cost_of(const std::string& kind, const std::vector<RunProfile>& with,
                                               const std::vector<RunProfile>& without) const {
    std::vector<OnOff> blocks;
    for (std::size_t block = 0; block < with.size(); ++block)
      blocks.push_back({.on_ns = static_cast<double>(with[block].region_ns),
                        .off_ns = static_cast<double>(without[block].region_ns),
                        .events = with[block].events_of(kind)});
    return profiler::calibrate_difference(kind, blocks, study_.seed.value());
  }

  void measure() {
    std::vector<profiler::ProfiledPair> pairs;
    for (std::int64_t pair = 1; pair <= settings_.pairs; ++pair) {
      const auto entry = trial_of(static_cast<std::uint64_t>(pair));
      const std::string where = "pair " + std::to_string(pair);
      const bool off_first = pair % 2 == 1;
      if (off_first) out_.off.push_back(run(entry, nothing_recorded(), where));
      out_.full.push_back(run(entry, everything_recorded(), where, trace_of(pair)));
      if (!off_first) out_.off.push_back(run(entry, nothing_recorded(), where));
      pairs.push_back({.off_ns = static_cast<double>(out_.off.back().region_ns),
                       .full_ns = static_cast<double>(out_.full.back().region_ns),
                       .events = out_.full.back().charged_events(),
                       .dropped = out_.full.back().dropped,
                       .same_digests = out_.changed.empty()});  // those of the calibration too
    }
    out_.validation = profiler::validate(pairs, out_.costs, settings_.tolerance, study_.seed.value());
  }

  [[nodiscard]] std::filesystem::path trace_of(std::int64_t pair) const {
    if (settings_.traces.empty()) return {};
    return settings_.traces / (variant_.name + "-" + std::to_string(pair) + ".rtrace");
  }

  const Study& study_;
  const StudyVariant& variant_;
  const PlanInputs& inputs_;
  const ProfileSettings& settings_;
  Runner& runner_;
  ProfiledVariant out_;
  Ran last_;
  std::vector<Configuration> used_ = {};  ///< without those of bookkeeping that this workload does not have
  std::vector<results::TrialRecord> first_;
  std::size_t done_ = 0;
};

}  // namespace

ProfiledStudy run_profiles(const Study& study, const PlanInputs& inputs, const ProfileSettings& settings) {
  Runner runner(study, settings);
  ProfiledStudy out;
  for (const StudyVariant& variant : study.variants)
    out.variants.push_back(VariantProfile(study, variant, inputs, settings, runner).made());
  out.manifest = runner.manifest();
  return out;
}

}  // namespace retrial::harness::inline profile
