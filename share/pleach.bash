# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# Completion of the command pleach in bash. What can be typed is asked of the command itself: subcommands of its --help, options
# and operands of each subcommand's --help, engines and collectives of `pleach engines`. So nothing here grows old.

# The names in a column of the first table of `pleach engines`: 1 the engines, 2 the collectives.
_pleach_names() {
    "$1" engines 2>/dev/null | awk -v column="$2" '!NF { exit } NR > 1 && !seen[$column]++ { print $column }'
}

# What may stand where a help text has a word such as `tsv|dot', `ENGINE|all' or `COLL[,COLL...]'. Names in capitals are
# placeholders, and so is the r of `--rank r'.
_pleach_values() {
    local word
    for word in ${2//|/ }; do
        case $word in
        ENGINE*) _pleach_names "$1" 1 ;;
        COLL*) _pleach_names "$1" 2 ;;
        *[A-Z]* | ?) ;;
        *) echo "$word" ;;
        esac
    done
}

# The value of an option as the help text $2 shows it; nothing if it takes none.
_pleach_option_value() {
    awk -v option="$1" '/^  -/ {
        for (i = 1; i <= 2; i++)
            if ($i == option || $i == option ",") {
                if ($i ~ /,$/)
                    i++
                # Two blanks begin what the option means.
                text = substr($0, index($0, $i) + length($i))
                if (text ~ /^ [^ ]/) {
                    split(text, word, " ")
                    print word[1]
                }
                exit
            }
    }' <<<"$2"
}

_pleach() {
    local pleach=${COMP_WORDS[0]} command=${COMP_WORDS[1]:-} word=${COMP_WORDS[COMP_CWORD]:-} help words='' list=''
    local i operand=0 value=''
    COMPREPLY=()

    if [ "$COMP_CWORD" -eq 1 ]; then
        words=$("$pleach" --help 2>/dev/null | awk '!NF { part++ } part == 2 && NF { print $1 } /^  --/ { print $1 }')
    else
        help=$("$pleach" "$command" --help 2>/dev/null) || return 0
        # Which operand is this, and does it belong to the option before it?
        for ((i = 2; i < COMP_CWORD; i++)); do
            if [ -n "$value" ]; then
                value=''
            elif [[ ${COMP_WORDS[i]} == -* ]]; then
                value=$(_pleach_option_value "${COMP_WORDS[i]}" "$help")
            else
                operand=$((operand + 1))
            fi
        done
        if [[ $command =~ ^(run|advise|doctor)$ && -z $value && ($operand -gt 0 || $word != -*) ]]; then
            # The program; behind it, files.
            [ "$operand" -gt 0 ] || words=$(compgen -c -- "$word")
        elif [[ -z $value && $word == -* ]]; then
            words=$(awk '/^  -/ { print $1 ~ /,$/ ? $2 : $1 }' <<<"$help")
        elif [ -z "$value" ]; then
            # Operands come first in the usage: Usage: pleach schedule ENGINE COLLECTIVE --ranks ...
            value=$(awk -v n="$operand" 'NR == 1 {
                for (i = 4; i <= NF && $i !~ /^[-[]/; i++)
                    if (i == 4 + n)
                        print $i
            }' <<<"$help")
        fi
        [ -z "$value" ] || words=$(_pleach_values "$pleach" "$value")
        # Names joined by commas: the last one is completed.
        if [[ $value == *,* && $word == *,* ]]; then
            list=${word%,*},
            word=${word##*,}
        fi
    fi
    # shellcheck disable=SC2207 # names without blanks, a line each
    COMPREPLY=($(compgen -W "$words" -P "$list" -- "$word"))
}

complete -o default -F _pleach pleach
