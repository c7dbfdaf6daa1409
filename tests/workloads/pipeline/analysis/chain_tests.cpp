// Scalar chains against reference values of two independent programs, in double precision.
#include "workloads/pipeline/analysis/chain.hpp"

#include <cmath>
#include <map>
#include <regex>
#include <sstream>

#include "tests/catch.hpp"
#include "variance/numbers/error.hpp"

namespace retrial::tests::scalar_chain_tests {

using namespace retrial;
using namespace retrial::pipeline;

namespace {

ScalarChain three(const std::string& activation = "lin") {
  return {.w = {1.2, 0.9, 1.1},
          .y = 0.3,
          .lr = 0.05,
          .momentum = 0.5,
          .activation = activation,
          .delay = "pb",
          .semantics = "inconsistent",
          .samples = 12};
}

/// Semantics and corrector by the label of a reference table.
ScalarChain labelled(const std::string& label, ScalarChain chain) {
  static const std::map<std::string, std::pair<std::string, std::string>> labels{
      {"inconsistent", {"inconsistent", "none"}},
      {"stashed", {"stashed", "none"}},
      {"vertical_sync", {"vertical_sync", "none"}},
      {"recomputed", {"recomputed", "none"}},
      {"pb+sc", {"inconsistent", "sc"}},
      {"pb+lwp", {"inconsistent", "lwp_v"}},
      {"pb+lwp+sc", {"inconsistent", "lwp_v+sc"}},
      {"pb+lwpw+sc", {"inconsistent", "lwp_w+sc"}},
      {"stashed+lwp", {"stashed", "lwp_v"}},
      {"pipemare-t2", {"inconsistent", "pipemare"}},
      {"spectrain", {"inconsistent", "spectrain"}},
      {"uniform_delay", {"uniform_delay", "none"}},
      {"forward_delay_only", {"forward_delay_only", "none"}}};
  std::tie(chain.semantics, chain.corrector) = labels.at(label);
  return chain;
}

struct Point {
  std::size_t at;
  std::vector<double> weights;
};
/// "t3 (1.2, 0.841392, 0.98291656064)  t5 (...)".
std::vector<Point> points_in(const std::string& line) {
  static const std::regex point(R"(t([0-9]+) \(([^)]*)\))");
  std::vector<Point> out;
  for (std::sregex_iterator at(line.begin(), line.end(), point), end; at != end; ++at) {
    auto& weights = out.emplace_back(Point{std::stoul((*at)[1]), {}}).weights;
    std::istringstream in((*at)[2]);
    for (std::string number; std::getline(in, number, ',');) weights.push_back(std::stod(number));
  }
  return out;
}

std::vector<double> after_updates(const ChainWeights& found, std::size_t t) {
  std::vector<double> out;
  for (const auto& stage : found.versions) out.push_back(stage.at(t));
  return out;
}

void check_points(const std::string& line, const ScalarChain& chain) {
  CAPTURE(line);
  const auto found = scalar_chain(chain);
  const auto points = points_in(line);
  CHECK_FALSE(points.empty());
  for (const auto& [at, expected] : points) {
    const auto weights = chain.delay == "pb" ? found.ticks.at(at) : after_updates(found, at);
    for (std::size_t s = 0; s < expected.size(); ++s) CHECK_THAT(weights.at(s), WithinAbs(expected[s], 1e-10));
  }
}

/// "LABEL: points" in each line.
void check_table(const std::string& table, const ScalarChain& chain) {
  std::istringstream in(table);
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) check_points(line, labelled(line.substr(0, line.find_first_of(": ")), chain));
}

ScalarChain sequential(ScalarChain chain) {
  chain.delay = "none";
  chain.semantics = "sequential";
  chain.corrector = "none";
  return chain;
}

}  // namespace

TEST_CASE("linear chain of three stages, after each tick", "[pipeline]") {
  check_table(
      R"(inconsistent: t3 (1.2, 0.841392, 0.98291656064)  t5 (1.0970559007, 0.673347450901, 0.838284572056)  t6 (1.0391433842, 0.596838089224, 0.782682678795)  t8 (0.955883557669, 0.490472288814, 0.716824445156)
stashed: t5 (1.09447792528, 0.673347450901, 0.838284572056)  t6 (1.03001058818, 0.596838089224, 0.782682678795)  t7 (0.974266227646, 0.535254856059, 0.742845218237)  t8 (0.931632830072, 0.490472288814, 0.716876115157)
vertical_sync: t3 (1.2, 0.841392, 0.98012)  t4 (1.156044, 0.75348, 0.896204)
pb+sc: t5 (1.04550067815, 0.608880113801, 0.842198802255)  t6 (0.99312139414, 0.544014555634, 0.79272287083)  t7 (0.96101059424, 0.498947772069, 0.759903742105)  t8 (0.941683358971, 0.473357522606, 0.739734378922)
pb+lwp: t5 (1.0970559007, 0.673347450901, 0.84816159742)  t6 (1.0391433842, 0.603784356147, 0.807712370595)  t8 (0.965504933413, 0.5244351753, 0.773516754575)
pb+lwp+sc: t7 (0.9678393837, 0.525886697464, 0.797051746802)  t8 (0.955360545488, 0.517812918494, 0.788186427239)
pb+lwpw+sc: t5 (1.04550067815, 0.608880113801, 0.857127724942)  t6 (0.99312139414, 0.565287498086, 0.825722044382)  t8 (0.961831881333, 0.534575583559, 0.802821422284)
stashed+lwp: t6 (1.03001058818, 0.603784356147, 0.807712370595)  t7 (0.981733482266, 0.553444945612, 0.785103812891)  t8 (0.949879166531, 0.5244351753, 0.773613653048)
pipemare-t2: t5 (1.09379671817, 0.673347450901, 0.838284572056)  t6 (1.02935028688, 0.596838089224, 0.782682678795)  t7 (0.973928471314, 0.535254856059, 0.742845218237)  t8 (0.931612419175, 0.490472288814, 0.716889739122)
spectrain: t3 (1.2, 0.841392, 0.98850968192)  t7 (1.03283115463, 0.616492777594, 0.828746588935)  t8 (1.01248482697, 0.595598345025, 0.818679546344)
)",
      three());
  check_points(
      "t1 (1.156044,.841392,1.052048) t2 (1.102052737611,.7681028659544,.992894194515) "
      "t3 (1.054447586748,.701888330405,.9404419665898)",
      sequential(three()));
}

TEST_CASE("linear chain with one forward and one backward in turn, after each update", "[pipeline]") {
  auto chain = three();
  chain.delay = "one_f_one_b";
  check_table(
      R"(inconsistent: t1 (1.156044, 0.841392, 1.052048)  t3 (1.04172301222, 0.677424281843, 0.913394953345)  t4 (0.998532978596, 0.60999302128, 0.856611844642)
stashed: t2 (1.09447792528, 0.759303900369, 0.98291656064)  t3 (1.03506262056, 0.677424281843, 0.913394953345)  t4 (0.987955057556, 0.60999302128, 0.856611844642)  t5 (0.954678109947, 0.560568195219, 0.81579717154)  t6 (0.932688146388, 0.526775142219, 0.788600001433)  t7 (0.918670784804, 0.504551921414, 0.771214990553)
)",
      chain);
}

TEST_CASE("the whole network at an old version, after each update", "[pipeline]") {
  std::istringstream in(
      R"(uniform_delay D=1: t2 (1.09011, 0.75348, 0.98012)  t6 (0.916197389465, 0.510951907239, 0.788436864164)
uniform_delay D=4: t4 (0.9307695, 0.541026, 0.806294)  t8 (0.678599914421, 0.197455430164, 0.529822449895)
forward_delay_only D=1: t4 (0.992982815199, 0.605113769272, 0.852250751764)  t6 (0.942013015439, 0.523967305441, 0.785862084864)  t8 (0.921002684545, 0.48855910879, 0.758482399307)
forward_delay_only D=4: t4 (0.973145169942, 0.56593610496, 0.806294)  t6 (0.886931665383, 0.400271482285, 0.631755694515)
)");
  for (std::string line; std::getline(in, line);) {
    if (line.empty()) continue;
    auto chain = labelled(line.substr(0, line.find(' ')), three());
    chain.delay = "uniform";
    chain.uniform_delay = std::stoll(line.substr(line.find("D=") + 2));
    check_points(line, chain);
  }
}

TEST_CASE("tanh chain of three stages, after each tick", "[pipeline]") {
  check_table(
      R"(inconsistent: t3 (1.2, 0.894722628657, 1.08469444069)  t5 (1.19568131945, 0.877763000894, 1.06270726797)  t6 (1.19271742713, 0.868131666142, 1.05116450061)  t7 (1.18960218469, 0.858305355021, 1.03964529926)  t8 (1.18645300983, 0.848463771643, 1.02828377646)
stashed: t5 (1.19567122171, 0.877763000894, 1.06270726797)  t7 (1.18951574823, 0.858305355021, 1.03964529926)
vertical_sync: t5 (1.19565547471, 0.877571171793, 1.06244869561)  t7 (1.18935591305, 0.857451193549, 1.03856774615)  t8 (1.18598890595, 0.847095725421, 1.02660831136)
recomputed: t4 (1.19826218989, 0.886825136744, 1.07403122905)  t5 (1.19566674858, 0.877647017332, 1.06270726797)  t6 (1.19265993751, 0.867880514303, 1.05116474505)  t7 (1.18947352783, 0.857886828464, 1.03964666372)  t8 (1.18622886552, 0.847859916465, 1.02828796366)
pb+sc: t3 (1.2, 0.89076460015, 1.08469444069)  t4 (1.1966329929, 0.880953214552, 1.07403122905)  t6 (1.18997526262, 0.860891153498, 1.05126234626)  t7 (1.18673717618, 0.850895322104, 1.03983913606)  t8 (1.18357474352, 0.8410221987, 1.02859617371)
pb+lwp: t6 (1.19271742713, 0.868106428576, 1.05142757512)  t7 (1.18959407943, 0.858235461796, 1.04017434695)
pb+lwp+sc: t5 (1.1932764267, 0.870944457544, 1.06282684329)  t6 (1.18997526262, 0.860848445624, 1.05152800715)  t8 (1.18354122759, 0.840887881404, 1.02947014228)
stashed+lwp: t8 (1.18634485828, 0.848350627051, 1.02914783629)
)",
      three("tanh"));
  check_points(
      "t1 (1.198262189885,.8947226286572,1.093869174793) t2 (1.19567083639,.886840928346,1.084740523491) "
      "t3 (1.192676948515,.8777123097822,1.074217417455)",
      sequential(three("tanh")));
}

TEST_CASE("delay compensation, decay, schedules, lowered rates and measured delays on a chain", "[pipeline]") {
  const auto with = [](auto change) {
    auto chain = three();
    change(chain);
    return chain;
  };
  const std::vector<std::pair<std::string, ScalarChain>> table{
      {"t4 (1.156044, 0.76093681371, 0.907227147143)  t6 (1.04081548077, 0.605733611776, 0.782562240999)  t7 "
       "(0.994004671166, 0.546738940192, 0.742387854913)  t8 (0.959069498602, 0.503307897786, 0.715864375676)",
       with([](ScalarChain& c) { c.corrector = "dc_asgd"; })},
      {"t4 (1.11367275, 0.696310881372, 0.905110243709)  t6 (0.990242470763, 0.541969335338, 0.78934842232)  t7 "
       "(0.957464817022, 0.49684166267, 0.756033801994)  t8 (0.937481643676, 0.471237380608, 0.73539274803)",
       with([](ScalarChain& c) { c.corrector = "sc", c.weight_decay = 0.01; })},
      {"t6 (1.0391433842, 0.603784356147, 0.843175314441)  t7 (0.995269747224, 0.597985096239, 0.839450134648)",
       with([](ScalarChain& c) {
         c.corrector = "lwp_v", c.lr_schedule = {{4, 0.1}};
       })},
      {"t6 (1.0391433842, 0.603784356147, 0.844116674738)", with([](ScalarChain& c) {
         c.corrector = "lwp_w", c.lr_schedule = {{4, 0.1}};
       })},
      {"t4 (1.1912088, 0.849073437083, 0.907227147143)  t5 (1.17636181649, 0.811365087287, 0.83459335252)  t7 "
       "(1.13755492779, 0.733028882341, 0.716583898619)  t8 (1.11726286223, 0.697345467948, 0.67384693008)",
       with([](ScalarChain& c) { c.pipemare_samples = 8; })},
      {"t4 (1.156044, 0.747563850554, 0.907227147143)  t6 (1.03320296261, 0.589282092873, 0.783539106591)  t7 "
       "(0.995099696033, 0.539932953552, 0.744871153036)  t8 (0.971995813339, 0.508796640477, 0.719815202106)",
       with([](ScalarChain& c) { c.corrector = "sc", c.corrector_delay = "measured"; })},
  };
  for (const auto& [line, chain] : table) check_points(line, chain);
}

TEST_CASE("two linear stages: the delay breaks the balance of the weights", "[pipeline]") {
  ScalarChain chain{.w = {1, 1}, .y = 0.5, .lr = 0.1, .momentum = 0, .delay = "pb", .samples = 70};
  for (const char* semantics : {"inconsistent", "stashed"}) {
    chain.semantics = semantics;
    check_points(
        "t0 (1,1) t1 (1,.95) t2 (.95,.905) t3 (.90725,.8645) t4 (.8705975,.833978875) "
        "t5 (.84282327625,.8106963600917)",
        chain);
    const auto last = after_updates(scalar_chain(chain), 60);
    CHECK_THAT(last[0], WithinAbs(.715121197418, 1e-10));
    CHECK_THAT(last[1], WithinAbs(.6993879068303, 1e-10));
  }
  check_points(
      "t1 (.95,.95) t2 (.9117625,.9117625) t3 (.8815548185286,.8815548185286) t4 (.857123505429,.857123505429)",
      sequential(chain));
}

TEST_CASE("the distance to sequential training is of first order in the rate", "[pipeline]") {
  struct Row {
    std::string activation;
    double m;
    std::vector<std::pair<int, double>> distances;  ///< by k: rate .04 (1 - m) / 2^k over 50 * 2^k samples
  };
  const std::vector<Row> table{
      {"lin", 0.0, {{2, 0.005926056207}, {4, 0.001499080111}}},
      {"lin", 0.5, {{2, 0.005891217367}, {3, 0.002976747465}, {5, 0.0007502522046}}},
      {"lin",
       0.9,
       {{0, 0.04949334739}, {1, 0.01374055852}, {2, 0.005852060011}, {3, 0.002923949407}, {4, 0.001478595073}}},
      {"tanh",
       0.0,
       {{0, 0.001391123132}, {2, 0.0003511616585}, {3, 0.0001758586781}, {4, 8.799865477e-05}, {5, 4.401663974e-05}}},
      {"tanh",
       0.5,
       {{0, 0.001390680063}, {1, 0.0007003030682}, {2, 0.0003512484585}, {3, 0.0001758841516}, {5, 4.401839852e-05}}},
      {"tanh", 0.9, {{0, 0.001211969301}, {1, 0.0006879741868}, {2, 0.0003507586097}, {4, 8.804616933e-05}}}};
  for (const auto& row : table) {
    const auto distance = [&](int k) {
      const ScalarChain chain{.w = {1.2, 0.9, 1.1, 0.8},
                              .y = 0.3,
                              .lr = 0.04 * (1 - row.m) / std::pow(2.0, k),
                              .momentum = row.m,
                              .activation = row.activation,
                              .delay = "pb",
                              .semantics = "inconsistent",
                              .samples = std::int64_t{50} << k};
      const auto left = scalar_chain(chain), right = scalar_chain(sequential(chain));
      double sum = 0;
      for (std::size_t s = 0; s < chain.w.size(); ++s)
        sum += std::pow(left.versions[s].back() - right.versions[s].back(), 2);
      return std::sqrt(sum);
    };
    for (const auto& [k, expected] : row.distances) {
      CAPTURE(row.activation, row.m, k);
      CHECK_THAT(distance(k), WithinRel(expected, 1e-6));
    }
    if (row.activation == "tanh" && row.m < 0.9)
      for (int k = 2; k < 5; ++k) CHECK_THAT(std::log2(distance(k) / distance(k + 1)), WithinAbs(1, 0.05));
  }
}

TEST_CASE("a chain without delay is sequential under every semantics and corrector, bit for bit", "[pipeline]") {
  auto chain = three("tanh");
  chain.delay = "custom";
  chain.delay_list = {0, 0, 0};
  const auto expected = scalar_chain(sequential(chain)).versions;
  for (const char* semantics : {"inconsistent", "stashed", "recomputed", "vertical_sync"})
    for (const char* corrector :
         {"none", "sc", "lwp_v", "lwp_w", "lwp_v+sc", "lwp_w+sc", "gsc", "dc_asgd", "pipemare"}) {
      const std::string word(corrector);
      if (semantics == std::string("vertical_sync") && word != "none" && word != "sc") continue;
      if (word == "pipemare" && semantics != std::string("inconsistent")) continue;
      CAPTURE(semantics, corrector);
      chain.semantics = semantics;
      chain.corrector = corrector;
      CHECK(scalar_chain(chain).versions == expected);
    }
}

TEST_CASE("vertical sync is a uniform delay of stage 0; drained is the mean over its micro-batches", "[pipeline]") {
  auto chain = three("tanh");
  chain.semantics = "vertical_sync";
  auto uniform = chain;
  uniform.semantics = "uniform_delay";
  uniform.delay = "uniform";
  uniform.uniform_delay = 4;
  CHECK(scalar_chain(chain).versions == scalar_chain(uniform).versions);
  auto drained = sequential(chain);
  drained.semantics = "drained";
  drained.microbatches = 4;
  drained.samples = 16;
  auto few = sequential(chain);
  few.samples = 4;  // the samples are equal, so their mean is one of them
  const auto left = scalar_chain(drained).versions, right = scalar_chain(few).versions;
  for (std::size_t s = 0; s < left.size(); ++s) {
    REQUIRE(left[s].size() == 5);
    for (std::size_t t = 0; t < 5; ++t) CHECK_THAT(left[s][t], WithinAbs(right[s][t], 1e-14));
  }
}

TEST_CASE("a combination that the workload refuses is refused, with both keys", "[pipeline]") {
  const auto refused = [](auto change) {
    auto chain = three();
    change(chain);
    try {
      static_cast<void>(scalar_chain(chain));
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK_THAT(refused([](auto& c) { c.semantics = "stale"; }), has_text("semantics = stale") && has_text("stashed"));
  CHECK_THAT(refused([](auto& c) { c.delay = "none"; }),
             has_text("delay = none") && has_text("semantics = inconsistent"));
  CHECK_THAT(refused([](auto& c) { c.semantics = "vertical_sync", c.corrector = "lwp_v"; }),
             has_text("corrector = lwp_v"));
  CHECK_THAT(refused([](auto& c) { c.delay = "custom", c.delay_list = {2, 4, 0}; }), has_text("delay_list"));
  CHECK_THAT(refused([](auto& c) { c.momentum = 1; }), has_text("momentum = 1.0"));
  CHECK_THAT(refused([](auto& c) { c.microbatches = 2; }), has_text("microbatches = 2"));
  CHECK_THAT(refused([](auto& c) { c.activation = "relu"; }), has_text("lin, tanh"));
  CHECK_THAT(refused([](auto& c) { c.samples = 0; }), has_text("samples = 0"));
  CHECK_THAT(refused([](auto& c) { c.lr_schedule = {{4}}; }), has_text("sample,factor"));
}

}  // namespace retrial::tests::scalar_chain_tests
