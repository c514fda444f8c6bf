# SPDX-License-Identifier: BSD-2-Clause
"""Reads what Pleach writes: reports in JSON, pages, logs, and the JSON of `pleach COMMAND --format json'.

    import pleach
    tables = pleach.read("report.html")
    tables["sites"]     # a pandas.DataFrame if pandas is there, else a list of dicts

pleach-report(5) describes the tables of a report. "run" has one row; "calls" has a row for each rank of a call. A log has
one table, "calls".
"""

import json

# Fields that a report leaves out if they are 0.
_COUNTED = {"calls", "bytes", "seconds", "min_s", "max_s", "most_s", "late_calls", "late_s"}


def _report(text):
    page = text.find("<script type='application/json' id='pleach-report'>")
    if page >= 0:
        end = text.find("</script>", page)
        text = text[text.index(">", page) + 1 : end if end >= 0 else None]
    report = json.loads(text)
    if not isinstance(report, dict) or "traceEvents" in report:
        raise ValueError("this is neither a report nor the tables of a command")
    return report


def _calls(calls):
    for number, call in enumerate(calls):
        once = {key: value for key, value in call.items() if not isinstance(value, list)}
        for rank, start, length in zip(call["ranks"], call["start_ns"], call["ns"]):
            yield {"call": number, **once, "rank": rank, "start_s": start / 1e9, "seconds": length / 1e9}


# Columns of a log that are numbers.
_NUMBERS = {name: int for name in ("seq", "rank", "ranks", "bytes", "count", "root", "blocks")}
_NUMBERS.update(time_s=float, duration_us=float)


def _log(text):
    lines = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    for line in lines[1:]:
        if line != lines[0]:
            yield {
                name: None if value == "-" else _NUMBERS.get(name, str)(value) for name, value in zip(lines[0], line)
            }


def _table(rows):
    rows = [dict(row) for row in rows]
    for name in {name for row in rows for name in row} & _COUNTED:
        for row in rows:
            row.setdefault(name, 0)
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows)


def read(name):
    """Returns a dict of the tables in the file: a report as JSON or HTML, a log, or the JSON of a command."""
    with open(name, encoding="utf-8", errors="replace") as file:
        text = file.read()
    if text.startswith("seq\t"):
        return {"calls": _table(_log(text))}
    report = _report(text)
    version = report.pop("pleach_report", None)
    if version not in (None, 1):
        raise ValueError(f"{name} is of version {version}, and this module reads version 1")
    if version is None:
        return {key: _table(rows) for key, rows in report.items()}
    report["run"] = [report["run"]]
    report["calls"] = list(_calls(report["calls"]))
    report["frames"] = [{"frame": frame} for frame in report["frames"]]
    return {key: _table(rows) for key, rows in report.items()}
