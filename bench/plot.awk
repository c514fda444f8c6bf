# SPDX-License-Identifier: BSD-2-Clause
# Prints a script with which gnuplot draws an SVG. Reads the colours of engines in src/reference/colour.c: native's, that of the rest, and the palette. Then reads lines
# with the fields panel, unit, curve, engine, bytes and value, with tabs between them. Each panel has values over bytes. The
# least value is the best if the unit is "ms", else the greatest. If the engine is "limit", the value is the limit of the
# wire at all sizes. The script draws auto, native, curves that are not named after their engine, and as few other engines as
# are needed for a curve within 3 % of the fastest at every size.
BEGIN { FS = "\t" }
FILENAME ~ /colour\.c$/ {
    for (text = $0; match(text, /"#[0-9a-f]+"/); text = substr(text, RSTART + RLENGTH))
        hue[++hues] = substr(text, RSTART, RLENGTH)
    next
}
!($1 in panel) {
    panel[$1] = ++panels
    title[panels] = $1
    unit[panels] = $2
}
{ p = panel[$1] }
$4 == "limit" {
    limit[p] = $6
    next
}
{
    if (!((p, $3) in data)) {
        curve[p, ++curves[p]] = $3
        engine[p, $3] = $4
    }
    data[p, $3] = data[p, $3] $5 " " $6 "\n"
    value[p, $3, $5] = $6
    if (!((p, $5) in best))
        bytes[p, ++sizes[p]] = $5
    if (!((p, $5) in best) || better(p, $6, best[p, $5]))
        best[p, $5] = $6
}

function better(p, a, b) {
    return unit[p] == "ms" ? a + 0 < b + 0 : a + 0 > b + 0
}

# Returns the number of sizes that a curve would cover: it is within 3 % of the fastest there, and no curve that was taken
# before covers them. If `taken`, takes this curve, which covers these sizes from now on.
function covers(p, name, taken,    s, n, v) {
    for (s = n = 0; ++s <= sizes[p];)
        if ((p, name, bytes[p, s]) in value && !((p, s) in covered)) {
            v = value[p, name, bytes[p, s]] * (unit[p] == "ms" ? 0.97 : 1.03)
            if (!better(p, best[p, bytes[p, s]], v)) {
                n++
                if (taken)
                    covered[p, s] = 1
            }
        }
    return n
}

function choose(p,    c, name, n, most, first) {
    for (c = 1; c <= curves[p]; c++) {
        name = curve[p, c]
        drawn[p, name] = name != engine[p, name] || name ~ /^(auto|native)$/
        if (name == "native")
            covers(p, name, 1)
    }
    do {
        most = 0
        for (c = 1; c <= curves[p]; c++)
            if (!drawn[p, curve[p, c]] && (n = covers(p, curve[p, c], 0)) > most) {
                most = n
                first = curve[p, c]
            }
        if (most) {
            drawn[p, first] = 1
            covers(p, first, 1)
        }
    } while (most)
}

function people(n) {
    return n >= 1048576 ? n / 1048576 "M" : n >= 1024 ? n / 1024 "K" : n
}

# Labels the sizes of panel p, or every other one if there are more than five.
function put_sizes(p,    s, text) {
    for (s = 1; s <= sizes[p]; s += sizes[p] > 5 ? 2 : 1)
        text = text (s == 1 ? "" : ", ") "\"" people(bytes[p, s]) "\" " bytes[p, s]
    print "set xtics (" text ")"
}

# The colour of an engine. The engines of all panels get those of the palette in the order in which they are drawn.
function colour(name) {
    if (!(name in number))
        number[name] = name == "auto" || name ~ /^native/ ? 0 : ++coloured
    return name == "auto" ? "\"#000000\"" : !number[name] ? hue[1] : number[name] + 2 in hue ? hue[number[name] + 2] : hue[2]
}

function put_curve(p, c, width, name) {
    name = curve[p, c]
    printf "%s$d%d_%d using 1:2 with lines lw %s dt %d lc rgb %s title \"%s\"", comma, p, c, width, \
        name == engine[p, name] ? 1 : 2, colour(engine[p, name]), name
    comma = ", "
}

# Prints panel p. A curve is drawn over the curves before it: native first, auto last.
function put_panel(p,    c, layer, its) {
    for (c = 1; c <= curves[p]; c++)
        printf "$d%d_%d << EOD\n%sEOD\n", p, c, data[p, curve[p, c]]
    put_sizes(p)
    print "set title \"" title[p] "\" noenhanced\nset ylabel \"" unit[p] "\""
    comma = "plot "
    if (p in limit) {
        printf "plot %s with lines lw 1.5 dt 3 lc rgb \"#cc0000\" title \"wire\"", limit[p]
        comma = ", "
    }
    for (layer = 1; layer <= 3; layer++)
        for (c = 1; c <= curves[p]; c++) {
            its = engine[p, curve[p, c]] == "native" ? 1 : engine[p, curve[p, c]] == "auto" ? 3 : 2
            if (its == layer && drawn[p, curve[p, c]])
                put_curve(p, c, layer == 3 ? 3.5 : layer == 1 ? 2 : 1.5)
        }
    print ""
}

END {
    columns = panels > 2 ? 3 : panels
    rows = int((panels + columns - 1) / columns)
    print "set terminal svg size " 480 * columns "," 300 * rows " dynamic font \"sans-serif,11\" background \"white\""
    print "set multiplot layout " rows "," columns
    print "set logscale x 2\nset logscale y\nset xlabel \"bytes\"\nset autoscale noextend"
    print "set offsets graph 0.01, graph 0.01, graph 0.08, graph 0.08"
    text = "0.5"
    for (n = 1; n <= 100000; n *= 10)
        text = text ", " n ", " 2 * n ", " 5 * n
    print "set ytics (" text ")\nset grid lc rgb \"#dddddd\"\nset key outside right samplen 2"
    for (p = 1; p <= panels; p++) {
        choose(p)
        put_panel(p)
    }
    print "unset multiplot"
}
