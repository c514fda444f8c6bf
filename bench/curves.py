# SPDX-License-Identifier: BSD-2-Clause
"""Curves of measured rows over the size of the message: rates or times of engines, and the limit of the wire."""
import os
import re
import sys

import rows
from tables import lowest, size

FIGURES = {
    "latency": "Broadcasts, 201 ranks on 3 sites",
    "bcast-thin": "Broadcasts, 137 ranks on 4 sites, uplinks of 0.3 Gbit/s",
    "bcast-equal": "Broadcasts, 137 ranks on 4 sites, uplinks of 1 Gbit/s",
    "reduce-thin": "Integer reductions, 128 ranks on 3 sites, uplinks of 0.3 Gbit/s",
    "reduce-equal": "Integer reductions, 128 ranks on 3 sites, uplinks of 1 Gbit/s",
    "nodes": "Broadcasts, 16 nodes of 16 ranks, cards of 1 Gbit/s",
}


class Panel:
    """Values over bytes, for each curve. The unit is MB/s, of which the most is best, or ms, of which the least is."""

    def __init__(self, unit="MB/s"):
        self.unit = unit
        self.values = {}  # by curve and bytes
        self.engines = {}  # of the curves; most curves have the name of theirs
        self.limit = None  # the rate of the wire

    def add(self, curve, number, us, engine=None):
        self.values.setdefault(curve, {})[number] = us / 1000 if self.unit == "ms" else number / us
        self.engines[curve] = engine or curve

    def drawn(self):
        """Returns the curves to draw, from the lowest to the top: native, others, auto. Others are those that have not the
        name of their engine, and as few as are needed for a curve within 3 % of the fastest at every size."""
        sign, slack = (1, 0.97) if self.unit == "ms" else (-1, 1.03)
        best = {}
        for values in self.values.values():
            for number, value in values.items():
                best[number] = min(best.get(number, sign * value), sign * value)

        def covered(curve):
            return {number for number, value in self.values[curve].items() if sign * value * slack <= best[number]}

        shown = [curve for curve, engine in self.engines.items() if curve != engine or curve in ("auto", "native")]
        open_sizes = set(best) - (covered("native") if "native" in self.values else set())
        while open_sizes:
            most = max(self.values, key=lambda curve: curve not in shown and len(covered(curve) & open_sizes))
            if most in shown or not covered(most) & open_sizes:
                break
            shown.append(most)
            open_sizes -= covered(most)
        layers = {"native": 1, "auto": 3}
        return sorted((curve for curve in self.values if curve in shown), key=lambda c: layers.get(self.engines[c], 2))


def bench_panels(bench_rows, where=None, hosts=None):
    """Returns a panel for each call in rows of `pleach bench'. Rows in bench/data lack the columns ranks and hosts."""
    panels = {}
    for row in bench_rows:
        if row["median_us"] == "-" or row["engine"] == "learned":
            continue
        its_hosts = hosts or int(row["hosts"])
        place = where or f"{row['ranks']} ranks on {its_hosts} host{'s' if its_hosts > 1 else ''}"
        panel = panels.setdefault(f"{row.call}, {place}", Panel())
        number, us = int(row["bytes"]), row.number("median_us")
        panel.add(row["engine"], number, us)
        if row["engine"] == "native":
            panel.limit = number / us * row.number("t_over_beta_m") / lowest(row["collective"], its_hosts)
    return panels


def figure_panels(figure_rows):
    """Returns a panel for each figure of scripts/wind-figures."""
    panels = {}
    for row in figure_rows:
        figure = row["figure"]
        panel = panels.setdefault(FIGURES[figure], Panel("ms" if figure == "latency" else "MB/s"))
        if figure != "latency":
            panel.limit = 37.5 if "thin" in figure else 125
        engine = row["by"].replace("best:", "").replace("mpich", "native")
        curve = "the tree of the paper" if engine.startswith("adaptive") else engine.replace("magpie", "as MagPIe")
        if engine == "native" and row["deal"] == "block" and figure != "nodes":
            curve = "native, site by site"
        panel.add(curve, int(row["bytes"]), row.number("us"), engine)
    return panels


def panels_of(paths):
    """Returns the panels of these files. If there are several, the titles have their names."""
    panels = {}
    for path in paths:
        columns, found = rows.read(path)
        if "figure" in columns:
            its = figure_panels(found)
        elif "median_us" in columns and "hosts" in columns:
            its = bench_panels(found)
        else:
            sys.exit(f"benchmarks: {path} has no rows of `pleach bench --format tsv' or of scripts/wind-figures")
        name = f"{os.path.basename(path)}: " if len(paths) > 1 else ""
        panels.update({name + title: panel for title, panel in its.items()})
    return panels


def pictures():
    """Returns the panels of each picture of bench/data."""

    def data(name, where, hosts):
        return bench_panels(rows.measured(name + ".tsv"), where, hosts)

    node, lab = "2 ranks on a node", "{} hosts of 100 Mbit/s"
    return {
        "node": {**data("node", node, 1), **data("allreduce-node", node, 1)},
        "lab": {**data("lab", lab.format(16), 16), **data("allreduce-13", lab.format(13), 13)},
        "figures": figure_panels(rows.measured("figures.tsv")),
    }


def colours(panels):
    """Returns the colours of the engines of all panels: those of src/reference/colour.c, in the order of drawing."""
    with open("src/reference/colour.c") as file:
        native, rest, *palette = re.findall('"(#[0-9a-f]+)"', file.read())
    known = {"auto": "#000000", "native": native}
    for panel in panels.values():
        for curve in panel.drawn():
            engine = panel.engines[curve]
            if engine.startswith("native"):
                known[engine] = native
            elif engine not in known:
                known[engine] = palette.pop(0) if palette else rest
    return known


def draw(panels, path):
    """Draws all panels in one picture; the suffix of its name says in which format."""
    try:
        import matplotlib
    except ImportError:
        sys.exit("benchmarks: there is no matplotlib for pictures (Debian: python3-matplotlib)")
    matplotlib.use("agg")
    from matplotlib import pyplot, ticker

    pyplot.rcParams.update({"font.size": 8, "svg.fonttype": "none", "svg.hashsalt": "pleach"})
    columns = min(len(panels), 3)
    lines = -(-len(panels) // columns)
    figure, axes = pyplot.subplots(
        lines, columns, figsize=(4.8 * columns, 3 * lines), squeeze=False, constrained_layout=True
    )
    colour = colours(panels)
    for axis in axes.flat[len(panels) :]:
        axis.remove()
    for axis, (title, panel) in zip(axes.flat, panels.items()):
        axis.set_title(title, loc="left")
        axis.set(xlabel="bytes", ylabel=panel.unit, xscale="log", yscale="log")
        if panel.limit:
            axis.axhline(panel.limit, color="#cc0000", linestyle=":", label="wire")
        for curve in panel.drawn():
            engine = panel.engines[curve]
            points = sorted(panel.values[curve].items())
            axis.plot(
                *zip(*points),
                label=curve,
                gid=f"{title}: {curve}",
                color=colour[engine],
                linewidth={"auto": 3.5, "native": 2}.get(engine, 1.5),
                linestyle="-" if curve == engine else "--",
            )
        sizes = sorted({number for values in panel.values.values() for number in values})
        shown = sizes[:: 2 if len(sizes) > 5 else 1]
        axis.set_xticks(shown)
        axis.set_xticklabels([size(number) for number in shown])
        axis.xaxis.set_minor_locator(ticker.NullLocator())
        axis.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
        axis.yaxis.set_major_formatter("{x:g}")
        axis.yaxis.set_minor_locator(ticker.NullLocator())
        axis.grid(color="#dddddd")
        axis.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None)
    pyplot.close(figure)
