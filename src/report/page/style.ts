import { DARK, LIGHT, variablesOf } from './palette';

const FIXED = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace";

/** The style sheet of the page: nothing is loaded, and what is folded is open on paper. */
export const STYLE = `
:root{color-scheme:light dark;${variablesOf(LIGHT)}}
@media (prefers-color-scheme:dark){:root{${variablesOf(DARK)}}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',sans-serif;overflow-wrap:anywhere}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:4px}
.skip{position:absolute;left:8px;top:-60px;padding:8px 12px;background:var(--card);z-index:1}
.skip:focus{top:8px}
header,main,footer{max-width:1160px;margin:0 auto;padding:0 20px}
header{padding-top:32px}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 4px;letter-spacing:-.01em}
h2{font-size:1.35rem;line-height:1.3;margin:48px 0 4px}
h3{font-size:1.05rem;line-height:1.35;margin:0}
h4{font-size:.95rem;margin:20px 0 6px}
p{margin:4px 0 12px}
.lead,.muted{color:var(--muted)}
nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:4px 20px;margin:16px 0 0;padding:0}
nav a{display:inline-block;padding:4px 0}
.tiles{list-style:none;display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,150px),1fr));gap:14px;margin:22px 0 0;padding:0}
.tiles li,.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:18px 20px}
.tiles li{display:flex;flex-direction:column}
.tiles .title{color:var(--muted);font-size:.875rem;order:-1}
.tiles .big{font-size:1.7rem;line-height:1.25;font-weight:650;font-variant-numeric:tabular-nums;letter-spacing:-.01em}
.tiles small{color:var(--muted);margin-top:4px}
.look{border-left:4px solid var(--warn);background:var(--warnSoft);border-radius:8px;padding:12px 18px;margin-top:18px}
.look h2{font-size:1rem;margin:0 0 4px;color:var(--warn)}
.look ul{margin:0;padding-left:1.2em}
.card{margin:14px 0 0}
.sub{color:var(--muted);font-size:.9rem;margin:2px 0 0}
.words{margin:10px 0 0}
.two{display:grid;grid-template-columns:minmax(0,480px) minmax(0,1fr);gap:8px 36px;margin-top:16px;align-items:start}
figure{margin:0}
svg.path{display:block;width:100%;height:auto;max-width:480px}
.ways{list-style:none;padding:0;margin:10px 0 0;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,400px),1fr));gap:16px}
.ways>li{border:1px solid var(--line);border-radius:10px;padding:14px 16px;min-width:0}
.ways h4{margin:0;font-size:.95rem}
.ways p{font-size:.875rem}
.ways svg.path{margin-top:8px}
svg text{font-family:${FIXED};fill:var(--ink);font-size:12px;unicode-bidi:isolate}
svg .note{font-size:11px;fill:var(--muted)}
svg .share{font-weight:700;fill:var(--accent)}
svg .middle{text-anchor:middle}
svg .end{text-anchor:end}
svg .box{fill:var(--card);stroke:var(--edge);stroke-width:1.2}
svg .strong{fill:var(--accentSoft);stroke:var(--accent)}
svg rect.used{fill:var(--accentSoft);stroke:var(--accent)}
svg rect.more{fill:var(--accentSoft);stroke:var(--accent);stroke-dasharray:2 3}
svg rect.unused,svg rect.left-out,svg rect.expected{stroke-dasharray:4 3}
svg rect.failing,svg rect.dropped{fill:var(--badSoft);stroke:var(--bad);stroke-dasharray:4 3}
svg text.failing,svg text.dropped,svg .share.lost{fill:var(--bad)}
svg path.way{fill:none;stroke:var(--accent)}
svg path.way.off{stroke:var(--edge);stroke-dasharray:3 4}
svg path.way.lost{stroke:var(--bad)}
svg path.way.head{fill:var(--accent);stroke:none}
svg path.way.lost.head{fill:var(--bad)}
.name{font-family:${FIXED};font-size:.92em}
.facts{margin:0}
.facts>div{display:grid;grid-template-columns:minmax(0,11rem) minmax(0,1fr);gap:0 18px;padding:8px 0;border-bottom:1px solid var(--line)}
.facts>div:last-child{border-bottom:0}
.facts>div:first-child{padding-top:0}
dt{color:var(--muted);font-size:.875rem}
dd{margin:0;font-size:.925rem}
.value{font-weight:600;font-variant-numeric:tabular-nums}
.terms{color:var(--muted);font-size:.85rem;font-variant-numeric:tabular-nums}
.unknown{color:var(--muted);font-style:italic}
.tag{display:inline-block;border-radius:99px;padding:1px 10px;font-size:.8rem;font-weight:600}
.good{color:var(--good);background:var(--goodSoft)}
.warn{color:var(--warn);background:var(--warnSoft)}
.bad{color:var(--bad);background:var(--badSoft)}
details{margin-top:12px}
summary{cursor:pointer;color:var(--accent);font-weight:600;font-size:.93rem;padding:4px 0}
table{border-collapse:collapse;width:100%;margin:8px 0 0;font-size:.9rem}
caption{text-align:left;color:var(--muted);padding:0 0 4px}
th,td{text-align:left;vertical-align:top;padding:7px 14px 7px 0;border-top:1px solid var(--line);font-weight:400}
thead th{border-top:0;color:var(--muted);font-size:.85rem}
th:last-child,td:last-child{padding-right:0}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td .terms,th .terms{display:block;white-space:normal}
tr.total>*{font-weight:600}
.bars{list-style:none;margin:10px 0 0;padding:0}
.bars>li{border-top:1px solid var(--line);padding:10px 0}
.bars>li:first-child{border-top:0}
.bars details{margin:0}
.bar{display:grid;grid-template-columns:minmax(0,4fr) minmax(0,4fr) minmax(0,2.6fr);gap:4px 18px;align-items:center;color:var(--ink);font-weight:400}
.bars summary{display:block;padding:2px 0}
.bars summary .bar .who::before{content:'▸';color:var(--accent);display:inline-block;width:1.1em;margin-left:-1.1em}
.bars details[open] summary .bar .who::before{content:'▾'}
.bar .who{padding-left:1.1em}
.bar .amount{text-align:right;font-variant-numeric:tabular-nums;font-weight:600}
.bar svg{display:block;width:100%;height:14px}
.rail{fill:var(--accentSoft)}
.fill{fill:var(--accent)}
.gauges{list-style:none;margin:12px 0 0;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,250px),1fr));gap:14px}
.gauges>li{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:16px 18px;min-width:0}
.gauges h3{font-size:.95rem;text-align:center}
.gauges ul{font-size:.875rem}
.gauges p{text-align:center;font-size:.875rem;margin:2px 0 0}
svg.gauge{display:block;width:150px;max-width:100%;height:auto;margin:0 auto 6px}
svg.gauge path{fill:none;stroke-width:12}
svg.gauge .back{stroke:var(--accentSoft)}
svg.gauge .fine{stroke:var(--accent)}
svg.gauge .near{stroke:var(--warn)}
svg.gauge .over{stroke:var(--bad)}
svg.gauge .mark{stroke:var(--edge);stroke-width:2}
svg.gauge text{font:650 21px system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',sans-serif;text-anchor:middle}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,380px),1fr));gap:0 14px}
ul{padding-left:1.2em;margin:6px 0}
footer{color:var(--muted);font-size:.875rem;padding-top:36px;padding-bottom:48px}
@media (max-width:820px){.two{grid-template-columns:minmax(0,1fr)}}
@media (max-width:560px){
.facts>div{grid-template-columns:minmax(0,1fr)}
header,main,footer{padding-left:14px;padding-right:14px}
.tiles li,.card{padding:14px}
.tiles .big{font-size:1.35rem}
.tiles{gap:10px}
.bar{grid-template-columns:minmax(0,1fr) auto}
.bar svg{grid-column:1/-1;grid-row:2}
table,tbody,tr,caption,th,td{display:block}
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
tr{border-top:1px solid var(--line);padding:8px 0}
th,td{border:0;padding:1px 0}
td.number,th.number{text-align:left;white-space:normal}
td[data-title]::before{content:attr(data-title) ': ';color:var(--muted)}
}
@media print{
:root{${variablesOf(LIGHT)};color-scheme:light}
body{background:#fff;font-size:11pt}
nav,.skip{display:none}
.tiles li,.card,.gauges>li,.ways>li,tr{break-inside:avoid}
h2,h3,h4{break-after:avoid}
details::details-content{content-visibility:visible;height:auto}
details>*{display:block}
}
`;
