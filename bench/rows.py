# SPDX-License-Identifier: BSD-2-Clause
"""The measured rows in bench/data, and the marks of those that are not of this code. Paths begin at the top of the tree."""
import csv
import datetime
import functools
import glob
import os
import re
import subprocess
import sys

DATA = "bench/data"


class Row(dict):
    """The cells of a row by their columns, as text. A column that the file lacks has "-"."""

    stale = False  # other code served the row, or the model would choose otherwise today

    def __missing__(self, column):
        return "-"

    def number(self, column):
        return float(self[column])

    def over(self, one, other):
        return self.number(one) / self.number(other)

    @property
    def call(self):
        return self["collective"] + ("" if self["op"] == "-" else " " + self["op"])


def read(path):
    """Returns the columns and the rows of a file."""
    with open(path, newline="") as file:
        reader = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return list(reader.fieldnames or []), [Row(row) for row in reader]


def write(path, columns, rows):
    with open(path, "w") as file:
        for row in [columns, *([row[column] for column in columns] for row in rows)]:
            print(*row, sep="\t", file=file)


@functools.cache
def measured(name):
    """Returns the rows of a file in bench/data, with their marks."""
    rows = read(f"{DATA}/{name}")[1]
    for row in rows:
        row.stale = is_stale(name, row)
    return rows


# ---- Marks -------------------------------------------------------------------------------------------------------


def servers(name, row):
    """Returns what has served the row of this file: the words that code() knows."""
    if "chosen" in row:
        return [row["chosen"]] if row["chosen"] != "-" else []
    if "learned" in row:
        return [row["auto"], row["learned"]]
    if "by" in row:
        return [row["engine"]] if row["engine"] != "-" else ["call"] if row["by"] == "auto" else []
    if re.fullmatch(r"(checks|dates|code|logs|.*machine|.*segment)\.tsv", name):
        return []
    return [{"folds.tsv": "fold", "communicators.tsv": "communicator"}.get(name, "call")]


def sources(server):
    """Returns the files of a server: an engine (its sources, and what performs its schedule), "call" (all that a call passes
    but the choice), "communicator" (what a communicator costs) or "fold". For native calls these are the sources of the
    model, which left them to the MPI library."""
    rooms = {
        "native": "facts learn choose",
        "call": "interpose watch call run engines trees",
        "communicator": "agreement measure topology learn choose engines trees",
    }.get(re.sub("^native.*", "native", server))
    if rooms:
        return [file for room in rooms.split() for file in sorted(glob.glob(f"src/{room}/*.[ch]"))]
    if server == "fold":
        return ["src/run/fold.c"]
    stem = server.replace("-", "_")
    own = [file for room in ("engines", "trees", "reference") for file in sorted(glob.glob(f"src/{room}/{stem}*.c"))]
    if server.startswith("node-"):
        left_out = {"loop.c", "pending.c"}
    elif server in ("lanes", "multiport"):
        left_out = set()
    else:
        left_out = {"cells.c", "large_copy.c", "rounds.c", "stream.c"}
    return own + [file for file in sorted(glob.glob("src/run/*.c")) if os.path.basename(file) not in left_out]


@functools.cache
def code(server):
    """Returns a checksum of a server's sources, and of those that they include from rooms that all engines see, without
    comments and blanks."""
    files = sources(server)
    text = []
    for file in files:  # which grows
        if not os.path.exists(file):
            continue
        with open(file, encoding="latin-1") as opened:
            source = opened.read()
        for name in re.findall(r'^ *#include *"([^"\n]*)"[^"\n]*$', source, re.M):
            for room in ("base", "schedule", "trees", "engines", "reference", "run"):
                names = (f"include/pleach/{room}/{name}", f"src/{room}/{name}", f"src/{room}/{name[:-1]}c")
                files += [new for new in names if new not in files]
        text.append(re.sub(r"[ \t\n]", "", re.sub(r"/\*.*?\*/|//[^\n]*", "", source, flags=re.S)))
    checksum = subprocess.run(["cksum"], input="".join(text).encode("latin-1"), stdout=subprocess.PIPE, check=True)
    return checksum.stdout.decode().split()[0]


@functools.cache
def choice(facts):
    """Returns the engine and the blocks that `pleach choose` names for these arguments, in one word."""
    pleach = os.environ.get("PLEACH") or os.environ.get("BUILD", "build") + "/pleach"
    if not os.access(pleach, os.X_OK):
        sys.exit("benchmarks: needs the command pleach, see --help")
    table = subprocess.run(
        [pleach, "choose", *facts.split(), "--format", "tsv"], env={"PLEACH_CONF": ""}, stdout=subprocess.PIPE, check=True
    )
    return "/".join(table.stdout.decode().splitlines()[1].split("\t")[:2])


@functools.cache
def noted():
    """Returns the code that served the rows, by file, rows and server."""
    return {(row["file"], row["rows"], row["server"]): row["code"] for row in read(f"{DATA}/code.tsv")[1]}


def is_stale(name, row):
    known = row["facts"] != "-"
    if known and choice(row["facts"]) != row["model"]:
        return True
    first = next(iter(row.values()))
    return any(
        noted().get((name, first, server), noted().get((name, "-", server))) != code(server)
        for server in servers(name, row)
        if not (known and server.startswith("native"))
    )


def note(name, which="-"):
    """Notes that a file in bench/data has been measured today, by this code: the date, the checksums of the code, and for
    rows with facts what the model chooses. WHICH is a value of the first column, if only these rows are new."""
    columns, rows = read(f"{DATA}/{name}")
    if "facts" in columns:
        for row in rows:
            row["model"] = choice(row["facts"]) if row["facts"] != "-" else "-"
        write(f"{DATA}/{name}", list(dict.fromkeys([*columns, "model"])), rows)
    new = {server for row in rows if which in ("-", row[columns[0]]) for server in servers(name, row)}
    today = Row(file=name, rows=which, day=datetime.date.today().isoformat())
    codes = [Row(file=name, rows=which, server=server, code=code(server)) for server in new]
    for file, added in ("dates.tsv", [today]), ("code.tsv", codes):
        columns, old = read(f"{DATA}/{file}")
        kept = [row for row in old if (row["file"], row["rows"]) != (name, which)]
        write(f"{DATA}/{file}", columns, sorted(kept + added, key=lambda row: list(row.values())))
