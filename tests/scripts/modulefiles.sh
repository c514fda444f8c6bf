#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# `make install' makes modulefiles that put the installed folders before others, and preload nothing. The system's own
# folders keep their places, and its manuals are found. Each file is read by its own language, if there is an interpreter.
. "$srcdir/tests/scripts/mpi.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL # of the make that runs this test
version=$("$PLEACH" --version | sed -n '1s/^pleach //p')

# module_in BINDIR MANDIR PKGCONFIGDIR: installs the modulefiles for these folders.
module_in() {
    rm -rf "$scratch/root"
    timeout 300 make -C "$builddir" --no-print-directory install-data-local DESTDIR="$scratch/root" datadir=/data \
        prefix=/r libdir=/l bindir="$1" mandir="$2" pkgconfigdir="$3" completionsdir=/c >"$out" 2>&1 ||
        fail "make install-data-local: $(cat "$out")"
    module pleach
}

# module NAME: $tcl and $lua name its files.
module() {
    lua=$(find "$scratch/root/data/pleach/modulefiles/$1" -name '*.lua')
    tcl=${lua%.lua}
}

# performed LANGUAGE: fails unless the modulefile has made exactly the wanted calls.
performed() {
    diff "$scratch/wanted" "$scratch/out" || fail "$1 does something else"
}

cat >"$scratch/module.tcl" <<'END'
proc module-whatis {text} {}
proc conflict {name} { puts "conflict $name" }
proc setenv {variable value} { puts "setenv $variable $value" }
proc prepend-path {variable folder} { puts "prepend $variable $folder" }
proc append-path {variable folder} { puts [string trimright "append $variable $folder"] }
source [lindex $argv 0]
END
cat >"$scratch/module.lua" <<'END'
function help() end
function whatis() end
function conflict(name) print("conflict " .. name) end
function setenv(variable, value) print("setenv " .. variable .. " " .. value) end
function prepend_path(variable, folder) print("prepend " .. variable .. " " .. folder) end
function append_path(variable, folder) print((("append " .. variable .. " " .. folder):gsub(" $", ""))) end
dofile(arg[1])
END
for interpreter in lua lua5.4 lua5.3 lua5.1 luajit; do
    command -v "$interpreter" >/dev/null && break
done

# does: fails unless both modulefiles make the calls that standard input has. The calls are in $scratch/out then.
does() {
    cat >"$scratch/wanted"
    if have tclsh 'the modulefile in Tcl'; then
        tclsh "$scratch/module.tcl" "$tcl" >"$scratch/out" 2>&1
        performed Tcl
    fi
    if command -v "$interpreter" >/dev/null; then
        "$interpreter" "$scratch/module.lua" "$lua" >"$scratch/out" 2>&1
    else
        echo 'not tested: Lua: there is no interpreter; its calls are read as text'
        sed -e '/^--/d; /^help(/d; /^whatis(/d; /^$/d' -e 's/) append_path/)\nappend_path/' "$lua" |
            sed -e 's/^conflict("\(.*\)")$/conflict \1/' -e 's/^setenv("\(.*\)", "\(.*\)")$/setenv \1 \2/' \
                -e 's/^\([a-z]*\)_path("\(.*\)", "\(.*\)")$/\1 \2 \3/' \
                -e 's/ $//' >"$scratch/out"
    fi
    performed Lua
}

# loaded VARIABLE VALUE: prints the value after the module is loaded, as module systems perform its calls.
loaded() {
    loaded_value=$2
    while read -r call variable folder; do
        [ "$variable" = "$1" ] || continue
        case $call in
        prepend) loaded_value=$folder${loaded_value:+:$loaded_value} ;;
        append) loaded_value=$loaded_value:$folder ;;
        esac
    done <"$scratch/out"
    echo "$loaded_value"
}

module_in /b /m /p
equal 'the name' "${tcl##*/}" "$version"
equal 'the first line' "$(head -n 1 "$tcl")" '#%Module1.0'
lines "$tcl" '@[a-zA-Z]*@' 0
lines "$lua" '@[a-zA-Z]*@' 0
lines "$lua" '[$]' 0
does <<END
conflict pleach
setenv PLEACH_ROOT /r
prepend PATH /b
prepend MANPATH /m
append MANPATH
prepend PKG_CONFIG_PATH /p
END
equal 'PATH' "$(loaded PATH /opt/mpi/bin:/usr/bin)" /b:/opt/mpi/bin:/usr/bin
equal 'MANPATH, of two' "$(loaded MANPATH /opt/man)" /m:/opt/man:
module pleach-preload
equal 'the name' "${tcl##*/}" "$version"
does <<END
conflict pleach-preload
prepend LD_PRELOAD /l/libpleach.so
END
module pleach
# The manuals of the system are still found, where MANPATH was not set.
if where=$(env -u MANPATH man -w ls 2>"$scratch/err"); then
    equal 'the manual of ls' "$(MANPATH=$(loaded MANPATH '') man -w ls 2>&1)" "$where"
else
    echo 'not tested: man: it finds no manual of ls here'
fi

# In the system's own folders nothing is to be put before others.
for folder in /usr/lib/x86_64-linux-gnu /usr/share; do
    module_in /usr/bin /usr/share/man $folder/pkgconfig
    does <<END
conflict pleach
setenv PLEACH_ROOT /r
END
    equal "PATH with /usr ($folder)" "$(loaded PATH /opt/mpi/bin:/usr/bin)" /opt/mpi/bin:/usr/bin
done
exit "$status"
