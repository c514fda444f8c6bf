# SPDX-License-Identifier: BSD-2-Clause
#
# Performs a schedule as `pleach schedule --format tsv` prints it, knowing only that format, and checks the result.
#   awk -v collective=NAME -v p=RANKS -v root=ROOT -v n=BLOCKS -v ordered=0|1 -f perform.awk FILE
#
# The value of a block is the list of ranks that were combined in it (a digit each, so p <= 10), or "m" and the block's
# number for a broadcast. Every rank acts up to its next exchange; then all exchanges of the least step happen at once.
function wrong(why) {
    print FILENAME ": " why
    bad = 1
    exit 1
}
# Puts the blocks of a piece into list and returns their number. A piece is one block or first..last. A last block that is
# less than the first means that the piece goes on at block 0 after block n - 1.
function blocks_of(piece, list, ends, count, i, last) {
    split(piece, ends, "[.][.]")
    last = ends[piece ~ /[.]/ ? 2 : 1] + 0
    if (last < ends[1] + 0)
        last += n
    for (i = ends[1] + 0; i <= last; i++)
        list[++count] = i % n
    return count
}
# Returns the value of one of a piece's blocks. A scratch slot holds one piece.
function get(rank, slot, piece, block) {
    if (!((rank, slot, block) in value))
        wrong("rank " rank ": " slot " is empty")
    if (slot ~ /^t/ && held[rank, slot] != piece)
        wrong("rank " rank ": " slot " does not hold " piece)
    return value[rank, slot, block]
}
function put(rank, slot, piece, block, x) {
    if (slot == "in" || (slot == "out" && collective == "bcast" && rank == root) ||
        (slot == "out" && collective == "reduce" && rank != root) || (slot == "out" && collective == "exscan" && rank == 0))
        wrong("rank " rank " writes " slot)
    held[rank, slot] = piece
    value[rank, slot, block] = x
}
# Performs all operations of a rank before its next exchange.
function act(rank, row, blocks, i, b) {
    for (; next_row[rank] < rows[rank]; next_row[rank]++) {
        split(text[rank, next_row[rank]], row, "\t")
        if (row[3] == "exchange")
            return
        if (row[2] != "-" || row[4] != "-" || row[7] != "-")
            wrong("rank " rank ": a " row[3] " with a step or a peer")
        if ((row[3] != "copy" && row[3] != "fold") || row[6] != row[9])
            wrong("rank " rank ": " text[rank, next_row[rank]])
        for (i = blocks_of(row[6], blocks); i > 0; i--) {
            b = blocks[i]
            put(rank, row[8], row[9], b, get(rank, row[5], row[6], b) (row[3] == "fold" ? get(rank, row[8], row[9], b) : ""))
        }
    }
}
function least_step(rank, row, least) {
    least = -1
    for (rank = 0; rank < p; rank++)
        if (next_row[rank] < rows[rank]) {
            split(text[rank, next_row[rank]], row, "\t")
            if (row[2] !~ /^[0-9]+$/)
                wrong("rank " rank ": an exchange without a step")
            if (least < 0 || row[2] + 0 < least)
                least = row[2] + 0
        }
    return least
}
# Performs the exchanges of a step: sends all pieces, then receives them.
function exchange(step, rank, row, key, sent, receives, carried, arrived, blocks, i) {
    for (rank = 0; rank < p; rank++) {
        if (next_row[rank] >= rows[rank])
            continue
        split(text[rank, next_row[rank]], row, "\t")
        if (row[2] + 0 != step)
            continue
        next_row[rank]++
        if (row[4] != "-") {
            key = rank " " row[4] " " row[6]
            sent[key]
            for (i = blocks_of(row[6], blocks); i > 0; i--)
                carried[key, blocks[i]] = get(rank, row[5], row[6], blocks[i])
        } else if (row[5] != "-" || row[6] != "-" || row[7] == "-")
            wrong("rank " rank " step " step ": " row[4] row[5] row[6])
        if (row[7] != "-")
            receives[row[7] " " rank " " row[9]] = row[8]
        else if (row[8] != "-" || row[9] != "-")
            wrong("rank " rank " step " step ": " row[7] row[8] row[9])
        if (row[4] != "-" && row[4] == row[7] && row[4] == rank)
            wrong("rank " rank " talks to itself")
    }
    for (key in sent)
        if (!(key in receives))
            wrong("step " step ": nobody receives (from, to, piece) " key)
    for (key in receives) {
        if (!(key in sent))
            wrong("step " step ": nobody sends (from, to, piece) " key)
        split(key, arrived, " ")
        for (i = blocks_of(arrived[3], blocks); i > 0; i--)
            put(arrived[2], receives[key], arrived[3], blocks[i], carried[key, blocks[i]])
    }
}
# True if x is the right value of the block on rank: the ranks 0, 1, .. last, in this order if ordered, else in any.
function right(x, rank, block, last, i) {
    if (collective == "bcast")
        return x == "m" block
    last = collective ~ /reduce/ ? p - 1 : collective == "scan" ? rank : rank - 1
    if (length(x) != last + 1)
        return 0
    for (i = 0; i <= last; i++)
        if (ordered ? substr(x, i + 1, 1) != i : !index(x, i))
            return 0
    return 1
}
BEGIN {
    FS = "\t"
}
FNR == 1 {
    if ($0 != "rank\tstep\tkind\tto\ta_slot\ta_block\tfrom\tb_slot\tb_block")
        wrong("header: " $0)
    next
}
{
    if (NF != 9 || $1 < last_rank)
        wrong("line: " $0)
    last_rank = $1
    text[$1, rows[$1]++] = $0
}
END {
    if (bad)
        exit 1
    for (rank = 0; rank < p; rank++) {
        rows[rank] += 0
        next_row[rank] = 0
        for (block = 0; block < n; block++)
            if (collective != "bcast")
                value[rank, "in", block] = rank ""
            else if (rank == root)
                value[rank, "out", block] = "m" block
    }
    for (;;) {
        for (rank = 0; rank < p; rank++)
            act(rank)
        if ((step = least_step()) < 0)
            break
        exchange(step)
    }
    for (rank = 0; rank < p; rank++)
        for (block = 0; block < n; block++)
            if ((collective != "reduce" || rank == root) && (collective != "exscan" || rank > 0) &&
                !right(get(rank, "out", block, block), rank, block))
                wrong("rank " rank ", block " block ": " get(rank, "out", block, block))
}
