#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Completion: the completion function gets command lines, and must offer exactly the expected words for each in bash. In zsh,
# which itself leaves out words that do not fit what was typed, it must offer the same words.
# shellcheck disable=SC2086 # words
. "$srcdir/tests/scripts/mpi.sh"
command -v bash >/dev/null || skip 'no bash here'

# offered WORD...: prints the offers for the last word of the command line pleach WORD..., sorted, on one line.
offered() {
    # shellcheck disable=SC2016 # for the child
    bash -c '
        . "$1" || exit
        shift
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        _pleach
        printf "%s\n" "${COMPREPLY[@]}"' bash "$srcdir/share/pleach.bash" "$PLEACH" "$@" 2>&1 | LC_ALL=C sort | paste -sd " "
}

# offers 'WORDS' WORD...: fails unless exactly WORDS are offered for the last word of pleach WORD...
offers() {
    offers_wanted=$1
    shift
    equal "pleach $*" "$(offered "$@")" "$offers_wanted"
}

column() {
    "$PLEACH" engines --all | awk -v c="$1" '!NF { exit } NR > 1 { print $c }' | LC_ALL=C sort -u | paste -sd " "
}
engines=$(column 1)
collectives=$(column 2)
commands=$("$PLEACH" --help | awk '/^  [a-z][a-z-]*  / { print $1 }' | LC_ALL=C sort | paste -sd " ")

# The first word is a subcommand.
equal 'pleach' "$(offered '')" "--help --version $commands"
offers settings set
offers '--help --version' --
offers '' nosuch

# The offered options are those of the help texts.
for name in $commands; do
    wanted=$("$PLEACH" "$name" --help | grep -o '^  -[^ ]*\( --[^ ]*\)*' | grep -o -e '--[a-z-]*' | LC_ALL=C sort |
        paste -sd " ")
    offers "$wanted" $name -
done
offers '--rank --ranks --ranks-per-node' schedule chain bcast --rank
offers '' nosuch --
offers '' nosuch ''

# Operands are offered before and after options. After the last operand only files are offered.
offers "$engines" schedule ''
offers "$collectives" schedule chain ''
offers "$collectives" schedule --ranks 4 chain --simplex ''
offers '' schedule chain bcast --op ordered s
offers "$(printf '%s\n' all $engines | LC_ALL=C sort | paste -sd " ")" simulate ''
offers "$collectives" choose ''
offers '' log ''
offers '' settings ''

# Values of options are offered.
offers svg schedule chain bcast --format s
offers 'any both ordered' simulate chain bcast --op ''
offers '' schedule chain bcast --ranks ''
offers '' schedule chain bcast --rank ''
offers all simulate chain bcast --root ''
offers 'places places-line places-tree' bench --engine place
offers 'places places-line places-tree' bench -e place
offers '' bench -c x
offers 'bcast,scan' bench -c bcast,sc
offers '' tune -o ''

# run and doctor take a program: any command is offered. The words after it are the program's own.
for name in run doctor; do
    offers_env=$(offered $name env)
    case " $offers_env " in
    *' env '*) ;;
    *) fail "pleach $name env: $offers_env" ;;
    esac
done
offers '' run env ''
offers --help run --
for name in 'advise --measure'; do
    offers_env=$(offered $name env)
    case " $offers_env " in
    *' env '*) ;;
    *) fail "pleach $name env: $offers_env" ;;
    esac
done
offers '' advise env --

# bash calls the function for pleach, and offers files where the function offers nothing.
equal 'registered' "$(bash -c '. "$1"; complete -p pleach' bash "$srcdir/share/pleach.bash")" \
    'complete -o default -F _pleach pleach'

# zsh_offers 'WORDS' WORD...: fails unless exactly WORDS are offered in zsh, as it runs functions of bash.
zsh_offers() {
    zsh_wanted=$1
    shift
    # shellcheck disable=SC2016 # for the child
    equal "in zsh: pleach $*" "$(zsh -f -c '
        autoload -U +X compinit bashcompinit && compinit -D -u && bashcompinit
        . "$1" || exit
        shift
        emulate -L sh
        setopt kshglob noshglob braceexpand
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        _pleach
        printf "%s\n" "${COMPREPLY[@]}"' zsh "$srcdir/share/pleach.bash" "$PLEACH" "$@" 2>&1 |
        LC_ALL=C sort | paste -sd " ")" "$zsh_wanted"
}

if have zsh 'completion in zsh'; then
    zsh_offers "--help --version $commands" ''
    zsh_offers "$engines" schedule ''
    zsh_offers 'dot svg table tsv' schedule chain bcast --format ''
    zsh_offers '--format --help --measure --output' advise --measure -
fi
exit "$status"
