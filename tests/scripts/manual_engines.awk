# SPDX-License-Identifier: BSD-2-Clause
# Writes what pleach.7 says about engines, from the output of `pleach engines`. If part is "rounds", it writes the table of
# their rounds; else it writes a list of the engines that need something, or may combine operands in another order than that
# of the ranks. Two collectives share a line if the rest of the line is the same.
BEGIN { FS = "   *" }
!NF { exit }
NR > 1 {
    inside = $5 ~ /^this bound/
    key = part == "rounds" ? $1 "\t" inside "\t" $3 : $1 "\t" $4 "\t" $5
    if (part != "rounds" && (inside || $4 ~ /^(-|always)$/ && $5 == "-"))
        next
    if (key in at && collectives[at[key]] !~ /,/)
        collectives[at[key]] = collectives[at[key]] ", " $2
    else {
        at[key] = ++rows
        engine[rows] = $1
        collectives[rows] = $2 (inside ? "*" : "")
        value[rows] = part == "rounds" ? $3 : ($4 ~ /^(-|always)$/ ? "" : "in order: " $4) "\t" ($5 == "-" ? "" : "needs " $5)
    }
}
END {
    for (r = 1; r <= rows; r++)
        if (part == "rounds")
            printf "%-19s %-14s %s\n", engine[r], collectives[r], value[r]
        else if ((key = collectives[r] "\t" value[r]) in engines)
            engines[key] = engines[key] ", " engine[r]
        else {
            item[++items] = r
            engines[key] = engine[r]
        }
    for (i = 1; i <= items; i++) {
        r = item[i]
        split(value[r], text, "\t")
        print ".It " engines[collectives[r] "\t" value[r]] ": " collectives[r]
        for (t = 1; t <= 2; t++)
            if (text[t] != "")
                print text[t] (t == 1 && text[2] != "" ? "," : "")
    }
}
