#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# pleach log and pleach report show call sites as function (file:line). They find the lines by the frames in the log and the
# debug information of the program, after it has ended. If a line cannot be found, they say why.
. "$srcdir/tests/scripts/mpi.sh"
: "${MPI_COMPILER:?}" "${MPI_LINKED?}" # set by make check
err=$scratch/err
cd "$scratch" || exit 1

cat >help.c <<'END'
#include <mpi.h>
static int other[3];
void library(void)
{
    MPI_Bcast(other, 3, MPI_INT, 0, MPI_COMM_WORLD);
    other[0]++;
}
END
cat >program.c <<'END'
#include <mpi.h>
void library(void);
static int data[3];
static void solve(int n)
{
    while (n-- > 0)
        MPI_Bcast(data, 3, MPI_INT, 0, MPI_COMM_WORLD);
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    solve(2);
    library();
    MPI_Finalize();
    return 0;
}
END

# builds FLAG..: builds the program and a library of its own with these flags.
# shellcheck disable=SC2086 # words
builds() {
    $MPI_COMPILER -O0 -Wl,--build-id "$@" -fPIC -shared -o libhelp.so help.c $MPI_LINKED &&
        $MPI_COMPILER -O0 -Wl,--build-id "$@" -o program program.c ./libhelp.so $MPI_LINKED
}

# logs NAME: runs the program with this log.
logs() {
    runs 2 PLEACH_LOG="$scratch/$1" ./program
}

# shown LOG WANTED: fails unless `pleach log` shows these sites, sorted. Its warnings go to $err.
shown() {
    "$PLEACH" log --by site "$1" >"$out" 2>"$err" || fail "exit status $? on pleach log $1: $(cat "$err")"
    equal "sites of $1" "$(sed -n 's/.*  \([a-z].*\)/\1/p' "$out" | sort)" "$2"
}

# says_once TEXT: fails unless `pleach log` has given this warning and no other.
says_once() {
    lines "$err" "$1" 1
    lines "$err" '' 1
}

[ "${LIBDW:?}" = yes ] || skip 'built without libdw'
builds -g || skip 'no compiler for MPI programs'
logs log
wanted='library (help.c:5) < main (program.c:13)
solve (program.c:7) < main (program.c:12)'
raw=$(awk -F '\t' 'NR > 1 && !/^#/ { print $16 }' log | sort -u)
lines log '^# frame 0x[0-9a-f]* [0-9a-f]* [a-z]*+0x[0-9a-f]* /' 4
shown log "$wanted"
lines "$err" '' 0

# Debug information may lie in a file of its own, beside the program. It is not fetched from a debuginfod server.
if command -v objcopy >/dev/null; then
    cp program whole
    objcopy --only-keep-debug program program.debug && objcopy --strip-debug --add-gnu-debuglink=program.debug program
    shown log "$wanted"
    id=$(sed -n 's/^# frame 0x[0-9a-f]* \([0-9a-f]*\) main.*/\1/p' log | head -n 1)
    mkdir -p "net/buildid/$id"
    mv program.debug "net/buildid/$id/debuginfo"
    export DEBUGINFOD_URLS="file://$scratch/net" DEBUGINFOD_CACHE_PATH="$scratch/cache"
    shown log "library (help.c:5) < $(echo "$raw" | sed -n 's/^library.* < \(main.*\)/\1/p')
$(echo "$raw" | grep ^solve)"
    unset DEBUGINFOD_URLS DEBUGINFOD_CACHE_PATH
    mv whole program
else
    echo 'not tested: debug information in a file of its own: no objcopy'
fi

# The TSV has the sites as conditions of rules match them: function+offset.
"$PLEACH" log --by site --format tsv log >"$out"
equal 'sites of the tsv' "$(awk -F '\t' 'NR > 1 { print $7 }' "$out" | sort)" "$raw"

# pleach report shows lines in a report that the program has written, and in rank reports of a program that has written none.
# What it has shown stays in the page when the program is gone.
runs 2 PLEACH_REPORT="$scratch/report.html,$scratch/report.json" ./program
for end in html json; do
    "$PLEACH" report report.$end >"$out" 2>"$err" || fail "report: $(cat "$err")"
    equal "sites of report.$end" "$(sed -n 's/.*  \([a-z]* (.*\)/\1/p' "$out" | sort)" "$wanted"
    equal "frames of report.$end" "$(grep -c '^"0x[0-9a-f]* [0-9a-f]* [a-z]*+0x[0-9a-f]* /' report.$end)" 4
done
"$PLEACH" report report.html -o again.html || fail 'report: HTML'
mkdir hidden && mv program libhelp.so hidden
"$PLEACH" report again.html >"$out" 2>"$err"
equal 'sites of a page with lines' "$(sed -n 's/.*  \([a-z]* (.*\)/\1/p' "$out" | sort)" "$wanted"
mv hidden/* .
{
    printf 'pleach-part\t1\nrank\t0\t1\n'
    echo "$raw" | sed 's/^/site\t/'
    sed -n 's/^# frame /frame\t/p' log
    printf 'row\tbcast\t4\tnative\tnative\tbelow-threshold\t%d\t2\t24\t1000\t400\t600\t600\t0\t0\t0\n' 0 1
    echo end
} >part
"$PLEACH" report part >"$out" 2>"$err" || fail "part: $(cat "$err")"
equal 'sites of a part' "$(sed -n 's/.*  \([a-z]* (.*\)/\1/p' "$out" | sort)" "$wanted"
"$PLEACH" report --format tsv part >"$out"
equal 'sites of the tsv of a part' "$(awk -F '\t' '$1 == "site" { print $7 }' "$out" | sort)" "$raw"

# On a terminal, lines are cut to its width.
if have script 'a terminal'; then
    script -qc "stty cols 60; '$PLEACH' log log" /dev/null </dev/null | tr -d '\r' >"$out"
    lines "$out" ' SITE$\|main (program' 0
    lines "$out" '^.\{58\}\.\.$' "$(grep -c '\.\.$' "$out")"
    [ "$(grep -c '\.\.$' "$out")" -gt 3 ] || fail "nothing is cut: $(cat "$out")"
fi

# If two frames have one name, neither gets a line.
sed 's/^# frame 0x\([0-9a-f]* [0-9a-f]* solve+.*\)/&\n# frame 0x1\1/' log >several
shown several "library (help.c:5) < main (program.c:13)
$(echo "$raw" | sed -n 's/^\(solve+[^ ]*\) .*/\1 < main (program.c:12)/p')"

# A log of a newer format is refused.
sed 's/^# pleach-log 1, Pleach .*/# pleach-log 2, Pleach 9.8.7/' log >newer
"$PLEACH" log newer >"$out" 2>"$err" && fail 'a newer log is read'
says_once '^pleach log: newer is a log of format 2, .* Pleach 9\.8\.7$'

# A line that is too long is reported once, even if it has a NUL, and so is the longest line that is not too long. Records
# after such a line count.
for digits in 70000 65533 65532 65531; do
    { head -n 1 log && printf "x\\0%0${digits}d\n" 0 && tail -n +2 log; } >long
    "$PLEACH" log long >"$out" 2>"$err" || fail "exit status $? on pleach log long: $(cat "$err")"
    says_once '^pleach log: 1 line was not understood$'
    "$PLEACH" log log | cmp -s - "$out" || fail "after a line of $digits digits: $(cat "$out")"
done

# Lines name C++ functions: one in an anonymous namespace, a lambda, an instance of a template.
cat >names.cc <<'END'
#include <mpi.h>
static int data[3];
namespace outer {
namespace {
template <class T> struct solver {
    T x;
    void solve(int n);
};
template <class T> void solver<T>::solve(int n)
{
    auto step = [&](int) { MPI_Bcast(data, n, MPI_INT, 0, MPI_COMM_WORLD); data[0]++; };
    step(0);
    data[1]++;
}
}
void go(int n)
{
    solver<double> s = {};
    s.solve(n);
    data[2]++;
}
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    outer::go(3);
    MPI_Finalize();
}
END
# shellcheck disable=SC2086 # words
if $MPI_COMPILER -DMPICH_SKIP_MPICXX -O0 -g -Wl,--build-id -o names names.cc $MPI_LINKED 2>"$err"; then
    runs 2 PLEACH_LOG="$scratch/names.log" ./names
    solver='outer::(anonymous)::solver<double>::solve'
    shown names.log \
        "$solver::operator() (names.cc:11) < $solver (names.cc:12) < outer::go (names.cc:19) < main (names.cc:26)"
else
    echo "not tested: C++: $(head -n 1 "$err")"
fi

# The library is built anew with its call on another line; then the program is moved.
sed -i '2s/^/\n/' help.c
builds -g
shown log "$(echo "$raw" | sed -n 's/^\(library+[^ ]*\) .*/\1 < main (program.c:13)/p')
solve (program.c:7) < main (program.c:12)"
says_once '^pleach log: .*/libhelp\.so has been built anew since it ran'
mkdir away
mv program libhelp.so away
shown log "$raw"
says_once ' is not there any more'

# Here there is no debug information.
builds -g0
strip program libhelp.so
logs stripped
shown stripped "$(awk -F '\t' 'NR > 1 && !/^#/ { print $16 }' stripped | sort -u)"
says_once '^pleach log: .* has no debug information: compile with -g to see file:line$'
exit "$status"
