/* SPDX-License-Identifier: BSD-2-Clause */
/* The style of the page, for white and dark screens and for paper; see html.h. */
#include "html.h"

static const char style[] =
    ":root{color-scheme:light dark;--paper:#fdfdfc;--ink:#1c1e22;--soft:#5f6570;--line:#dcdee2;--faint:#f0f1f3;"
    "--native:#a9abae;--would:#70757d;--mark:#1c1e22;--alarm:#9b1c1c;--alarmed:#fdf0ee;"
    "--waits:#d7d8da;--w0:#eceef1;--w1:#fbe9c0;--w2:#fbcf78;--w3:#f5a83a;--w4:#e27a16;--w5:#b94e0a;--w6:#7d2f08;--w7:#"
    "431a06}\n"
    "@media(prefers-color-scheme:dark){:root{--paper:#16181c;--ink:#e6e7e9;--soft:#a0a6b1;--line:#343840;--faint:#20232a;"
    "--mark:#f4f5f7;--alarm:#ff9d8f;--alarmed:#35201f;"
    "--waits:#484c54;--w0:#262a31;--w1:#3a2410;--w2:#6b3a0c;--w3:#9c520c;--w4:#cd7114;--w5:#ee9a3a;--w6:#fbc77a;--w7:#"
    "fff1d0}}\n"
    "@media(max-width:800px){.tiles{grid-template-columns:1fr 1fr!important}.two{grid-template-columns:1fr!important}"
    "table{display:block;overflow-x:auto}}\n"
    "@media print{:root{--paper:#fff;--ink:#000;--soft:#444;--line:#bbb;--faint:#f3f3f3;--mark:#000}"
    "body{print-color-adjust:exact;-webkit-print-color-adjust:exact}"
    "section,tr,svg{break-inside:avoid}details::details-content{content-visibility:visible;display:block}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;padding:28px 20px 60px;max-width:1000px;background:var(--paper);color:var(--ink);"
    "font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}\n"
    "h1{margin:0;font-size:14px;font-weight:600;color:var(--soft)}\n"
    "h2{margin:44px 0 4px;padding-top:12px;border-top:1px solid var(--line);font-size:19px}\n"
    "h3{margin:18px 0 2px;font-size:15px}\n"
    "p{margin:4px 0 10px;max-width:75ch}\n"
    "code{font:13px/1.45 ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace;overflow-wrap:anywhere}\n"
    ".command{display:block;margin:2px 0 14px;font-size:17px}\n"
    ".next{margin:12px 0 0;font-size:21px;font-weight:600;line-height:1.4;max-width:60ch}\n"
    ".lede{margin:10px 0 14px;font-size:21px;line-height:1.4;max-width:60ch}\n"
    ".soft,.note{color:var(--soft)}.note{font-size:13px}\n"
    ".alarm{padding:10px 14px;border-left:5px solid var(--alarm);background:var(--alarmed)}\n"
    ".dry{font-size:26px;font-weight:700;letter-spacing:.02em;color:var(--alarm)}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:3px 16px;margin:16px 0;font-size:14px}\n"
    "dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}\n"
    ".tiles{display:grid;grid-template-columns:repeat(4,1fr);gap:14px;margin:16px 0}\n"
    ".tiles div{padding:10px 14px 12px;background:var(--faint);border-radius:6px}\n"
    ".tiles b{display:block;font-size:27px;line-height:1.25;font-variant-numeric:tabular-nums}\n"
    ".tiles span{font-size:13px;color:var(--soft)}\n"
    ".tiles i{display:block;height:6px;margin-top:8px;border-radius:3px;"
    "background:linear-gradient(90deg,var(--mark) var(--p),var(--line) var(--p))}\n"
    "table{width:100%;margin:8px 0 12px;border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:3px 0 3px 14px;text-align:right;vertical-align:top;white-space:nowrap}\n"
    "th{border-bottom:1px solid var(--ink);font-weight:600;color:var(--soft);vertical-align:bottom}\n"
    "th[title]{cursor:help}td{border-bottom:1px solid var(--line)}\n"
    "th:first-child,td:first-child{padding-left:0}th.t,td.t{text-align:left}\n"
    "td.site{white-space:normal;overflow-wrap:anywhere;text-align:left;min-width:240px;"
    "font:12px/1.5 ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace}\n"
    "td.part{background:linear-gradient(90deg,var(--line) var(--p),transparent var(--p)) no-repeat right/72px 100%;"
    "min-width:86px}\n"
    "summary{cursor:pointer;color:var(--soft);font-size:13px}\n"
    ".legend{font-size:13px}.legend span{margin-right:16px;white-space:nowrap}\n"
    ".legend b{display:inline-block;width:12px;height:12px;margin-right:5px;border-radius:2px;vertical-align:-1px}\n"
    ".two{display:grid;grid-template-columns:1fr 1fr;gap:0 36px}\n"
    "svg{display:block;width:100%;height:auto;font:11px system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;"
    "font-variant-numeric:tabular-nums}\n"
    "svg text{fill:var(--soft)}svg text.ink{fill:var(--ink)}.r{text-anchor:end}.m{text-anchor:middle}\n"
    ".axis{stroke:var(--line);fill:none}.field{fill:var(--faint)}.over{fill:transparent}.over:hover{fill:var(--mark);fill-"
    "opacity:.14}\n"
    ".engines{fill:var(--mark);background:var(--mark)}.native{fill:var(--native);background:var(--native)}"
    ".would{fill:var(--would);background:var(--would)}.legend .thin{height:4px;vertical-align:3px}\n"
    ".wait{fill-opacity:.38}.waiting{fill:var(--waits)}.waits{background:var(--waits)}\n";

void html_style(FILE *f)
{
    fputs("<style>\n", f);
    fputs(style, f);
    for (int i = 0; i <= 7; i++)
        fprintf(f, ".w%d{stroke:var(--w%d);background:var(--w%d)}", i, i, i);
    fputs("\n</style>\n", f);
}
