#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A browser shows the HTML report of a real program, whole and without complaints, in light and in dark colours.
. "$srcdir/tests/scripts/mpi.sh"

browser=
for name in chromium-headless-shell chromium chromium-browser google-chrome; do
    [ -n "$browser" ] || browser=$(command -v "$name")
done
[ -n "$browser" ] || skip 'no Chromium is here to read a page'

# browse FILE [OPTION..]: opens the file in the browser. Output goes to $out, complaints go to $scratch/console.
browse() {
    file=$1
    shift
    HOME=$scratch timeout "$SECONDS_ALLOWED" "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars \
        --user-data-dir="$scratch/browser" --enable-logging=stderr "$@" "file://$file" >"$out" 2>"$scratch/console" ||
        fail "the browser cannot read $file: $(cat "$scratch/console")"
}

# The program calls every collective. Reductions are native, and engines of two colours serve the other calls.
page=$scratch/page.html
runs 4 PLEACH_ENGINE=two-tree PLEACH_BCAST_ENGINE=chain PLEACH_REDUCE_ENGINE=native PLEACH_REPORT="$page" "$programs/five"
[ -s "$page" ] || fail 'no page'
if have xmllint 'well-formed XML'; then
    xmllint --noout "$page" || fail 'it is not well-formed'
fi

browse "$page" --dump-dom
silent_about "$scratch/console" CONSOLE
for text in 'Collectives that Pleach serves took' 'Time by size' 'By call site' 'By engine and reason' Timeline; do
    grep -qF "$text" "$out" || fail "the page has no \"$text\""
done

# Another page measures the report in a frame of 1000 pixels, and counts the colours of two screenshots of it.
browse "$page" --screenshot="$scratch/light.png" --window-size=1000,2600 --blink-settings=preferredColorScheme=1
browse "$page" --screenshot="$scratch/dark.png" --window-size=1000,2600 --blink-settings=preferredColorScheme=0
cat >"$scratch/look.html" <<END
<!DOCTYPE html>
<iframe width='1000' height='2600' style='border:0' srcdoc="$(sed 's/&/\&amp;/g; s/"/\&quot;/g' "$page")"></iframe>
<img id='light' src='data:image/png;base64,$(base64 -w0 "$scratch/light.png")'/>
<img id='dark' src='data:image/png;base64,$(base64 -w0 "$scratch/dark.png")'/>
<pre></pre>
<script>
onload = () => {
    const told = [], page = document.querySelector('iframe').contentDocument, all = s => [...page.querySelectorAll(s)]
    told.push('wide ' + page.documentElement.scrollWidth)
    told.push('sites ' + all('tbody td.site').length)
    told.push('pictures ' + all('svg').filter(s => s.getBoundingClientRect().height > 20).length)
    told.push('engines ' + all('svg path[fill]').length)
    for (const id of ['light', 'dark']) {
        const image = document.getElementById(id), canvas = document.createElement('canvas'), seen = {}
        canvas.width = image.width
        canvas.height = image.height
        const context = canvas.getContext('2d')
        context.drawImage(image, 0, 0)
        const pixel = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer)
        for (const p of pixel) {
            const colour = '#' + [0, 8, 16].map(s => (p >> s & 255).toString(16).padStart(2, '0')).join('')
            seen[colour] = (seen[colour] || 0) + 1
        }
        for (const c of ['#fdfdfc', '#16181c', '#29cdf0', '#9b3a39', '#a9abae'])
            told.push(id + ' ' + c + (seen[c] >= 100 ? ' seen' : ' not seen'))
    }
    document.querySelector('pre').textContent = '\n' + told.join('\n') + '\n'
}
</script>
END
browse "$scratch/look.html" --dump-dom
sed -n '/^<pre>$/,/^<.pre>$/p' "$out" >"$scratch/told"

# The report has six pictures: one for each collective, the timeline. The timeline has bars of three engines. The colours
# are those of the light page, the dark page, two-tree, chain and native.
equal 'what the browser sees' "$(cat "$scratch/told")" "<pre>
wide 1000
sites 5
pictures 6
engines 3
light #fdfdfc seen
light #16181c not seen
light #29cdf0 seen
light #9b3a39 seen
light #a9abae seen
dark #fdfdfc not seen
dark #16181c seen
dark #29cdf0 seen
dark #9b3a39 seen
dark #a9abae seen
</pre>"
exit "$status"
