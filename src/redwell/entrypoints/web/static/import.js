// An import as it runs: what the server tells, whenever it has changed.
"use strict";
const live = document.getElementById("live");
const place = (id) => document.getElementById(id);
const shown = (number) => number.toLocaleString("en");
const lasting = (s) => s < 90 ? `${Math.ceil(s)} s` : s < 5400 ? `${Math.ceil(s / 60)} min` : `${(s / 3600).toFixed(1)} h`;
let before = null;

function tell(progress) {
  place("state").textContent = progress.kind === "render" && !progress.open && !progress.finished ? "making pages" : progress.state;
  place("done").textContent = shown(progress.done);
  place("documents").textContent = shown(progress.documents);
  place("found").textContent = `${shown(progress.documents)} item${progress.documents === 1 ? "" : "s"}`;
  for (const lane of ["recognitions", "renditions"]) {
    const part = progress[lane];
    const all = part.made + part.unavailable + part.pending;
    if (!all) continue;
    place(`${lane}-count`).textContent = `${shown(all - part.pending)} of ${shown(all)}`;
    place(`${lane}-bar`).max = all;
    place(`${lane}-bar`).value = all - part.pending;
    place(`${lane}-said`).textContent = part.unavailable ? `${shown(part.unavailable)} could not be made` : "nobody has to wait for it";
  }
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
    const left = progress.listing ? "the source is still being listed" : `about ${lasting(progress.open / rate)} left`;
    place("rate").textContent = `${shown(Math.round(rate))} a second · ${left} · searchable as it goes`;
  }
  if (!before || progress.done > before.done) before = { done: progress.done, at };
}

if (!live.dataset.over) {
  const events = new EventSource(live.dataset.events);
  events.addEventListener("progress", (event) => tell(JSON.parse(event.data)));
  events.addEventListener("over", () => { events.close(); location.reload(); });
}
