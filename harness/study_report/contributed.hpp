#pragma once

#include "harness/study/key_options.hpp"
#include "harness/study_report/material.hpp"
#include "results/report/report.hpp"
#include "workloads/interface/contributions.hpp"
#include "workloads/interface/evidence.hpp"

/// What a workload, and the shared folders that it uses, show of their own results.
namespace retrial::harness::inline study_report {

/// The study as its workload sees it. It reads from the material, which must outlive it. Of a study whose workload this
/// program knows.
[[nodiscard]] workloads::StudyEvidence evidence_of(const Material& material);

/// The section of each contributor that has one, of a finished study; the numbers under the contributor's name.
[[nodiscard]] std::vector<report::Part> contributed_parts(const Material& material);

/// A view that was asked for, with what was set of its options.
struct ChosenView {
  workloads::Contributor by;
  const workloads::View* view = nullptr;
  Values set;
};
/// `names` are those of --view, `settings` those of --set. Error{usage} naming the nearest view or key
/// for one that does not exist, and what is allowed for a value out of range.
[[nodiscard]] std::vector<ChosenView> chosen_views(const StudyView& study, const std::vector<std::string>& names,
                                                   const std::vector<KeyText>& settings);

/// The sections of these views, then what must be known beside them. Before a declared verdict no view is made: with a
/// look on the way, and a stop at a good moment, the error rate would be another one.
[[nodiscard]] std::vector<report::Section> view_sections(const Material& material,
                                                         const std::vector<ChosenView>& views);
/// The numbers of the same: retrial.WORKLOAD/1.
[[nodiscard]] Json view_document(const Material& material, const std::vector<ChosenView>& views);

}  // namespace retrial::harness::inline study_report
