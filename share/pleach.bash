# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# Completion of the command pleach in bash. The command itself provides the words, so nothing here grows old: its --help has
# the subcommands, each subcommand's --help the options and operands, `pleach engines --all` the engines and collectives.

# Prints the names in column $2 of the first table of `pleach engines --all`. Column 1 has the engines, column 2 the collectives.
_pleach_names() {
    "$1" engines --all 2>/dev/null | awk -v column="$2" '!NF { exit } NR > 1 && !seen[$column]++ { print $column }'
}

# Prints the words that the user may type where the help text has $2, such as `tsv|dot', `ENGINE|all' or `COLL[,COLL...]'.
# Names in capitals are placeholders, and so is the r of `--rank r'.
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

# Prints the value of option $1 as the help text $2 shows it. Prints nothing if the option takes no value.
_pleach_option_value() {
    awk -v option="$1" '/^  -/ {
        for (i = 1; i <= 2; i++)
            if ($i == option || $i == option ",") {
                if ($i ~ /,$/)
                    i++
                # Two blanks separate an option from its meaning.
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
        words=$("$pleach" --help 2>/dev/null |
            awk '/^  [a-z][a-z-]*  / { print $1 } /^  -/ { print $1 ~ /,$/ ? $2 : $1 }')
    else
        help=$("$pleach" "$command" --help 2>/dev/null) || return 0
        # Counts the operands before the word. If the word is the value of an option, sets $value to the text that the help
        # shows for this value.
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
            # The program is a command; its arguments may be files.
            [ "$operand" -gt 0 ] || words=$(compgen -c -- "$word")
        elif [[ -z $value && $word == -* ]]; then
            words=$(awk '/^  -/ { print $1 ~ /,$/ ? $2 : $1 }' <<<"$help")
        elif [ -z "$value" ]; then
            # In the usage, operands come first: Usage: pleach schedule ENGINE COLLECTIVE --ranks ...
            value=$(awk -v n="$operand" 'NR == 1 {
                for (i = 4; i <= NF && $i !~ /^[-[]/; i++)
                    if (i == 4 + n)
                        print $i
            }' <<<"$help")
        fi
        [ -z "$value" ] || words=$(_pleach_values "$pleach" "$value")
        # If names are joined by commas, completes the last one.
        if [[ $value == *,* && $word == *,* ]]; then
            list=${word%,*},
            word=${word##*,}
        fi
    fi
    # shellcheck disable=SC2207 # names without blanks, a line each
    COMPREPLY=($(compgen -W "$words" -P "$list" -- "$word"))
}

complete -o default -F _pleach pleach
