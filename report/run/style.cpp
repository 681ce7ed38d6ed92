#include "report/run/style.hpp"

namespace warplab::report {

// It must hold no '<' and no '&', as the page is XML too.
namespace {

constexpr const char* sheet =
    R"css(
:root{--badge:#eef2f7;--worse:#fdecea;--better:#e8f5ec;--light:#c2410c;--bar:#3b76bd;--peer:#8b95a1;--ideal:#1b2027;
--series0:#0b6bb0;--series1:#c4540a;--series2:#00805f;--series3:#b0508e;--series4:#8a6d00;--series5:#3d8fc4;
--series6:#5b4fb3;--series7:#565d66}
@media screen and (prefers-color-scheme:dark){:root{--badge:#222a34;--worse:#3a1d1d;--better:#16301f;
--light:#ff9d5c;--bar:#5b97dd;--peer:#79828f;--ideal:#e4e9ef;
--series0:#5aaeee;--series1:#f29049;--series2:#35c79b;--series3:#e08fc4;--series4:#dfc04a;--series5:#8fcaf0;
--series6:#a79df2;--series7:#aab3bd}}
h3{font-size:1rem;margin:1.8rem 0 .3rem}
.lead{font-size:1.05rem;color:var(--soft);margin:0 0 1.2rem}
.ratio{display:inline-block;min-width:2.4rem;color:var(--soft);font-size:.85em}
.lesson{border-left:4px solid var(--accent);padding-left:.8rem}
.good{color:var(--good)}.bad{color:var(--bad)}.warn{color:var(--warn)}
.note{border-left:4px solid var(--warn);background:var(--box);padding:.6rem .9rem;border-radius:0 6px 6px 0}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(13rem,1fr));gap:.5rem 1.4rem;margin:.8rem 0;
font-size:.9rem}
.facts>div.long{grid-column:1/-1}
.facts dt{color:var(--soft);font-size:.78rem;text-transform:uppercase;letter-spacing:.04em}
.facts dd{margin:0}
.tally{display:flex;flex-wrap:wrap;gap:.5rem;margin:.8rem 0;padding:0;list-style:none}
.tally li{background:var(--badge);border-radius:999px;padding:.15rem .8rem;font-size:.9rem}
.tally b{font-variant-numeric:tabular-nums}
td.wraps{white-space:normal}
td.key{font-weight:600}
.below{display:block;font-weight:400;color:var(--soft)}td.stack .below{white-space:normal;min-width:7rem}
td.code{white-space:pre;font-size:.8rem}
td.why{min-width:9rem}
tr.best td{font-weight:600}
tr.far td{background:var(--worse)}
tr.worse td{background:var(--worse)}tr.better td{background:var(--better)}
tr.source td{padding-top:.8rem}tr.advice td{color:var(--warn)}
.meter{display:inline-block;width:4.5rem;height:.55rem;border-radius:2px;background:var(--line);margin-right:.5rem;
vertical-align:middle;overflow:hidden}
.share{display:inline-block;min-width:2.9rem}
.meter>span{display:block;height:100%;background:var(--bar)}
figure{margin:.6rem 0 1.2rem}
figcaption{font-size:.875rem;color:var(--soft);max-width:46rem;margin:.35rem 0 0}
figcaption b{color:var(--ink)}
svg.chart{display:block;width:100%;height:auto}
.chart text{font-family:system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;font-size:12px}
.chart .ink{--c:var(--ink)}.chart .soft{--c:var(--soft)}.chart .rule{--c:var(--line)}.chart .light{--c:var(--light)}
.chart .bar{--c:var(--bar)}.chart .peer{--c:var(--peer)}.chart .ideal{--c:var(--ideal)}
.chart .series0{--c:var(--series0)}.chart .series1{--c:var(--series1)}.chart .series2{--c:var(--series2)}
.chart .series3{--c:var(--series3)}.chart .series4{--c:var(--series4)}.chart .series5{--c:var(--series5)}
.chart .series6{--c:var(--series6)}.chart .series7{--c:var(--series7)}
.chart rect,.chart path,.chart text{fill:var(--c)}.chart line,.chart .curve{stroke:var(--c)}
.chart .curve{fill:none;stroke-width:2}.chart .dashed{stroke-width:2;stroke-dasharray:6 5}
.chart .bold{stroke-width:2.5}
svg.wide{max-width:720px}svg.narrow{display:none;max-width:420px}
.legend{display:flex;flex-wrap:wrap;gap:.15rem 1.1rem;margin:.3rem 0 0;padding:0;list-style:none;font-size:.875rem}
.legend i{display:inline-block;width:.8rem;height:.8rem;border-radius:2px;margin-right:.4rem;vertical-align:-.08rem}
.legend b{font-variant-numeric:tabular-nums}
.key0{background:var(--series0)}.key1{background:var(--series1)}.key2{background:var(--series2)}
.key3{background:var(--series3)}.key4{background:var(--series4)}.key5{background:var(--series5)}
.key6{background:var(--series6)}.key7{background:var(--series7)}
.pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,16rem),1fr));gap:1rem;margin:.5rem 0 1rem}
.pictures figure{margin:0}.pictures img{display:block;width:100%;height:auto;border:1px solid var(--line);
border-radius:4px;image-rendering:auto}
.shapes label{margin:0 .9rem 0 .25rem}.shapes figure{display:none}.shapes img{width:100%;max-width:32rem;height:auto}
.shapes input:nth-of-type(1):checked~figure:nth-of-type(1),.shapes input:nth-of-type(2):checked~figure:nth-of-type(2),
.shapes input:nth-of-type(3):checked~figure:nth-of-type(3),.shapes input:nth-of-type(4):checked~figure:nth-of-type(4),
.shapes input:nth-of-type(5):checked~figure:nth-of-type(5),.shapes input:nth-of-type(6):checked~figure:nth-of-type(6)
{display:block}
.map{min-width:46rem;width:100%;max-width:60rem;height:auto;display:block}
details{border-top:1px solid var(--line);padding:.45rem 0}
details .meter{width:2.2rem}details th,details td{padding-right:.6rem}
details:last-of-type{border-bottom:1px solid var(--line)}
summary{cursor:pointer;font-size:.95rem}
summary .soft{margin-left:.5rem;font-size:.875rem}
footer{color:var(--soft);font-size:.875rem;margin-top:2rem}
@media screen and (max-width:44rem){main{padding:1rem .7rem 3rem}section{padding:.9rem .85rem .6rem;border-radius:8px}
svg.wide{display:none}svg.narrow{display:block}h1{font-size:1.4rem}
table{font-size:.8rem}th,td{padding-right:.55rem}td.stack{white-space:normal;overflow-wrap:anywhere}}
@media print{:root{--better:#e8f5ec}
section{border:0;border-top:1px solid var(--line);border-radius:0;padding:.8rem 0 0;margin:.8rem 0}
.scroll{overflow:visible}table{font-size:7.5pt}th,td{padding:.15rem .5rem .15rem 0;overflow-wrap:anywhere}
th{font-size:7pt}td.n{white-space:normal}td.code{font-size:7pt;white-space:pre-wrap}
td.why{min-width:8rem}.meter{width:2.2rem}.map{min-width:0}
.legend{break-inside:avoid}}
)css";

}  // namespace

const char* style_sheet() { return sheet; }

}  // namespace warplab::report
