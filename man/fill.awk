# SPDX-License-Identifier: BSD-2-Clause
# Fills a template of a manual page from what the command says, which is the variable `pleach`: @VERSION@ is its version, and
# a line @SETTINGS@, @ENGINES@, @ALGORITHMS@ or @OPTIONS COMMAND@ becomes items of a list.

# rows(WORDS): begins to read the table of the command with these arguments.
function rows(words) {
    command = pleach " " words " --format tsv"
    command | getline line # the names of the columns
}

# row(): reads a row into field[]; 0 behind the last row of the table.
function row() {
    return (command | getline line) > 0 && split(line, field, "\t") > 1
}

function sentence(text) {
    return toupper(substr(text, 1, 1)) substr(text, 2) "."
}

function settings() {
    rows("settings")
    while (row()) {
        print ".It Ev PLEACH_" (field[2] == "yes" ? "[<COLL>_]" : "") field[1] " Pq " \
            (field[3] == "" || field[3] == "-" ? "not set" : field[3]) (field[4] == "" || field[4] == "-" ? "" : " , " field[4])
        print sentence(field[5])
        print "Takes " field[6] "."
    }
    close(command)
}

# join(LIST, TEXT, SEPARATOR)
function join(list, text, separator) {
    return list == "" ? text : list separator text
}

# services(ENGINE): a line with the rounds and, if the engine cannot serve every call, lines with its limits.
function services(e,    i, line) {
    line = "Rounds: "
    for (i = 1; i <= bounds[e]; i++)
        line = line (i > 1 ? "; " : "") collectives[e, i] " " bound[e, i]
    print line "."
    for (i = 1; i <= limits[e]; i++)
        print lacking[e, i] == all[e] ? sentence(limit[e, i]) : lacking[e, i] ": " limit[e, i] "."
}

# group(COUNT, OF, TEXT, ENGINE, NAME, VALUE): adds the collective to the group of this value, or makes a new group.
function group(count, of, text, e, name, value,    i) {
    for (i = 1; i <= count[e]; i++)
        if (text[e, i] == value) {
            of[e, i] = of[e, i] ", " name
            return
        }
    i = ++count[e]
    text[e, i] = value
    of[e, i] = name
}

# engines(OWN): the engines of Pleach, or the MPI library's own algorithms.
function engines(own,    order, needs, inner, e) {
    rows("engines --all")
    while (row()) {
        if (done)
            continue
        inner = field[5] ~ /^this bound/
        group(bounds, collectives, bound, field[1], field[2] (inner ? "*" : ""), field[3])
        if (inner)
            continue
        all[field[1]] = join(all[field[1]], field[2], ", ")
        order = field[4] == "never" ? "does not keep the order of the ranks" : \
            field[4] ~ /^(-|always)?$/ ? "" : "keeps the order of the ranks " field[4]
        needs = field[5] ~ /^-?$/ ? "" : "needs " field[5]
        if (order needs != "")
            group(limits, lacking, limit, field[1], field[2], join(order, needs, ", "))
    }
    command | getline line # the names of the columns of the second table
    done = 1
    while (row()) {
        e = field[1]
        if ((e ~ /:/) == own)
            continue
        print ".It Cm " e
        if (e !~ /:/)
            print sentence(field[2])
        services(e)
    }
    close(command)
}

# options(NAME): the options of a command, without those that pleach(1) describes once for all commands.
function options(name,    here, gap, item, words, word, i) {
    command = pleach " " name " --help"
    while ((command | getline line) > 0) {
        here = here || line == "Options:"
        if (!here || line !~ /^  -/ || line ~ /^  --(help|color|mpi-library|format text[|]tsv[|]csv[|]json) /)
            continue
        gap = match(substr(line, 3), /   */) # between the option and its meaning
        item = ".It"
        words = split(substr(line, 3, gap - 1), word, " ")
        for (i = 1; i <= words; i++)
            item = item (word[i] ~ /^--/ ? " Fl " substr(word[i], 2) : word[i] ~ /^-/ ? " Fl " substr(word[i], 2, 1) " ," : \
                word[i] ~ /[A-Z]|^r$/ ? " Ar " word[i] : " Cm " word[i])
        print item "\n" substr(line, gap + 2 + RLENGTH)
    }
    close(command)
}

BEGIN {
    (pleach " --version") | getline version
    sub(/.* /, "", version)
}
$0 == "@SETTINGS@" { settings(); next }
$0 == "@ENGINES@" { engines(1); next }
$0 == "@ALGORITHMS@" { engines(0); next }
/^@OPTIONS .*@$/ { sub(/@$/, ""); options($2); next }
{ sub(/@VERSION@/, version); print }
