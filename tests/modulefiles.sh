#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# `make install' makes modulefiles that put the installed folders before others, and preload nothing. Each is read by its own
# language, if an interpreter is installed.
. "$srcdir/tests/mpi.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL # of the make that runs this test
timeout 300 make -C "$builddir" --no-print-directory install-data-local DESTDIR="$scratch/root" datadir=/data bindir=/b \
    mandir=/m pkgconfigdir=/p completionsdir=/c >"$out" 2>&1 || fail "make install-data-local: $(cat "$out")"
lua=$(find "$scratch/root/data/pleach/modulefiles/pleach" -name '*.lua')
tcl=${lua%.lua}
version=$("$PLEACH" --version | sed -n '1s/^pleach //p')
equal 'the name' "${tcl##*/}" "$version"

equal 'the first line' "$(head -n 1 "$tcl")" '#%Module1.0'
lines "$tcl" '@[a-zA-Z]*@' 0
lines "$lua" '@[a-zA-Z]*@' 0
lines "$lua" '[$]' 0

cat >"$scratch/wanted" <<END
conflict pleach
prepend PATH /b
prepend MANPATH /m
prepend PKG_CONFIG_PATH /p
END

# performed LANGUAGE: fails unless the modulefile has made exactly the wanted calls.
performed() {
    diff "$scratch/wanted" "$scratch/out" || fail "$1 does something else"
}

if have tclsh 'the modulefile in Tcl'; then
    cat >"$scratch/module.tcl" <<'END'
proc module-whatis {text} {}
proc conflict {name} { puts "conflict $name" }
proc prepend-path {variable folder} { puts "prepend $variable $folder" }
source [lindex $argv 0]
END
    tclsh "$scratch/module.tcl" "$tcl" >"$scratch/out" 2>&1
    performed Tcl
fi

for interpreter in lua lua5.4 lua5.3 lua5.1 luajit; do
    command -v "$interpreter" >/dev/null && break
done
if command -v "$interpreter" >/dev/null; then
    cat >"$scratch/module.lua" <<'END'
function help() end
function whatis() end
function conflict(name) print("conflict " .. name) end
function prepend_path(variable, folder) print("prepend " .. variable .. " " .. folder) end
dofile(arg[1])
END
    "$interpreter" "$scratch/module.lua" "$lua" >"$scratch/out" 2>&1
else
    echo 'not tested: Lua: there is no interpreter; its calls are read as text'
    sed -e '/^--/d; /^help(/d; /^whatis(/d; /^$/d' -e 's/^conflict("\(.*\)")$/conflict \1/' \
        -e 's/^prepend_path("\(.*\)", "\(.*\)")$/prepend \1 \2/' "$lua" >"$scratch/out"
fi
performed Lua
exit "$status"
