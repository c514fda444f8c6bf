# SPDX-License-Identifier: BSD-2-Clause
"""The tables and bars of BENCHMARKS. bench/BENCHMARKS.in names them by lines that begin with @: a function and its words."""
import re
import shlex
import statistics
import textwrap

import rows
from rows import measured

KNOWN = {}  # the functions that a page may name
# Files whose rows have the regret of a choice.
CHOICES = (
    "node lab lab-root lab-two allreduce-12 allreduce-13 allreduce-16 allreduce-6x2 allreduce-6x2-turn allreduce-node "
    "openmpi openmpi-node"
).split()


def table(function):
    KNOWN[function.__name__] = function
    return function


def page(path):
    """Yields the lines of BENCHMARKS. {KEY} and {KEY NAME} are cells of machine.tsv and NAME-machine.tsv."""
    with open(path) as file:
        for line in file.read().splitlines():
            line = re.sub(r"\{(\w+)(?: (\w+))?\}", lambda found: know(found[1], found[2]), line)
            if line.startswith("@"):
                name, *words = shlex.split(line[1:])
                yield from (text.rstrip() for text in KNOWN[name](*words))
            else:
                yield line


def know(key, name):
    with open(f"{rows.DATA}/{name + '-' if name else ''}machine.tsv") as file:
        return dict(line.split("\t") for line in file.read().splitlines())[key]


# ---- Cells -------------------------------------------------------------------------------------------------------


class Table:
    """A line for each name and a column for each heading, both in the order in which they come. A line in which a cell is
    stale begins with *."""

    def __init__(self, left, width, corner="", missing=""):
        self.left, self.width, self.corner, self.missing = left, width, corner, missing
        self.headings, self.cells, self.stale = {}, {}, set()

    def add(self, name, heading, text, stale=False):
        self.headings[heading] = True
        self.cells.setdefault(name, {})[heading] = text
        if stale:
            self.stale.add(name)

    def lines(self):
        yield self.line("    ", self.corner, self.headings)
        for name, cells in self.cells.items():
            yield self.line(margin(name in self.stale), name, [cells.get(h, self.missing) for h in self.headings])

    def line(self, margin, name, texts):
        return f"{margin}{name:<{self.left}}" + "".join(f"{text:>{self.width}}" for text in texts)


def margin(stale):
    return "  * " if stale else "    "


def size(number):
    number = int(number)
    if number >= 1 << 20:
        return f"{number / (1 << 20):g}M"
    return f"{number / 1024:g}K" if number >= 1024 else str(number)


def noise(row):
    return "~" if row["noisy"] == "yes" else " "


def wrapped(text, hanging=""):
    """Yields the lines of a text, with a margin."""
    first, *rest = textwrap.wrap(text, 111, break_on_hyphens=False)
    yield "    " + first
    yield from ("    " + hanging + line for line in rest)


def lowest(collective, hosts):
    """Returns the least time of a call on several hosts, in units of beta m."""
    return 2 * (hosts - 1) / hosts if collective == "allreduce" and hosts > 1 else 1


# ---- Bars --------------------------------------------------------------------------------------------------------


@table
def axis(last=""):
    yield f"    {'':<28} {'0   1   2   3   4   5   6   7':<29} AUTO NATIVE {last:>5}"


def bar(auto, native):
    """Returns four characters for each unit of time: # up to the shorter time of both calls, then up to the longer one - if
    that is the native call, ! if it is the one with Pleach. A bar that is cut off ends with >."""
    both, whole = (int(4 * time + 0.5) for time in sorted((auto, native)))
    rest = (28 if whole > 29 else whole) - both
    return "#" * both + ("-" if auto < native else "!") * rest + (">" if whole > 29 else "")


def put_bar(row, name, bar, auto, native, last=""):
    return f"{margin(row.stale)}{name:<28} {bar:<29} {auto:4.2f} {native:6.2f} {last:>5}"


@table
def bars(number, hosts, name, what=""):
    """A bar for each call of this number of bytes, in units of beta m, and the least time on so many hosts."""
    chosen = [row for row in measured(name) if row["bytes"] == number]
    native = {row.call: row.number("t_over_beta_m") for row in chosen if row["engine"] == "native"}
    for row in chosen:
        if row["engine"] == "auto":
            auto = row.number("t_over_beta_m")
            limit = f"{lowest(row['collective'], int(hosts)):.2f}"
            yield put_bar(row, row.call + what, bar(auto, native[row.call]), auto, native[row.call], limit)


@table
def sites(number):
    """Times on three sites of four hosts. The unit is the time in which an uplink carries the message or, for short
    messages, ms."""
    short = int(number) < 1024
    native = {}
    for row in measured("sites.tsv"):
        if row["bytes"] != number or row["delay"] == "0ms":
            continue
        name = f"{row['collective']}, in {'blocks' if row['deal'] == 'block' else 'turn'}, {row['delay']}"
        time = row.number("us") / 1000 if short else row.number("us") * 30 / 8 / int(number)
        if row["engine"] == "native":
            native[name] = time
        elif row["engine"] == "auto" and short:
            yield f"{margin(row.stale)}{name:<28} {number} bytes: {time:.2f} ms, natively {native[name]:.2f}"
        elif row["engine"] == "auto":
            yield put_bar(row, name, bar(time / 2, native[name] / 2), time, native[name])


# ---- Tables by size ----------------------------------------------------------------------------------------------


@table
def ratios(*names):
    """The native time over that of AUTO, for all calls and sizes of each file. Files of the same sizes share a heading."""
    heading = None
    for name in names:
        grid = Table(18, 6)
        for row in measured(name):
            if row["engine"] == "auto":
                ratio = f"{row.number('native_over_engine'):.1f}{noise(row)}"
                grid.add(row.call, size(row["bytes"]) + " ", ratio, row.stale)
        first, *rest = grid.lines()
        yield from rest if first == heading else [first, *rest]
        heading = first


@table
def ranges(most, *names):
    """The least and the largest of these ratios, for calls of at most so many bytes."""
    kinds = {"broadcasts": "bcast", "reductions": "reduce", "all-reduces": "allreduce", "scans and exscans": "scan exscan"}
    for kind, collectives in kinds.items():
        all_ratios = [
            row.number("native_over_engine")
            for name in names
            for row in measured(name)
            if row["engine"] == "auto" and int(row["bytes"]) <= int(most) and row["collective"] in collectives.split()
        ]
        least, largest = min(all_ratios), max(all_ratios)
        text = f"{least:.1f} to {largest:.{1 if largest < 9.95 else 0}f}"
        yield f"    {text:<20} {kind}"


@table
def regret(name):
    """The median and the largest regret of AUTO and of LEARNED, over all rows without noise."""
    for who in ("auto", "learned"):
        all_regrets = [row.number("regret") for row in measured(name) if row["engine"] == who and row["noisy"] != "yes"]
        if all_regrets:
            yield f"    REGRET of {who}: median {statistics.median(all_regrets):.2f}, largest {max(all_regrets):.2f}"


@table
def crowded():
    """The native time over that of Pleach for ranks that share two cores: MPICH on the left, Open MPI on the right."""
    left, right = Table(18, 6), Table(6, 6)
    right.stale = left.stale
    for row in measured("crowded.tsv"):
        ratio = row.over("native_us", "pleach_us")
        grid = left if row["mpi"] == "MPICH" else right
        name = f"{row['ranks']} ranks {row['collective']}"
        grid.add(name, size(row["bytes"]), f"{ratio:.{1 if ratio < 10 else 0}f}", row.stale)
    for one, other in zip(left.lines(), right.lines()):
        yield one + " " * right.left + other[-right.width * len(right.headings) :]


def plain(name, grid, cell):
    """Fills a table from a file whose rows are its cells: cell() returns name, heading and text."""
    for row in measured(name):
        grid.add(*cell(row), row.stale)
    return grid.lines()


@table
def draws():
    """One-sided operations on a rank that waits. A cell has two times: native and with Pleach."""
    return plain(
        "draws.tsv",
        Table(10, 16),
        lambda row: (
            row["collective"],
            f"{row['mpi']}, {row['draws']}",
            f"{row.number('native_us'):.2f} {row.number('pleach_us'):5.2f}",
        ),
    )


@table
def patterns():
    """Mixes of calls: the native time over that of Pleach."""
    return plain(
        "patterns.tsv",
        Table(22, 16),
        lambda row: (row["pattern"], f"{row['mpi']}, {size(row['bytes'])}", f"{row.over('native_us', 'pleach_us'):.2f}"),
    )


@table
def exact():
    """Exact sums: their time over that of sums of integers."""
    return plain(
        "exact.tsv",
        Table(10, 7),
        lambda row: (row["mpi"], size(row["bytes"]), f"{row.over('exact_us', 'integers_us'):.2f}"),
    )


@table
def reference(name, mpi):
    """Loops beside the reference. A cell has the time of Pleach over that of the reference, and native over Pleach."""
    grid = Table(18, 14, mpi)
    over = []
    for row in measured(name):
        if row["mpi"] == mpi:
            over.append(row.over("pleach_us", "reference_us"))
            grid.add(row.call, size(row["bytes"]), f"{over[-1]:.2f} {row.over('native_us', 'pleach_us'):5.1f}", row.stale)
    yield from grid.lines()
    yield f"    Pleach over that program: median {statistics.median(over):.2f}, largest {max(over):.2f}"


@table
def memory(ranks, segment, *names):
    """Sums and broadcasts through memory that ranks share. A cell has three ratios: the time of AUTO over the limit, then
    the native time and the time of the fastest engine that sends messages, both over that of AUTO."""
    seconds = {row["figure"]: row.number("seconds") for row in measured(segment)}
    copy, fold = min(seconds["copy"], seconds["stream"]), seconds["fold"]
    two = int(ranks) == 2
    limit = {
        "bcast": copy,
        "reduce": max(copy, fold),
        "allreduce": copy + fold,
        "scan": 2 * copy if two else copy + fold,
        "exscan": copy if two else copy + fold,
    }
    times, stale = {}, set()  # the times of the engines for each call
    for row in (row for name in names for row in measured(name)):
        if row["op"] not in ("exact", "user"):
            engines = times.setdefault((row["collective"], int(row["bytes"])), {})
            engines.setdefault(row["engine"], row.number("median_us"))
            if row["engine"] == "auto" and row.stale:
                stale.add(row["collective"])
    grid = Table(10, 19)
    for (collective, number), engines in times.items():
        if number in (8 << 10, 64 << 10, 512 << 10, 4 << 20, 16 << 20):
            sent = min(t for engine, t in engines.items() if not re.match("auto|learned|native|node-", engine))
            auto = engines["auto"]
            text = f"{auto / (1e6 * number * limit[collective]):.1f} {engines['native'] / auto:5.1f} {sent / auto:5.1f}"
            grid.add(collective, size(number), text, collective in stale)
    yield from grid.lines()
    wait = 1e6 * seconds["wait"]
    yield (
        f"    Rates: copies {1e-9 / copy:.0f} GB/s, folds {1e-9 / fold:.0f} GB/s, both of blocks in cache; "
        f"a wait takes {wait:.2f} us."
    )


@table
def learned():
    """For each place two ratios in a cell: the native time over that of the engine that served before learning, and over
    that of the engine that serves by what was learned. Then the gain of the latter over the former, the calm rows in which
    this is a loss, and the regret of the latter."""
    everything = measured("learned.tsv")
    for where in dict.fromkeys(row["where"] for row in everything):
        grid = Table(18, 11, where)
        gains, losses, regrets, twice = [], [], [], []
        for row in everything:
            if row["where"] != where:
                continue
            native, before, after = (row.number(column) for column in ("native_us", "auto_us", "learned_us"))
            text = f"{native / before:.1f} {f'{native / after:.1f}{noise(row)}':>5}"
            grid.add(row.call, size(row["bytes"]) + " ", text, row.stale)
            gains.append(before / after)
            if row["noisy"] == "no":
                regrets.append(row.number("regret"))
                twice.append(after / row.number("call_us"))
                if gains[-1] < 0.97:
                    losses.append(f"{row.call} {size(row['bytes'])} {gains[-1]:.2f}")
        yield from grid.lines()
        yield f"    AUTO over LEARNED: median {statistics.median(gains):.2f}, least {min(gains):.2f}, most {max(gains):.2f}"
        if losses:
            yield f"    LEARNED is slower than AUTO in calm rows: {', '.join(losses)}"
        yield f"    REGRET of LEARNED: median {statistics.median(regrets):.2f}, largest {max(regrets):.2f}"
        yield f"    LEARNED by name, over LEARNED in intercepted calls: {min(twice):.2f} to {max(twice):.2f}"


@table
def tunnel(platform):
    """The least time of the MPI libraries over that of AUTO."""
    auto, best = {}, {}
    grid = Table(37, 6, missing="-")
    for row in measured("tunnel.tsv"):
        if row["platform"] != platform:
            continue
        name = f"{row['ranks']:>4} ranks, {row.call}{', root inside' if int(row['root']) > 0 else ''}"
        heading = size(row["bytes"])
        key = name, heading
        if row["by"] == "auto":
            auto[key] = row.number("t_over_beta_m")
        elif row["by"] in ("mpich", "ompi", "mvapich2", "impi", "doubling") and row["t_over_beta_m"] != "wrong":
            best[key] = min(best.get(key, float("inf")), row.number("t_over_beta_m"))
        ratio = f"{best[key] / auto[key]:.1f}" if key in best and key in auto else "-"
        grid.add(name, heading, ratio, row["by"] == "auto" and row.stale)
    return grid.lines()


@table
def short_calls(*nodes):
    """The least native time of a simulated call over that of AUTO; the engine; AUTO's time over the limit."""
    auto, best, limit = {}, {}, {}
    grid = Table(20, 12)
    for row in measured("short.tsv"):
        if row["nodes"] not in nodes:
            continue
        key = name, heading = f"{row['nodes']:>3} x {row['node_ranks']}, {row['collective']}", size(row["bytes"])
        if row["by"] == "auto":
            auto[key] = row.number("us"), row["engine"][0]
        elif row["by"] == "limit":
            limit[key] = row.number("us")
        else:
            best[key] = min(best.get(key, float("inf")), row.number("us"))
        grid.add(name, heading, "", row["by"] == "auto" and row.stale)
    ratios, multiples = [], []
    for (name, heading), (us, engine) in auto.items():
        ratios.append(best[name, heading] / us)
        multiples.append(us / limit.get((name, heading), float("nan")))
        grid.add(name, heading, f"{ratios[-1]:.2f}{engine} {multiples[-1]:.2f}")
    yield from grid.lines()
    yield (
        f"    median {statistics.median(ratios):.2f}, least {min(ratios):.2f}; "
        f"over the limit: median {statistics.median(multiples):.2f}, most {max(multiples):.2f}"
    )


@table
def short_errors():
    """How wrong simulated times are on one node."""
    own, native = [], []
    for row in measured("short-node.tsv"):
        (native if row["engine"] == "native" else own).append(row.over("simulated_us", "measured_us"))
    errors = [abs(x - 1) for x in own]
    yield (
        f"    On one node, simulated times are wrong by {100 * statistics.mean(errors):.0f} % on average, "
        f"at most {100 * max(errors):.0f} %;"
    )
    yield f"    simulated native times are {min(native):.2f} to {max(native):.2f} of measured ones"


@table
def figures():
    """A row for each figure that scripts/wind-figures measures, for its longest message: the rates or, in the figure
    `latency', the times of the native call and of some algorithms."""
    values, longest, stale = {}, {}, set()
    for row in measured("figures.tsv"):
        figure, number = row["figure"], int(row["bytes"])
        longest[figure] = max(longest.get(figure, 0), number)
        by = "mpich in blocks" if (row["by"], row["deal"]) == ("mpich", "block") else row["by"]
        us = row.number("us")
        values[figure, number, by] = f"{us / 1000:.1f} ms" if figure == "latency" else f"{number / us:.1f} MB/s"
        if row.stale:
            stale.add(figure)
    grid = Table(18, 13)
    for figure, number in longest.items():
        paper = "best:adaptive-latency" if figure == "latency" else "best:adaptive-bandwidth"
        ours = {"latency": "best:latency-tree", "nodes": "best:places"}.get(figure, "best:places-line")
        shown = {"MPICH": "mpich in blocks", "MagPIe": "best:magpie", "paper": paper, "AUTO": "auto", "best of ours": ours}
        for heading, by in shown.items():
            grid.add(f"{figure:<12} {size(number):>5}", heading, values.get((figure, number, by), "-"), figure in stale)
    return grid.lines()


@table
def folds():
    """For each MPI library the GB/s of its folds, and those of Pleach's kernel that gives the same bits."""
    for i, mpi in enumerate(dict.fromkeys(row["mpi"] for row in measured("folds.tsv"))):
        yield from ([""] if i else [])
        grid = Table(19, 9, mpi)
        for row in measured("folds.tsv"):
            if row["mpi"] == mpi:
                ours = "-" if row["ours"] == "-" else f"{row.number('ours'):.0f}"
                grid.add(row["numbers"], row["fold"], f"{row.number('theirs'):.0f}/{ours}", row.stale)
        yield from grid.lines()


@table
def communicators():
    """The bytes that a communicator keeps on each rank, and the microseconds of each step, by the number of ranks. Each cell
    has the largest value of all collectives."""
    names = {
        "nodes": "nodes, once a job",
        "places": "places, first call",
        "choice": "choice for a kind",
        "operation": "operation of a kind",
    }
    grid = Table(22, 20, "ranks")
    most = {}
    for row in measured("communicators.tsv"):
        cost = most.setdefault((row["step"], row["ranks"]), {"bytes": 0, "us": 0})
        for column in cost:
            cost[column] = max(cost[column], row.number(column) if row[column] != "-" else 0)
        if row["step"] in names:
            text = f"{cost['bytes']:10.0f} {cost['us']:9.1f}"
            grid.add(names[row["step"]], row["ranks"], text, row.stale)
    first, *rest = grid.lines()
    return [first, grid.line("    ", "", [f"{'bytes':>10} {'us':>9}"] * len(grid.headings)), *rest]


# ---- Lists -------------------------------------------------------------------------------------------------------


@table
def logs():
    """How logs are read."""
    everything = measured("logs.tsv")
    yield f"{margin(everything[0].stale)}{'records':>10} {'records/s':>12} {'time':>8} {'peak memory':>11}"
    for row in everything:
        records, seconds = int(row["records"]), row.number("seconds")
        yield f"    {records:10} {int(records / seconds):12} {seconds:6.2f} s {row.number('peak_mb'):8.1f} MB"


def calm_choices(name):
    """Returns the rows of AUTO and of LEARNED without noise, by their calls."""
    calls = {}
    for row in measured(name + ".tsv"):
        if row["chosen"] != "-" and row["noisy"] == "no":
            calls.setdefault(row.call, []).append(row)
    return calls


@table
def slower():
    """The calls in which a choice takes more than 3 % longer than the native call."""
    for name in CHOICES:
        for call, choices in calm_choices(name).items():
            losses = [row for row in choices if row["native_over_engine"] != "-" and row.number("native_over_engine") < 0.97]
            texts = [
                ", ".join(f"{size(row['bytes'])} {row['native_over_engine']}" for row in losses if row["engine"] == who)
                for who in ("auto", "learned")
            ]
            if losses:
                stale = any(row.stale for row in losses)
                yield f"{margin(stale)}{name:<14}  {call:<18}  {texts[0]:<46}  {texts[1]}"


@table
def behind():
    """The calls in which a choice takes more than 10 % longer than the fastest engine."""
    for name in CHOICES:
        for call, choices in calm_choices(name).items():
            losses = [row for row in choices if row["regret"] != "-" and row.number("regret") > 1.1]
            texts = []
            for who in ("auto", "learned"):
                its = [row for row in losses if row["engine"] == who]
                if not its:
                    texts.append("")
                    continue
                worst = max(its, key=lambda row: row.number("regret"))
                every = sum(row.call == call and row["engine"] == who for row in measured(name + ".tsv"))
                named = " named" if worst["best"] == worst["chosen"] else ""
                texts.append(
                    f"{f'{len(its)}/{every}':>5} {worst['regret']} {size(worst['bytes']):>4} {worst['chosen']}, "
                    f"not {worst['best']}{named}"
                )
            if losses:
                stale = any(row.stale for row in losses)
                yield f"{margin(stale)}{name:<14}  {call:<18}  {texts[0]:<38}  {texts[1]}"


@table
def price():
    """The nanoseconds that Pleach adds to a call, and those of a step of a schedule."""

    def native(row):
        return row["part"] == "call under pleach run" and row["quantity"] == "difference"

    def step(row):
        return row["part"] == "schedule" and row["quantity"] == "step"

    def served(row):
        return row["quantity"] if row["part"] == "served" else None

    for text, wanted in (
        ("a call that goes to MPICH, one rank", lambda row: native(row) and row["ranks"] == "1"),
        ("a call that goes to MPICH, two ranks", lambda row: native(row) and row["ranks"] == "2"),
        ("a call that an engine serves, two ranks, without MPI", lambda row: served(row) in ("named", "learned")),
        ("a call through shared memory that does not wait", lambda row: served(row) == "shared"),
        ("a step of a schedule, 16 to 1000000 ranks", lambda row: step(row) and row["engine"] != "scatter-allgather"),
        ("a step of scatter-allgather, 16 to 1000000 ranks", lambda row: step(row) and row["engine"] == "scatter-allgather"),
    ):
        found = [row for row in measured("calls.tsv") if wanted(row)]
        times = [row.number("ns") for row in found]
        yield f"{margin(any(row.stale for row in found))}{text:<58} {min(times):5.0f} to {max(times):4.0f} ns"


@table
def applications():
    """Applications, and what each computes: their least times natively and with Pleach, and the share of a native run that
    their calls take."""
    everything = measured("applications.tsv")

    def times(group, column):
        native, pleach = ([row.number(column) for row in group if row["who"] == who] for who in ("native", "pleach"))
        noisy = min(native) <= max(pleach) and min(pleach) <= max(native)
        return f"{min(native):7.1f} {min(pleach):6.1f} {min(native) / min(pleach):5.2f}{'~' if noisy else ' '}"

    def percent(share):
        return f"{100 * share:.0f} %"

    first = everything[0]
    where = f"{first['mpi']}, {first['hosts']} hosts, {first['ranks']} ranks, ports of {first['rate']}"
    yield f"    {where}; times in seconds; RATIO: native over Pleach"
    yield ""
    yield (
        f"    {'':<10}  {' RUN    PLEACH RATIO':<20}  {' LOOP   PLEACH RATIO':<20}  "
        f"{'SERVED':>6} {'>64K':>6} {'WAITED':>6} {'CALLS':>6} {'LARGEST':>7}"
    )
    notes = [""]
    for name in dict.fromkeys(row["application"] for row in everything):
        group = [row for row in everything if row["application"] == name]
        by = {row["who"]: row for row in reversed(group)}
        counted = by["counted"]
        shares = [f"{percent(counted.number(column)):>6}" for column in ("in_calls", "in_large", "large_waited")]
        largest = size(int(counted.number("largest") / 1024 + 0.5) * 1024)
        yield (
            f"{margin(any(row.stale for row in group))}{name:<10} {times(group, 'run_s')} {times(group, 'loop_s')}  "
            f"{' '.join(shares)} {counted['large_calls']:>6} {largest:>7}"
        )
        engines = by.get("reported", by["pleach"])["engines"]
        engines = "none" if engines == "-" else engines
        wrong = "".join(f"; a WRONG answer of {row['who']}" for row in group if row["answer"] == "WRONG")
        notes += [f"    {name:<10} {counted['input']}", f"               {counted['version']}; engines: {engines}{wrong}"]
    yield from notes
    idle = min(row.number("idle") for row in everything)
    steal = max(row.number("steal") for row in everything)
    yield (
        f"    Cores were at least {percent(idle)} idle before each run; "
        f"other virtual machines took at most {percent(steal)} of them."
    )


@table
def checks(lab):
    """What `lab check' found."""
    found = (f"{row['check']} {row['value']}" for row in measured("checks.tsv") if row["lab"] == lab)
    return wrapped("The lab: " + "; ".join(found))


@table
def days():
    """Each day, and the files whose rows are of that day."""
    by_day = {}
    for row in sorted(measured("dates.tsv"), key=lambda row: (row["day"], row["file"], row["rows"])):
        which = "" if row["rows"] == "-" else f" ({row['rows']})"
        by_day.setdefault(row["day"], []).append(row["file"][:-4] + which)
    for day, files in by_day.items():
        yield from wrapped(f"{day}  {'; '.join(files)}", hanging=" " * 12)
