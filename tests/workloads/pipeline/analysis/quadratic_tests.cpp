// The quadratic problem against reference values of two independent programs, and against closed forms.
#include "workloads/pipeline/analysis/quadratic.hpp"

#include <cmath>
#include <numbers>
#include <sstream>

#include "tests/catch.hpp"
#include "variance/numbers/error.hpp"

namespace retrial::tests::quadratic_tests {

using namespace retrial;
using namespace retrial::pipeline;

namespace {

QuadraticMethod method(const std::string& name) {
  return quadratic_method_named(name);
}

/// The numbers behind a mark such as "D =".
double after(const std::string& line, const std::string& mark) {
  return std::stod(line.substr(line.find(mark) + mark.size()));
}

/// "NAME VALUE, NAME VALUE" behind the colon.
std::vector<std::pair<std::string, double>> named_values(const std::string& line) {
  std::istringstream in(line.substr(line.find(':') + 1));
  std::vector<std::pair<std::string, double>> out;
  for (std::string name, value; in >> name >> value;) out.emplace_back(name, std::stod(value));
  return out;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) out.push_back(line);
  return out;
}

/// "D=1 SC: w_1 w_2 ... | w_10 | w_last".
void check_trajectories(const std::string& table, double eta, double m, std::size_t last, double relative) {
  for (const auto& line : lines_of(table)) {
    CAPTURE(line);
    std::istringstream in(line);
    std::string delay, name, word;
    in >> delay >> name;
    name.pop_back();
    const auto w = quadratic_trajectory(method(name), m, eta, 1, std::stoll(delay.substr(2)), 100);
    std::size_t bar = 0, t = 0;
    while (in >> word) {
      if (word == "|") {
        t = ++bar == 1 ? 10 - 1 : last - 1;
        continue;
      }
      const double expected = std::stod(word);
      const double digits = bar == 2 ? relative : 5e-12;  // of the reference: twelve
      CHECK_THAT(w.at(t++), WithinAbs(expected, std::max(1e-12, std::fabs(expected) * digits)));
    }
    CHECK(bar == 2);
  }
}

}  // namespace

TEST_CASE("trajectories on a quadratic have the reference values", "[pipeline]") {
  check_trajectories(R"(D=0 SGDM: 0.9 0.76 0.614 0.4796 0.36444 0.270416 | 0.0665073856 | -0.000347888295757
D=1 SGDM: 0.9 0.75 0.585 0.4275 0.29025 0.178875 | -0.0287803125 | -0.00239026776768
D=1 SC: 0.85 0.675 0.51 0.36875 0.255375 0.168875 | 0.01345609375 | -0.00173960228696
D=1 LWP: 0.9 0.75 0.595 0.4575 0.34475 0.256375 | 0.0735834375 | 0.00293352312568
D=1 SC_2D: 0.825 0.6375 0.474375 0.343125 0.242296875 0.1674140625 | 0.0309330615234 | -0.000222084382375
D=2 SGDM: 0.9 0.75 0.575 0.3975 0.23375 0.094375 | -0.1643765625 | 0.0217134417358
D=2 LWP: 0.9 0.75 0.575 0.4175 0.29375 0.209375 | 0.0916609375 | 0.00908201605225
D=2 LWPw+SC: 0.825 0.6375 0.44375 0.33875 0.2759375 0.254375 | 0.118748828125 | 0.0161761662964
D=2 LWP_2D: 0.9 0.75 0.575 0.4375 0.35375 0.324375 | 0.2528984375 | 0.0547349325562
D=4 SGDM: 0.9 0.75 0.575 0.3875 0.19375 0.006875 | -0.4870703125 | 0.0988639450073
D=4 SC: 0.80625 0.609375 0.4109375 0.21171875 0.012109375 -0.15015625 | -0.407529296875 | 0.153583226204
D=4 LWP: 0.9 0.75 0.575 0.3875 0.19375 0.046875 | 0.0154296875 | -0.103936543274
D=4 LWPv+SC: 0.80625 0.609375 0.4109375 0.21171875 0.012109375 -0.07265625 | 0.228564453125 | -0.262827186394
D=4 LWPw+SC: 0.80625 0.609375 0.4109375 0.21171875 0.012109375 0 | 0.37314453125 | 0.0491537820816
D=4 LWP_2D: 0.9 0.75 0.575 0.3875 0.19375 0.086875 | 0.5179296875 | -0.469224531555
)",
                     0.1, 0.5, 20, 5e-12);
  check_trajectories(R"(D=0 SGDM: 0.95 0.8575 0.731375 0.58129375 | -0.31092291067 | -0.00498462311047
D=1 SGDM: 0.95 0.855 0.722 0.55955 | -0.48915335745 | -0.0651841743231
D=1 SC: 0.905 0.7695 0.606575 0.427565 | -0.447572462684 | -0.00256623068867
D=1 LWP: 0.95 0.855 0.7245 0.56905 | -0.33426476195 | -0.00261051069598
D=1 LWPw+SC: 0.905 0.7695 0.6156 0.45331 | -0.271026225725 | -0.000216217212569
D=1 SC_2D: 0.8645 0.69255 0.50615525 0.3184742 | -0.388839279497 | -3.06689623964e-05
D=2 SC: 0.8645 0.69255 0.487795 0.27187575 | -0.624898402451 | 0.0111149591346
D=2 LWP: 0.95 0.855 0.7195 0.55505 | -0.39177837795 | 0.00428208155906
D=2 LWPv+SC: 0.8645 0.69255 0.487795 0.28542575 | -0.277456302439 | -6.33528531234e-07
D=2 LWPw+SC: 0.8645 0.69255 0.487795 0.30859625 | -0.210554991946 | -1.94963259747e-06
D=4 SGDM: 0.95 0.855 0.7195 0.54755 | -0.92003173045 | 16.6621647385
D=4 SC: 0.795245 0.5609655 0.30011395 0.015347555 | -1.21169191602 | 0.895378329059
D=4 LWP: 0.95 0.855 0.7195 0.54755 | -0.63400673045 | -0.805728858918
D=4 LWPv+SC: 0.795245 0.5609655 0.30011395 0.015347555 | -0.572005314523 | -3.75019794085
D=4 LWP_2D: 0.95 0.855 0.7195 0.54755 | -0.34798173045 | 16.9198643988
)",
                     0.05, 0.9, 100, 1e-10);
}

TEST_CASE("spectral radii at momentum .9", "[pipeline]") {
  for (const auto& line :
       lines_of(R"(x = .01, D = 1: SGDM 0.9539392014, SC 0.9487371255, LWPv+SC 0.9427843392, SC_2D 0.9439299959
x = .01, D = 4: SGDM 0.970949582, SC 0.9506029407, LWP 0.9429711294, LWPv+SC 0.9010064657, SC_2D 0.9316185613, LWP_2D 0.8675902201
x = .01, D = 8: SC 0.9652879766, LWPv+SC 0.9654603995, LWPw+SC 0.9305583082, SC_2D 0.9527089719, LWP_2D 0.9780590831
x = .05, D = 1: SGDM 0.9746794345, LWP 0.9472187342, LWPw+SC 0.920274091, SC_2D 0.9249994493, LWP_2D 0.9150725064
x = .05, D = 2: SGDM 0.9988632314, SC 0.9572962801, LWPw+SC 0.8794551748, SC_2D 0.9089869843
x = .1, D = 1: LWPw+SC 0.8863744491, SC_2D 0.9039991092, LWP_2D 0.8816797307
x = .1, D = 2: SGDM 1.041066321, LWPv+SC 0.9712370851, LWPw+SC 0.8544829499, LWP_2D 0.9785944092
x = .001, D = 16: SGDM 0.9853999499, SC 0.9874730098, LWP 0.9891040449, LWPv+SC 0.990120004, LWPw+SC 0.9899714612, SC_2D 0.9877718961
)"))
    for (const auto& [name, expected] : named_values(line)) {
      CAPTURE(line, name);
      CHECK_THAT(
          spectral_radius(method(name), 0.9, after(line, "x = "), static_cast<std::int64_t>(after(line, "D = "))),
          WithinAbs(expected, 1e-8));
    }
}

TEST_CASE("largest stable steps at momentum .9, and in closed form", "[pipeline]") {
  for (const auto& line : lines_of(R"(D = 1: SGDM 0.1, LWP 0.270156212, LWPv+SC 0.291654228, SC_2D 0.298787869
D = 2: SGDM 0.0512492197, LWP 0.121008469, LWPv+SC 0.11296357, SC_2D 0.120650443, LWP_2D 0.109011245
D = 4: SGDM 0.0264976851, LWP 0.0494204475, LWPv+SC 0.0405233335, SC_2D 0.0471145909, LWP_2D 0.0376240745
D = 8: SGDM 0.0139419946, SC 0.0207081883, LWPv+SC 0.0147878737, LWPw+SC 0.016606095
D = 16: SC 0.00962251735, LWP 0.00771940608, LWPv+SC 0.0059524965, SC_2D 0.00955415285, LWP_2D 0.00459049281
)"))
    for (const auto& [name, expected] : named_values(line)) {
      CAPTURE(line, name);
      const auto found = stability_limit(method(name), 0.9, static_cast<std::int64_t>(after(line, "D = ")));
      CHECK_THAT(found.value(), WithinRel(expected, 1e-6));
    }
  for (const char* name : {"SGDM", "SC", "LWP", "LWPv+SC", "LWPw+SC", "SC_2D", "LWP_2D"})
    CHECK_THAT(stability_limit(method(name), 0.9, 0).value(), WithinRel(3.8, 1e-9));  // 2 (1 + m)
  CHECK_THAT(stability_limit(method("SGDM"), 0, 2).value(), WithinRel((std::sqrt(5.0) - 1) / 2, 1e-9));
}

TEST_CASE("the largest stable step is where the spectral radius reaches 1, and no earlier step is unstable",
          "[pipeline]") {
  for (const char* name : {"SGDM", "SC", "LWP", "LWPv+SC", "LWPw+SC", "SC_2D", "LWP_2D", "GSC(0.4,2)", "GSC(1,-0.5)"})
    for (const double m : {0.0, 0.5, 0.9, 0.99, 0.999})
      for (const std::int64_t D : {0, 1, 3, 12, 40}) {
        CAPTURE(name, m, D);
        const double limit = stability_limit(method(name), m, D).value_or(4);
        for (double x = 1e-6; x < limit * (1 - 1e-6); x *= 1.5) CHECK(spectral_radius(method(name), m, x, D) < 1);
        CHECK(spectral_radius(method(name), m, limit * (1 - 1e-6), D) < 1);
        if (limit < 4) CHECK(spectral_radius(method(name), m, limit * (1 + 1e-6), D) > 1);
      }
  CHECK(stability_limit(method("SGDM"), 1, 3) == 1e-6);  // without friction no step is stable
  // Without momentum, at the longest delay: the closed form.
  CHECK_THAT(stability_limit(method("SGDM"), 0, 256).value(), WithinRel(2 * std::sin(std::numbers::pi / 1026), 1e-12));
}

TEST_CASE("without momentum a delay is stable up to 2 sin(pi / (4 D + 2))", "[pipeline]") {
  for (std::int64_t D = 1; D <= 32; ++D) {
    CAPTURE(D);
    const double limit = 2 * std::sin(std::numbers::pi / (4 * static_cast<double>(D) + 2));
    CHECK(spectral_radius(method("SGDM"), 0, limit * (1 - 1e-6), D) < 1);
    CHECK(spectral_radius(method("SGDM"), 0, limit * (1 + 1e-6), D) > 1);
  }
}

TEST_CASE("closed forms: complex roots, the heavy ball, and the double root of the fastest monotone step",
          "[pipeline]") {
  for (const double m : {0.5, 0.9, 0.99}) {
    CHECK_THAT(spectral_radius(method("LWPv+SC"), m, 0.2, 0), WithinAbs(std::sqrt(m), 1e-9));
    CHECK_THAT(spectral_radius(method("SGDM"), m, 0.08, 1), WithinAbs(std::sqrt(m + 0.08), 1e-9));
  }
  for (const auto& [kappa, half] : {std::pair(10.0, 1.0584), std::pair(100.0, 3.4542), std::pair(1000.0, 10.9560)}) {
    const double root = std::sqrt(kappa), r = (root - 1) / (root + 1), x = std::pow(2 / (1 + 1 / root), 2);
    // Both ends of the spectrum have a double root.
    CHECK_THAT(spectral_radius(method("SGDM"), r * r, x, 0), WithinAbs(r, 1e-6));
    CHECK_THAT(spectral_radius(method("SGDM"), r * r, x / kappa, 0), WithinAbs(r, 1e-6));
    CHECK_THAT(half_life(r).value(), WithinAbs(half, 1e-4));
  }
  for (const double D : {1.0, 2.0, 5.0}) {
    const double x = std::pow(D, D) / std::pow(D + 1, D + 1);
    CHECK_THAT(spectral_radius(method("SGDM"), 0, x, static_cast<std::int64_t>(D)), WithinAbs(D / (D + 1), 1e-6));
  }
  CHECK_FALSE(half_life(1));
  CHECK(largest_root({1, 0, 0}) == 0);
  CHECK_THAT(largest_root({2, -6, 4, 0}), WithinAbs(2, 1e-12));
}

TEST_CASE("roots are the simulated decay", "[pipeline]") {
  for (const char* name : {"SGDM", "SC", "LWP", "LWPv+SC", "LWPw+SC", "SC_2D", "LWP_2D", "GSC(0.4,2)"})
    for (const std::int64_t D : {0, 1, 3}) {
      CAPTURE(name, D);
      const auto w = quadratic_trajectory(method(name), 0.9, 0.01, 1, D, 3000);
      // The envelope of a complex pair: the largest of 500 weights.
      const auto log_size = [&](std::size_t from) {
        double largest = 0;
        for (std::size_t t = from; t < from + 500; ++t) largest = std::max(largest, std::fabs(w[t]));
        return std::log(largest);
      };
      CHECK_THAT((log_size(2400) - log_size(400)) / 2000,
                 WithinAbs(std::log(spectral_radius(method(name), 0.9, 0.01, D)), 1e-3));
    }
}

TEST_CASE("on a quadratic, prediction is spike compensation with other coefficients and the stated start",
          "[pipeline]") {
  struct Case {
    double horizon;
    std::int64_t D;
    double m;
  };
  for (const auto& [H, D, m] : {Case{1, 1, 0.9}, Case{2, 2, 0.9}, Case{4, 4, 0.9}, Case{4, 4, 0.95}, Case{1, 3, 0.9}}) {
    CAPTURE(H, D, m);
    const double b = H / m, a = 1 - H * (1 - m) / m;
    auto predicted = method("LWP");
    predicted.horizon = H / static_cast<double>(D);
    const QuadraticMethod general{.name = "GSC", .a = a, .b = b};
    const auto left = quadratic_trajectory(predicted, m, 0.02, 1, D, 200);
    const auto right = quadratic_trajectory(general, m, 0.02, 1, D, 200, 1, -b / a);
    for (std::size_t t = 0; t < left.size(); ++t) CHECK_THAT(left[t], WithinAbs(right[t], 1e-12));
  }
}

TEST_CASE("the best half-life of the grid is at the listed point, and no neighbor is better", "[pipeline]") {
  // "D = 1 SC: kappa: half-life (m, x_max); ..."
  for (const auto& line : lines_of(R"(D = 0 SGDM: 100: 3.64689 (0.68377, 3.02)
D = 1 SGDM: 10: 7.37451 (0.04501, 0.77625); 100: 69.7771 (0.12904, 0.85114); 1000: 700.896 (0.91290, 0.085114)
D = 1 SC: 10: 5.76954 (0.71160, 0.21878)
D = 1 LWP: 10: 4.76212 (0.73697, 0.20893); 1000: 107.668 (0.98262, 0.070795)
D = 1 LWPv+SC: 100: 14.0582 (0.90880, 0.24547)
D = 1 LWPw+SC: 10: 3.81527 (0.72458, 0.28184); 100: 12.1433 (0.89529, 0.31623); 1000: 38.9141 (0.96533, 0.32359)
D = 1 SC_2D: 10: 4.22238 (0.73697, 0.22909); 100: 14.133 (0.90880, 0.24547); 1000: 44.8488 (0.96980, 0.24547)
D = 1 LWP_2D: 100: 14.0193 (0.90880, 0.24547); 1000: 44.8148 (0.96980, 0.24547)
D = 2 SC: 10: 9.77108 (0.81803, 0.081283); 100: 44.0375 (0.95635, 0.044668)
D = 2 LWP: 10: 7.91627 (0.83404, 0.077625); 100: 38.6453 (0.95429, 0.051286); 1000: 184.749 (0.99045, 0.021878)
D = 2 LWPv+SC: 10: 7.15158 (0.84864, 0.085114); 100: 23.6598 (0.94505, 0.087096)
D = 2 LWPw+SC: 100: 20.4603 (0.93690, 0.12023); 1000: 64.8839 (0.97911, 0.12303)
D = 2 SC_2D: 10: 7.0107 (0.83404, 0.087096)
D = 2 LWP_2D: 100: 23.5918 (0.94505, 0.087096)
D = 4 SGDM: 10: 21.235 (0.00000, 0.28184); 1000: 2042.4 (0.12904, 0.29512)
D = 4 SC: 100: 80.1998 (0.97488, 0.014454); 1000: 357.011 (0.99425, 0.0074131)
D = 4 LWP: 10: 14.258 (0.90000, 0.026915); 1000: 335.436 (0.99425, 0.0077625)
D = 4 LWPv+SC: 10: 12.7212 (0.91290, 0.026303); 100: 43.2409 (0.96838, 0.027542); 1000: 136.398 (0.99000, 0.026915)
D = 4 LWPw+SC: 10: 10.9479 (0.89529, 0.038019); 100: 35.9076 (0.96369, 0.038905); 1000: 113.138 (0.98798, 0.038905)
D = 4 SC_2D: 10: 12.5602 (0.90450, 0.028184); 100: 41.7722 (0.96838, 0.027542); 1000: 136.494 (0.99000, 0.026915)
D = 4 LWP_2D: 10: 12.9601 (0.91682, 0.025119); 100: 43.2971 (0.96980, 0.026915)
)")) {
    std::istringstream head(line.substr(0, line.find(':')));
    std::string skip, name;
    std::int64_t D = 0;
    head >> skip >> skip >> D >> name;
    std::istringstream entries(line.substr(line.find(':') + 1));
    for (std::string entry; std::getline(entries, entry, ';');) {
      CAPTURE(line, entry);
      const double kappa = std::stod(entry), expected = after(entry, ": "), m = after(entry, "("),
                   x = after(entry, ", ");
      const auto k = std::llround(-50 * std::log10(1 - m)), j = std::llround(100 * (std::log10(x) + 7));
      const double best = worst_radius(method(name), D, kappa, k, j).value();
      CHECK_THAT(half_life(best).value(), WithinRel(expected, 1e-5));
      for (const auto& [dk, dj] : {std::pair(-1, 0), std::pair(1, 0), std::pair(0, -1), std::pair(0, 1)}) {
        if (k + dk < 0) continue;
        CHECK(worst_radius(method(name), D, kappa, k + dk, j + dj).value_or(2) >= best - 1e-12);
      }
    }
  }
}

TEST_CASE("the search of the grid finds that point", "[pipeline]") {
  const auto found = best_half_life(method("SGDM"), 1, 10);
  CHECK_THAT(found.updates.value(), WithinRel(7.37451, 1e-5));
  CHECK_THAT(found.m, WithinAbs(0.04501, 1e-5));
  CHECK_THAT(found.x_max, WithinRel(0.77625, 1e-5));
}

TEST_CASE("unknown methods and ratios of curvatures are refused", "[pipeline]") {
  CHECK(method("GSC(0.5,-1.5)").b == -1.5);
  for (const char* name : {"", "sgdm", "GSC", "GSC()", "GSC(1)", "GSC(1,x)", "GSC(1,2"})
    CHECK_THROWS_AS(method(name), InvalidInput);
  CHECK_THROWS_AS(best_half_life(method("SGDM"), 1, 20), InvalidInput);
}

}  // namespace retrial::tests::quadratic_tests
