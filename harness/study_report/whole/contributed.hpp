#pragma once

#include "harness/study/options/key_options.hpp"
#include "harness/study_report/material/material.hpp"
#include "results/report/report.hpp"
#include "workloads/interface/contributions.hpp"
#include "workloads/interface/evidence.hpp"

/// Sections and views that a workload, and the shared folders it uses, contribute about their own results.
namespace retrial::harness::inline study_report::inline whole {

/// The study as its workload sees it. It reads from the material, which must outlive it. For a study whose workload
/// this program knows.
[[nodiscard]] workloads::StudyEvidence evidence_of(const Material& material);

/// The section of each contributor that has one, for a finished study; the numbers under the contributor's name.
[[nodiscard]] std::vector<report::Part> contributed_parts(const Material& material);

/// A requested view with its options.
struct ChosenView {
  workloads::Contributor by;
  const workloads::View* view = nullptr;
  Values set;
};
/// `names` are those of --view, `settings` those of --set. Error{usage} naming the nearest view or key
/// for one that does not exist, and what is allowed for a value out of range.
[[nodiscard]] std::vector<ChosenView> chosen_views(const StudyView& study, const std::vector<std::string>& names,
                                                   const std::vector<KeyText>& settings);

/// The sections of these views, then their notes. Before a declared verdict no view is made: an interim look, and a
/// stop at a good moment, would change the error rate.
[[nodiscard]] std::vector<report::Section> view_sections(const Material& material,
                                                         const std::vector<ChosenView>& views);
/// The same numbers, schema retrial.WORKLOAD/1.
[[nodiscard]] Json view_document(const Material& material, const std::vector<ChosenView>& views);

}  // namespace retrial::harness::inline study_report::inline whole
