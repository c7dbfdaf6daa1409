#include "results/report/render.hpp"

namespace retrial::report {
namespace {

/// Tables of this class as one card per row: the first cell is its heading, every other follows its title.
std::string cards_in(const std::string& media, const std::string& css) {
  std::string rules = R"css(
T,T tbody{display:block}T thead{display:none}
T tr{display:grid;grid-template-columns:repeat(auto-fill,minmax(6.4rem,1fr));gap:.2rem .8rem;padding:.5rem 0;
border-bottom:1px solid var(--line)}
T td{display:block;border:0;padding:0;text-align:left;white-space:normal;min-width:0;overflow-wrap:anywhere}
T td:empty{display:none}T td:first-child,T td.l{grid-column:1/-1}T td:first-child{font-weight:600}
T td::before{display:block;font-size:.75rem;font-weight:400;color:var(--muted)}
T td:first-child::before{display:inline;margin-right:.5rem;font-size:inherit}
)css";
  for (std::size_t at = 0; (at = rules.find("T ", at)) != std::string::npos; at += css.size())
    rules.replace(at, 1, css);
  rules.replace(rules.find("T,"), 1, css);
  return "@media " + media + "{" + rules + "}";
}

}  // namespace

// Text has a contrast of at least 4.5:1 in both schemes (tests/browser measures it). Lines and symbols of figures have
// 3:1: Okabe and Ito's colors, lighter ones in dark mode.
const std::string& html_style() {
  static const std::string style = R"css(
:root{--paper:#ffffff;--ink:#1b1d21;--muted:#565b63;--line:#d9dce1;--card:#f6f7f8;
--good:#006148;--bad:#a03300;--settled:#0a4f8c;--open:#665200;
--more:#8b929c80;--grid:#e6e8eb;--black:#000000;--grey:#595959;--blue:#0072b2;--vermillion:#d55e00;--green:#009e73;
--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Liberation Sans",sans-serif;
--serif:Charter,"Bitstream Charter","Sitka Text",Cambria,Georgia,"Liberation Serif",serif;
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
@media (prefers-color-scheme:dark){:root{--paper:#15171a;--ink:#e7e8ea;--muted:#aab0b8;--line:#3a3e45;--card:#1e2126;
--good:#63d3a8;--bad:#ff9f6b;--settled:#84c1ff;--open:#e6c665;
--grid:#2c3036;--black:#ffffff;--grey:#a3a9b1;--blue:#56b4e9;--vermillion:#f08a4b;--green:#2fc79b}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.6 var(--serif)}
main{max-width:56rem;margin:0 auto;padding:2.5rem 1.5rem 4rem}
h1,h2,h3,p,dl,dd,figure,ol,pre{margin:0}
a{color:var(--settled)}
a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:3px solid var(--settled);outline-offset:2px}
.banner{--tone:var(--open);border-top:.4rem solid var(--tone);padding:1.6rem 0 0}
.banner.good{--tone:var(--good)}.banner.bad{--tone:var(--bad)}.banner.settled{--tone:var(--settled)}
.kicker{font:600 .8rem/1.4 var(--sans);letter-spacing:.08em;text-transform:uppercase;color:var(--muted)}
h1{font:600 clamp(1.75rem,1.1rem + 3vw,2.9rem)/1.15 var(--serif);margin:.5rem 0 .6rem;overflow-wrap:anywhere;
text-wrap:balance}
h1 strong{color:var(--tone);font-weight:700;letter-spacing:.01em}
.answers{font:600 1.05rem/1.5 var(--sans);margin-bottom:.3rem;overflow-wrap:anywhere}
.subject{color:var(--muted);font:.95rem/1.5 var(--sans);overflow-wrap:anywhere}
.sentence{margin-top:1.1rem;font-size:1.15rem;overflow-wrap:anywhere}
.meaning{margin-top:.6rem;overflow-wrap:anywhere}
.tiles{display:flex;flex-wrap:wrap;gap:1px;margin-top:1.6rem;
background:var(--line);border:1px solid var(--line);border-radius:.4rem;overflow:hidden}
.tiles>div{flex:1 1 10.5rem;background:var(--card);padding:.8rem 1rem}
.tiles dt{font:.8rem/1.35 var(--sans);color:var(--muted)}
.tiles dd{font:600 1.2rem/1.35 var(--sans);font-variant-numeric:tabular-nums;overflow-wrap:anywhere;margin-top:.2rem}
.tiles .detail{font:.75rem/1.35 var(--sans);color:var(--muted)}
nav{margin:2rem 0 0;font:.9rem/1.5 var(--sans)}
nav ol{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.3rem 1.2rem}
section{margin-top:3rem}
h2{font:600 1.4rem/1.3 var(--serif);padding-bottom:.4rem;border-bottom:1px solid var(--line);margin-bottom:1rem}
h2 small{font:.875rem/1.45 var(--sans);color:var(--muted)}
section>*+*{margin-top:1rem}
section p,figcaption,section .caption{max-width:46rem;overflow-wrap:anywhere}
.warning{border-left:.25rem solid var(--open);padding:.1rem 0 .1rem .9rem;font:.95rem/1.5 var(--sans)}
.warning b{color:var(--open)}
.scroll{overflow:auto;max-width:100%;max-height:44rem;
background:linear-gradient(var(--paper),var(--paper)) bottom/100% 2rem no-repeat local,
linear-gradient(transparent,var(--more)) bottom/100% 1.4rem no-repeat}
table{border-collapse:collapse;font:.8125rem/1.45 var(--sans);font-variant-numeric:tabular-nums;min-width:100%}
section .caption{font:.8125rem/1.45 var(--sans);color:var(--muted);margin-bottom:.4rem}
.caption+.scroll{margin-top:0}
.heard{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.scroll{position:relative}
th,td{text-align:left;vertical-align:top;padding:.35rem .875rem .35rem 0;border-bottom:1px solid var(--line)}
th:last-child,td:last-child{padding-right:0}
thead th{position:sticky;top:0;background:var(--paper);font-weight:600;color:var(--muted);vertical-align:bottom;
border-bottom:2px solid var(--line)}
.w{overflow-wrap:anywhere;min-width:8.125rem}
.n{text-align:right}td.n{white-space:nowrap}td::before{display:none}
td.good{color:var(--good)}td.bad{color:var(--bad)}td.settled{color:var(--settled)}td.open{color:var(--open)}
.facts th{font-weight:400;color:var(--muted);width:13rem;min-width:8rem}
.facts th,.facts td{overflow-wrap:anywhere}.detailed td:nth-child(2){width:9rem;overflow-wrap:break-word}
pre{background:var(--card);border:1px solid var(--line);border-radius:.4rem;padding:.9rem 1rem;
font:.8125rem/1.55 var(--mono);white-space:pre-wrap;overflow-wrap:anywhere}
.plot{border:1px solid var(--line);border-radius:.4rem;padding:.5rem}
.plot>svg{display:block;width:100%;height:auto;font-family:var(--sans)}
.plot>.phone{display:none;max-width:26rem;margin:0 auto}
.plot .ink{color:var(--ink)}.plot .axis{color:var(--muted)}.plot .grid{color:var(--grid)}.plot .rim{stroke:var(--paper)}
.plot .black{color:var(--black)}.plot .grey{color:var(--grey)}.plot .blue{color:var(--blue)}
.plot .vermillion{color:var(--vermillion)}.plot .green{color:var(--green)}
figcaption{font:.9rem/1.5 var(--sans);margin-top:.6rem}
figcaption b{font-weight:600}
figcaption span{color:var(--muted)}
details{margin-top:.6rem;font:.9rem/1.5 var(--sans)}
summary{cursor:pointer;color:var(--settled)}
details[open] summary{margin-bottom:.6rem}
footer{margin-top:3.5rem;padding-top:1rem;border-top:1px solid var(--line);color:var(--muted);font:.875rem/1.5 var(--sans)}
@media (max-width:40rem){main{padding:1.25rem 1rem 3rem}section{margin-top:2.2rem}.sentence{font-size:1.05rem}
th,td{padding-right:.7rem}.scroll{max-height:none}.scroll.long{max-height:36rem}pre{padding:.6rem .7rem}
.facts,.facts tbody{display:block}.facts tr{display:grid;grid-template-columns:minmax(6rem,2fr) 3fr;gap:0 .8rem;
padding:.35rem 0;border-bottom:1px solid var(--line)}
.facts th,.facts td{width:auto;min-width:0;padding:0;border:0}.detailed th{grid-row:span 2}
.detailed tr{grid-template-rows:auto 1fr}
.detailed td:nth-child(3){grid-column:2;color:var(--muted)}
.plot>.desk{display:none}.plot>.phone{display:block}}
)css" + cards_in("screen and (max-width:40rem)", ":is(table.tablet,table.desk)") +
                                   cards_in("screen and (max-width:56rem)", "table.desk") +
                                   cards_in("all", "table.cards") + R"css(
@page{size:A4;margin:16mm 15mm}
@media print{:root{--paper:#ffffff;--ink:#000000;--muted:#444444;--line:#bbbbbb;--card:#ffffff;--good:#006148;
--bad:#a03300;--settled:#0a4f8c;--open:#665200;--grid:#dddddd;--black:#000000;--grey:#595959;--blue:#0072b2;
--vermillion:#d55e00;--green:#009e73}
body{font-size:10pt;line-height:1.45;orphans:3;widows:3}main{max-width:none;padding:0}h1{font-size:22pt}h2{font-size:14pt}
section{margin-top:1.6rem}section>*+*{margin-top:.7rem}section p,figcaption,section .caption{max-width:none}
nav,details:not([open],.settings),details[open]:not(.settings)>summary{display:none}
.settings>summary{list-style:none;color:var(--muted)}.settings:not([open])>summary::after{content:": in the HTML file"}
table,section .caption,figcaption,details{font-size:8pt}th,td{padding:.2rem .6rem .2rem 0}pre{font-size:7.5pt}
.scroll{max-height:none;overflow:visible;background:none}
.plot>svg{max-width:150mm;margin:0 auto}.plot>.desk{display:block}.plot>.phone{display:none}
.plot,figcaption,.banner,tr,section>p,.caption{break-inside:avoid}
table:not(:has(tr:nth-child(9))){break-inside:avoid}h2,.plot,.caption,thead{break-after:avoid}
tr:first-child,footer{break-before:avoid}
thead th{position:static}a{color:inherit;text-decoration:none}footer{margin-top:1.5rem;padding-top:.5rem}}
)css";
  return style;
}

}  // namespace retrial::report
