// Reference values of the specification of this workload (pipelined backpropagation, section 18: CHAIN and ORDER),
// which two independent programs in double computed.
#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"
#include "tests/workloads/pipeline/engine/chain.hpp"

namespace retrial::tests::pipeline_chain_tests {

using namespace retrial;
using namespace retrial::test;
using pipeline::Method;

namespace {

struct Row {
  const char *delay, *semantics, *corrector;
  std::int64_t at;
  Weights weights;
};

struct Uniform {
  const char* semantics;
  std::int64_t delay, at;
  Weights weights;
};

const Row linear_by_tick[] = {
    {"pb", "inconsistent", "none", 3, {1.2, 0.841392, 0.98291656064}},
    {"pb", "inconsistent", "none", 5, {1.0970559007, 0.673347450901, 0.838284572056}},
    {"pb", "inconsistent", "none", 6, {1.0391433842, 0.596838089224, 0.782682678795}},
    {"pb", "inconsistent", "none", 8, {0.955883557669, 0.490472288814, 0.716824445156}},
    {"pb", "stashed", "none", 5, {1.09447792528, 0.673347450901, 0.838284572056}},
    {"pb", "stashed", "none", 6, {1.03001058818, 0.596838089224, 0.782682678795}},
    {"pb", "stashed", "none", 7, {0.974266227646, 0.535254856059, 0.742845218237}},
    {"pb", "stashed", "none", 8, {0.931632830072, 0.490472288814, 0.716876115157}},
    {"pb", "vertical_sync", "none", 3, {1.2, 0.841392, 0.98012}},
    {"pb", "vertical_sync", "none", 4, {1.156044, 0.75348, 0.896204}},
    {"pb", "inconsistent", "sc", 5, {1.04550067815, 0.608880113801, 0.842198802255}},
    {"pb", "inconsistent", "sc", 6, {0.99312139414, 0.544014555634, 0.79272287083}},
    {"pb", "inconsistent", "sc", 7, {0.96101059424, 0.498947772069, 0.759903742105}},
    {"pb", "inconsistent", "sc", 8, {0.941683358971, 0.473357522606, 0.739734378922}},
    {"pb", "inconsistent", "lwp_v", 5, {1.0970559007, 0.673347450901, 0.84816159742}},
    {"pb", "inconsistent", "lwp_v", 6, {1.0391433842, 0.603784356147, 0.807712370595}},
    {"pb", "inconsistent", "lwp_v", 8, {0.965504933413, 0.5244351753, 0.773516754575}},
    {"pb", "inconsistent", "lwp_v+sc", 7, {0.9678393837, 0.525886697464, 0.797051746802}},
    {"pb", "inconsistent", "lwp_v+sc", 8, {0.955360545488, 0.517812918494, 0.788186427239}},
    {"pb", "inconsistent", "lwp_w+sc", 5, {1.04550067815, 0.608880113801, 0.857127724942}},
    {"pb", "inconsistent", "lwp_w+sc", 6, {0.99312139414, 0.565287498086, 0.825722044382}},
    {"pb", "inconsistent", "lwp_w+sc", 8, {0.961831881333, 0.534575583559, 0.802821422284}},
    {"pb", "stashed", "lwp_v", 6, {1.03001058818, 0.603784356147, 0.807712370595}},
    {"pb", "stashed", "lwp_v", 7, {0.981733482266, 0.553444945612, 0.785103812891}},
    {"pb", "stashed", "lwp_v", 8, {0.949879166531, 0.5244351753, 0.773613653048}},
    {"pb", "inconsistent", "pipemare", 5, {1.09379671817, 0.673347450901, 0.838284572056}},
    {"pb", "inconsistent", "pipemare", 6, {1.02935028688, 0.596838089224, 0.782682678795}},
    {"pb", "inconsistent", "pipemare", 7, {0.973928471314, 0.535254856059, 0.742845218237}},
    {"pb", "inconsistent", "pipemare", 8, {0.931612419175, 0.490472288814, 0.716889739122}},
    {"pb", "inconsistent", "spectrain", 3, {1.2, 0.841392, 0.98850968192}},
    {"pb", "inconsistent", "spectrain", 7, {1.03283115463, 0.616492777594, 0.828746588935}},
    {"pb", "inconsistent", "spectrain", 8, {1.01248482697, 0.595598345025, 0.818679546344}},
};
const Row linear_by_update[] = {
    {"one_f_one_b", "inconsistent", "none", 1, {1.156044, 0.841392, 1.052048}},
    {"one_f_one_b", "inconsistent", "none", 3, {1.04172301222, 0.677424281843, 0.913394953345}},
    {"one_f_one_b", "inconsistent", "none", 4, {0.998532978596, 0.60999302128, 0.856611844642}},
    {"one_f_one_b", "stashed", "none", 2, {1.09447792528, 0.759303900369, 0.98291656064}},
    {"one_f_one_b", "stashed", "none", 3, {1.03506262056, 0.677424281843, 0.913394953345}},
    {"one_f_one_b", "stashed", "none", 4, {0.987955057556, 0.60999302128, 0.856611844642}},
    {"one_f_one_b", "stashed", "none", 5, {0.954678109947, 0.560568195219, 0.81579717154}},
    {"one_f_one_b", "stashed", "none", 6, {0.932688146388, 0.526775142219, 0.788600001433}},
    {"one_f_one_b", "stashed", "none", 7, {0.918670784804, 0.504551921414, 0.771214990553}},
};
const Row tanh_by_tick[] = {
    {"pb", "inconsistent", "none", 3, {1.2, 0.894722628657, 1.08469444069}},
    {"pb", "inconsistent", "none", 5, {1.19568131945, 0.877763000894, 1.06270726797}},
    {"pb", "inconsistent", "none", 6, {1.19271742713, 0.868131666142, 1.05116450061}},
    {"pb", "inconsistent", "none", 7, {1.18960218469, 0.858305355021, 1.03964529926}},
    {"pb", "inconsistent", "none", 8, {1.18645300983, 0.848463771643, 1.02828377646}},
    {"pb", "stashed", "none", 5, {1.19567122171, 0.877763000894, 1.06270726797}},
    {"pb", "stashed", "none", 7, {1.18951574823, 0.858305355021, 1.03964529926}},
    {"pb", "vertical_sync", "none", 5, {1.19565547471, 0.877571171793, 1.06244869561}},
    {"pb", "vertical_sync", "none", 7, {1.18935591305, 0.857451193549, 1.03856774615}},
    {"pb", "vertical_sync", "none", 8, {1.18598890595, 0.847095725421, 1.02660831136}},
    {"pb", "recomputed", "none", 4, {1.19826218989, 0.886825136744, 1.07403122905}},
    {"pb", "recomputed", "none", 5, {1.19566674858, 0.877647017332, 1.06270726797}},
    {"pb", "recomputed", "none", 6, {1.19265993751, 0.867880514303, 1.05116474505}},
    {"pb", "recomputed", "none", 7, {1.18947352783, 0.857886828464, 1.03964666372}},
    {"pb", "recomputed", "none", 8, {1.18622886552, 0.847859916465, 1.02828796366}},
    {"pb", "inconsistent", "sc", 3, {1.2, 0.89076460015, 1.08469444069}},
    {"pb", "inconsistent", "sc", 4, {1.1966329929, 0.880953214552, 1.07403122905}},
    {"pb", "inconsistent", "sc", 6, {1.18997526262, 0.860891153498, 1.05126234626}},
    {"pb", "inconsistent", "sc", 7, {1.18673717618, 0.850895322104, 1.03983913606}},
    {"pb", "inconsistent", "sc", 8, {1.18357474352, 0.8410221987, 1.02859617371}},
    {"pb", "inconsistent", "lwp_v", 6, {1.19271742713, 0.868106428576, 1.05142757512}},
    {"pb", "inconsistent", "lwp_v", 7, {1.18959407943, 0.858235461796, 1.04017434695}},
    {"pb", "inconsistent", "lwp_v+sc", 5, {1.1932764267, 0.870944457544, 1.06282684329}},
    {"pb", "inconsistent", "lwp_v+sc", 6, {1.18997526262, 0.860848445624, 1.05152800715}},
    {"pb", "inconsistent", "lwp_v+sc", 8, {1.18354122759, 0.840887881404, 1.02947014228}},
    {"pb", "stashed", "lwp_v", 8, {1.18634485828, 0.848350627051, 1.02914783629}},
};
const Uniform uniform_rows[] = {
    {"uniform_delay", 1, 2, {1.09011, 0.75348, 0.98012}},
    {"uniform_delay", 1, 6, {0.916197389465, 0.510951907239, 0.788436864164}},
    {"uniform_delay", 4, 4, {0.9307695, 0.541026, 0.806294}},
    {"uniform_delay", 4, 8, {0.678599914421, 0.197455430164, 0.529822449895}},
    {"forward_delay_only", 1, 4, {0.992982815199, 0.605113769272, 0.852250751764}},
    {"forward_delay_only", 1, 6, {0.942013015439, 0.523967305441, 0.785862084864}},
    {"forward_delay_only", 1, 8, {0.921002684545, 0.48855910879, 0.758482399307}},
    {"forward_delay_only", 4, 4, {0.973145169942, 0.56593610496, 0.806294}},
    {"forward_delay_only", 4, 6, {0.886931665383, 0.400271482285, 0.631755694515}},
};

constexpr double tolerance = 1e-10;
const Chain linear{{1.2, .9, 1.1}, .3, false}, curved{{1.2, .9, 1.1}, .3, true};

Method of_row(const Chain& chain, const Row& row) {
  Method made = method_of(chain, row.delay, row.semantics, row.corrector, .05, .5);
  made.pipemare_decay = std::exp(-2.0);
  return made;
}

void check_near(const Weights& found, const Weights& wanted) {
  REQUIRE(found.size() == wanted.size());
  for (std::size_t s = 0; s < found.size(); ++s) CHECK_THAT(found[s], WithinAbs(wanted[s], tolerance));
}

Weights after_updates(const std::vector<Weights>& versions, std::int64_t updates) {
  Weights made;
  for (const Weights& stage : versions) made.push_back(stage[static_cast<std::size_t>(updates)]);
  return made;
}

template <std::size_t n>
void check_ticks(const Chain& chain, const Row (&rows)[n]) {
  for (const Row& row : rows) {
    INFO(row.semantics << ", " << row.corrector << ", tick " << row.at);
    check_near(behind_tick(versions_of(chain, of_row(chain, row), 10), row.at), row.weights);
  }
}

/// Trains `samples` samples to the end and gives the distance to the weights of sequential training.
double distance_to_sequential(bool tanh, double momentum, int k) {
  const Chain chain{{1.2, .9, 1.1, .8}, .3, tanh};
  const auto trained = [&](const char* delay, const char* semantics) {
    Method method = method_of(chain, delay, semantics, "none", .04 * (1 - momentum) / std::pow(2, k), momentum);
    method.updates = std::int64_t{50} << k;
    ChainPipeline made(chain, method);
    pipeline::TickEngine<double>(made.pipeline).run(method.updates);
    return made.weights();
  };
  const Weights a = trained("pb", "inconsistent"), b = trained("none", "sequential");
  double square = 0;
  for (std::size_t s = 0; s < a.size(); ++s) square += (a[s] - b[s]) * (a[s] - b[s]);
  return std::sqrt(square);
}

}  // namespace

TEST_CASE("the smallest pipelines have their reference weights behind every tick") {
  check_ticks(linear, linear_by_tick);
  check_ticks(curved, tanh_by_tick);
  for (const char* semantics : {"inconsistent", "stashed", "recomputed"})
    check_near(behind_tick(versions_of(linear, method_of(linear, "pb", semantics, "none", .05, .5), 4), 2),
               {1.2, .9, 1.052048});
}

TEST_CASE("one forward, one backward: reference weights after every update") {
  for (const Row& row : linear_by_update) {
    INFO(row.semantics << ", update " << row.at);
    check_near(after_updates(versions_of(linear, of_row(linear, row), 8), row.at), row.weights);
  }
}

TEST_CASE("a network that lags as a whole has its reference weights after every update") {
  for (const Uniform& row : uniform_rows) {
    INFO(row.semantics << ", delay " << row.delay << ", update " << row.at);
    const Method method = method_of(linear, "uniform", row.semantics, "none", .05, .5, row.delay);
    check_near(after_updates(versions_of(linear, method, 8), row.at), row.weights);
  }
}

TEST_CASE("sequential training of the smallest pipelines has its reference weights") {
  const auto check = [](const Chain& chain, const std::vector<Weights>& wanted) {
    const auto versions = versions_of(chain, method_of(chain, "none", "sequential", "none", .05, .5), 3);
    for (std::size_t t = 0; t < wanted.size(); ++t)
      check_near(after_updates(versions, static_cast<std::int64_t>(t) + 1), wanted[t]);
  };
  check(linear, {{1.156044, .841392, 1.052048},
                 {1.102052737611, .7681028659544, .992894194515},
                 {1.054447586748, .701888330405, .9404419665898}});
  check(curved, {{1.198262189885, .8947226286572, 1.093869174793},
                 {1.19567083639, .886840928346, 1.084740523491},
                 {1.192676948515, .8777123097822, 1.074217417455}});
}

TEST_CASE("two stages keep their balance in sequential training alone") {
  const Chain two{{1, 1}, .5, false};
  const auto versions_under = [&](const char* delay, const char* semantics, std::int64_t updates) {
    return versions_of(two, method_of(two, delay, semantics, "none", .1, 0), updates);
  };
  const auto sequential = versions_under("none", "sequential", 4);
  const double balanced[] = {1, .95, .9117625, .8815548185286, .857123505429};
  for (std::size_t t = 0; t < 5; ++t)
    check_near(after_updates(sequential, static_cast<std::int64_t>(t)), {balanced[t], balanced[t]});
  for (const char* semantics : {"inconsistent", "stashed"}) {
    const auto versions = versions_under("pb", semantics, 60);
    const std::vector<Weights> wanted{
        {1, 1}, {1, .95}, {.95, .905}, {.90725, .8645}, {.8705975, .833978875}, {.84282327625, .8106963600917}};
    for (std::size_t t = 0; t < wanted.size(); ++t)
      check_near(behind_tick(versions, static_cast<std::int64_t>(t)), wanted[t]);
    check_near(after_updates(versions, 60), {.715121197418, .6993879068303});
  }
}

TEST_CASE("decay, schedules, compensation and lowered rates have their reference weights") {
  const auto check = [](const char* corrector, const auto& change, std::vector<std::pair<std::int64_t, Weights>> rows) {
    Method method = method_of(linear, "pb", "inconsistent", corrector, .05, .5);
    change(method);
    const auto versions = versions_of(linear, method, 10);
    for (const auto& [tick, weights] : rows) {
      INFO(corrector << ", tick " << tick);
      check_near(behind_tick(versions, tick), weights);
    }
  };
  const auto step = [](Method& method) { method.schedule = {{4, .1}}; };
  check("dc_asgd", [](Method& method) { method.dc_lambda = .5; },
        {{4, {1.156044, 0.76093681371, 0.907227147143}},
         {6, {1.04081548077, 0.605733611776, 0.782562240999}},
         {7, {0.994004671166, 0.546738940192, 0.742387854913}},
         {8, {0.959069498602, 0.503307897786, 0.715864375676}}});
  check("sc", [](Method& method) { method.weight_decay = .01; },
        {{4, {1.11367275, 0.696310881372, 0.905110243709}},
         {6, {0.990242470763, 0.541969335338, 0.78934842232}},
         {7, {0.957464817022, 0.49684166267, 0.756033801994}},
         {8, {0.937481643676, 0.471237380608, 0.73539274803}}});
  check("lwp_v", step,
        {{6, {1.0391433842, 0.603784356147, 0.843175314441}}, {7, {0.995269747224, 0.597985096239, 0.839450134648}}});
  check("lwp_w", step, {{6, {1.0391433842, 0.603784356147, 0.844116674738}}});
  check("none", [](Method& method) { method.pipemare_samples = 8; },
        {{4, {1.1912088, 0.849073437083, 0.907227147143}},
         {5, {1.17636181649, 0.811365087287, 0.83459335252}},
         {7, {1.13755492779, 0.733028882341, 0.716583898619}},
         {8, {1.11726286223, 0.697345467948, 0.67384693008}}});
  check("sc", [](Method& method) { method.measured_delay = true; },
        {{4, {1.156044, 0.747563850554, 0.907227147143}},
         {6, {1.03320296261, 0.589282092873, 0.783539106591}},
         {7, {0.995099696033, 0.539932953552, 0.744871153036}},
         {8, {0.971995813339, 0.508796640477, 0.719815202106}}});
}

TEST_CASE("the distance to sequential training falls with the rate, in its first power") {
  struct Distance {
    bool tanh;
    double momentum;
    int k;
    double distance;
  };
  for (const Distance& row : std::initializer_list<Distance>{
           {false, 0, 2, 0.005926056207},  {false, 0, 4, 0.001499080111},   {false, .5, 2, 0.005891217367},
           {false, .5, 3, 0.002976747465}, {false, .5, 5, 0.0007502522046}, {false, .9, 0, 0.04949334739},
           {false, .9, 1, 0.01374055852},  {false, .9, 2, 0.005852060011},  {false, .9, 3, 0.002923949407},
           {false, .9, 4, 0.001478595073}, {true, 0, 0, 0.001391123132},    {true, 0, 2, 0.0003511616585},
           {true, 0, 3, 0.0001758586781},  {true, 0, 4, 8.799865477e-05},   {true, 0, 5, 4.401663974e-05},
           {true, .5, 0, 0.001390680063},  {true, .5, 1, 0.0007003030682},  {true, .5, 2, 0.0003512484585},
           {true, .5, 3, 0.0001758841516}, {true, .5, 5, 4.401839852e-05},  {true, .9, 0, 0.001211969301},
           {true, .9, 1, 0.0006879741868}, {true, .9, 2, 0.0003507586097},  {true, .9, 4, 8.804616933e-05}}) {
    INFO((row.tanh ? "tanh" : "linear") << ", momentum " << row.momentum << ", k " << row.k);
    CHECK_THAT(distance_to_sequential(row.tanh, row.momentum, row.k), WithinRel(row.distance, 1e-8));
  }
  for (const double momentum : {0.0, .5}) {
    const double slope =
        std::log2(distance_to_sequential(true, momentum, 3) / distance_to_sequential(true, momentum, 5)) / 2;
    CHECK(slope > .95);
    CHECK(slope < 1.05);
  }
}

}  // namespace retrial::tests::pipeline_chain_tests
