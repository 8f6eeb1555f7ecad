// An import as it runs: what the server tells, whenever it has changed.
"use strict";
const live = document.getElementById("live");
const place = (id) => document.getElementById(id);
const shown = (number) => number.toLocaleString("en");
let before = null;

function tell(progress) {
  place("state").textContent = progress.state;
  place("done").textContent = shown(progress.done);
  place("documents").textContent = shown(progress.documents);
  place("exceptions").textContent = shown(progress.exceptions);
  place("duplicates").textContent = shown(progress.duplicates);
  place("bar").max = Math.max(progress.documents, 1);
  place("bar").value = progress.done;
  const parts = { ok: progress.done - progress.exceptions - progress.filtered, filtered: progress.filtered, warn: progress.exceptions, open: progress.open };
  let start = 0;
  for (const [kind, count] of Object.entries(parts)) {
    const width = progress.documents ? (1000 * count) / progress.documents : 0;
    const bar = document.querySelector(`.balance rect.${kind}`);
    bar.setAttribute("x", start);
    bar.setAttribute("width", width);
    place(`part-${kind}`).textContent = shown(count);
    start += width;
  }
  const now = place("now");
  now.textContent = "";
  for (const path of progress.at_work.length ? progress.at_work : [progress.listing ? "listing the source" : "waiting for a worker"]) {
    const line = document.createElement("li");
    line.className = "path";
    line.textContent = path;
    now.append(line);
  }
  const at = performance.now();
  if (before && progress.done > before.done) {
    const rate = (1000 * (progress.done - before.done)) / (at - before.at);
    const left = progress.listing ? "the source is still being listed" : `about ${Math.ceil(progress.open / rate)} s left`;
    place("rate").textContent = `${shown(Math.round(rate))} a second · ${left} · searchable as it goes`;
  }
  if (!before || progress.done > before.done) before = { done: progress.done, at };
}

if (!live.dataset.over) {
  const events = new EventSource(live.dataset.events);
  events.addEventListener("progress", (event) => tell(JSON.parse(event.data)));
  events.addEventListener("over", () => { events.close(); location.reload(); });
}
