#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every script has --help, and refuses an unknown argument with one line before it does anything.
. "$srcdir/tests/scripts/mpi.sh"
# A script that wrongly goes on can neither install nor build anything here.
mkdir "$scratch/bin"
printf '#!/bin/sh\nexit 1\n' >"$scratch/bin/make"
chmod +x "$scratch/bin/make"
PATH=$scratch/bin:$PATH INSTALL=no BUILD=$scratch/build LAB_STATE=$scratch/lab
export PATH INSTALL BUILD LAB_STATE

looked=0
for script in "$srcdir"/scripts/*; do
    name=${script##*/}
    looked=$((looked + 1))
    case $(head -n 1 "$script") in *python3) shell='python3' ;; *) shell='sh' ;; esac
    timeout 60 $shell "$script" --help >"$out" 2>"$scratch/err" </dev/null || fail "$name --help: exit status $?"
    [ ! -s "$scratch/err" ] || fail "$name --help: $(cat "$scratch/err")"
    head -n 1 "$out" | grep -q "^usage: .*$name" || fail "$name --help: $(cat "$out")"
    awk 'length > 125' "$out" | grep . && fail "$name --help: long lines"
    for wrong in --frobnicate frobnicate -9; do
        case $wrong,$name in
        -*,wind-*) named=$(printf %.2s "$wrong") ;; # getopts knows the letter alone
        *) named=$wrong ;;
        esac
        complains 2 "^$name: .*$named" timeout 60 $shell "$script" "$wrong" </dev/null
    done
done
[ "$looked" -ge 8 ] || fail "$looked scripts"

# After an interrupted run, reproduce goes on with the part that did not end. This make builds nothing, and no program of
# the part logs runs.
tree=$scratch/tree
mkdir -p "$tree/bench" "$BUILD"
cp -R "$srcdir/scripts" "$tree"
cp -R "$srcdir/bench/data" "$tree/bench"
chmod -R u+w "$tree"
printf 'ASSERT_CPPFLAGS = -DNDEBUG\nMPIEXEC = false\n' >"$BUILD/Makefile"
complains 2 '^reproduce: --continue: no run was interrupted' sh "$tree/scripts/reproduce" --continue
printf '#!/bin/sh\n' >"$scratch/bin/make"
for parts in 'reference logs exact' --continue; do
    # shellcheck disable=SC2086 # words
    REFERENCE=/nowhere timeout 60 sh "$tree/scripts/reproduce" $parts >"$out" 2>&1 </dev/null &&
        fail "reproduce $parts measures logs without programs"
    grep '^measuring' "$out" || fail "reproduce $parts: $(cat "$out")"
done >"$scratch/measuring"
equal 'what an interrupted run and the next one measure' "$(sed 's/measuring: //' "$scratch/measuring" | xargs)" \
    'reference logs logs'
equal 'what is not measured' "$(cat "$BUILD/reproduce.parts")" 'logs exact'

# Without a package that does not exist here, the other optional packages are installed. These commands only pretend.
mkdir "$scratch/apt"
cat >"$scratch/apt/apt-get" <<'END'
#!/bin/sh
case " $* " in
*' update '*) exit 0 ;;
*' absent '*) exit 100 ;;
esac
while [ "$1" != --no-install-recommends ]; do shift; done
shift
for package; do touch "$INSTALLED/$package"; done
END
cat >"$scratch/apt/dpkg-query" <<'END'
#!/bin/sh
for package; do :; done
[ -e "$INSTALLED/$package" ] && printf ii
END
printf '#!/bin/sh\necho 0\n' >"$scratch/apt/id"
chmod +x "$scratch"/apt/*
mkdir "$scratch/installed"
(
    cd "$srcdir" && export INSTALL=yes INSTALLED="$scratch/installed" PATH="$scratch/apt:$PATH" &&
        . scripts/setup && setup_optional_packages one absent two
) >"$out" 2>&1 || fail "optional packages: exit status $?: $(cat "$out")"
equal 'optional packages' "$(ls "$scratch/installed" | xargs)" 'one two'
says "$out" 'pleach: going on without: absent'

# A test that hangs fails, and all its processes end, also those of other sessions.
sed 's/^limit=\$((limit \* slow))$/limit=2/' "$srcdir/tests/limited.sh" >"$scratch/limited.sh"
printf 'setsid sleep 300 &\nsleep 300\n' >"$scratch/hangs.sh"
timeout 60 sh "$scratch/limited.sh" env HANGS="$scratch" sh "$scratch/hangs.sh" >"$out" 2>&1 &&
    fail 'a test that hangs succeeds'
says "$out" 'FAILED: hangs takes longer than 2 s'
for _ in 1 2 3 4 5 6 7 8 9 10; do
    hanging=$(grep -lzxF "HANGS=$scratch" /proc/[0-9]*/environ 2>/dev/null)
    [ -n "$hanging" ] || break
    sleep 1
done
equal 'processes of a test that hangs' "$hanging" ''
timeout 60 sh "$scratch/limited.sh" sh -c 'exit 3' && ended=0 || ended=$?
equal 'the status of a test' "$ended" 3
exit "$status"
