// The keyboard of the review page. The list stays as it was when it was opened, so next and previous always mean the same.
"use strict";
const desk = document.querySelector(".desk");
const pane = document.getElementById("pane");
const hits = document.getElementById("hits");
const caseNumber = document.body.dataset.case;
const api = `/api/v1/cases/${caseNumber}`;
const csrf = document.querySelector("meta[name=csrf]").content;
const total = Number(document.getElementById("facts").dataset.total);
const fetched = new Map(); // panes fetched ahead
let lastChange = null;
let asked = 0;

const lines = () => [...document.querySelectorAll("#hits .hit")];
const current = () => document.querySelector("#hits .hit.on");
const reader = () => document.getElementById("reader");

async function call(path, body) {
  const answer = await fetch(api + path, { method: "POST", headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf }, body: JSON.stringify(body || {}) });
  const told = answer.status === 204 ? {} : await answer.json();
  if (!answer.ok) throw new Error(told.detail || "that did not work");
  return told;
}

function say(words, bad) {
  const place = document.getElementById("said");
  if (!place) return;
  place.textContent = words;
  place.classList.toggle("bad", Boolean(bad));
}

function paneAddress(doc, ahead) {
  const search = desk.dataset.search;
  return `/cases/${caseNumber}/documents/${doc}/pane?${search}${ahead ? "&ahead=true" : ""}`;
}

function fetchPane(doc, ahead) {
  if (!fetched.has(doc)) {
    const coming = fetch(paneAddress(doc, ahead)).then((answer) => { if (!answer.ok) throw new Error("it can't be shown"); return answer.text(); });
    coming.catch(() => fetched.delete(doc));
    if (ahead) coming.then(pageImages.ahead, () => {});
    fetched.set(doc, { coming, ahead });
    if (fetched.size > 12) fetched.delete(fetched.keys().next().value);
  }
  return fetched.get(doc);
}

async function open(doc, focus) {
  const mine = ++asked;
  for (const line of lines()) {
    const on = line.dataset.doc === String(doc);
    line.classList.toggle("on", on);
    if (on) { line.setAttribute("aria-current", "true"); line.classList.add("read"); line.scrollIntoView({ block: "nearest" }); } else line.removeAttribute("aria-current");
  }
  const kept = fetchPane(String(doc), false);
  pane.classList.add("busy");
  try {
    const html = await kept.coming;
    if (mine !== asked) return;
    pane.innerHTML = html; // made by the server, which escapes whatever is evidence
    fetched.delete(String(doc));
    if (kept.ahead) fetch(`/cases/${caseNumber}/documents/${doc}/read`, { method: "POST", headers: { "X-CSRF-Token": csrf } });
    const address = new URL(location.href);
    address.searchParams.set("doc", doc);
    history.replaceState(null, "", address);
    pageImages.build(desk.dataset.search);
    toFirstHit();
    tellWhere();
    askForPages();
    if (focus) reader().focus({ preventScroll: true });
    const next = neighbour(1);
    if (next) fetchPane(next.dataset.doc, true);
  } catch (error) { say(error.message, true); } finally { pane.classList.remove("busy"); }
}

// Pages of what is no PDF are made when somebody opens it. Who has begun to read its text meanwhile goes on with it.
async function askForPages() {
  const shown = reader();
  if (!shown || !("asks" in shown.dataset)) return;
  const doc = shown.dataset.doc;
  const begun = performance.now();
  delete shown.dataset.asks;
  try {
    if (!(await call(`/documents/${doc}/pages`)).asked) return;
    document.getElementById("making").hidden = false;
    for (let wait = 150; wait < 20000 && reader() === shown; wait *= 1.3) {
      await new Promise((done) => setTimeout(done, wait));
      const told = await (await fetch(`${api}/documents/${doc}/pages`)).json();
      if (told.state === "pending" && (!told.pages || shown.querySelector(".images"))) continue;
      if (told.pages && reader() === shown) await showMade(doc, performance.now() - begun < 4000 ? "pages" : "text");
      break;
    }
  } catch (error) { /* its text is there all the same */ }
  const making = document.getElementById("making");
  if (making) making.hidden = true;
}

// A page that can't be drawn at once (a locked PDF, say) is the worker's to make.
document.addEventListener("page-missing", () => {
  const shown = reader();
  if (!shown || "missed" in shown.dataset) return;
  shown.dataset.missed = "";
  shown.dataset.asks = "";
  askForPages();
});

async function showMade(doc, view) {
  const answer = await fetch(paneAddress(doc, true));
  const made = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!made.querySelector(".images")) return;
  reader().querySelectorAll(".views, .images").forEach((each) => each.remove());
  reader().querySelector(".over").append(made.querySelector(".views"));
  document.getElementById("making").before(made.querySelector(".images"));
  document.querySelector("#side .actions").replaceWith(made.querySelector("#side .actions"));
  showView(view);
  pageImages.build(desk.dataset.search);
  if (view === "pages") toFirstHit();
}

function toFirstHit() {
  document.querySelector(".member.on")?.scrollIntoView({ block: "nearest", inline: "center" });
  if (pageImages.isShown()) { if (!pageImages.toHit(pageImages.first())) reader().scrollTo(0, 0); return; }
  const first = document.querySelector("#reader .text mark:not(.set)") || document.getElementById("hit-1");
  if (!first) { reader()?.scrollTo(0, 0); return; }
  first.classList.add("here");
  pageImages.bring(first, 0.4);
}

function tellWhere() {
  const at = lines().indexOf(current());
  document.getElementById("where").textContent = at < 0 ? "" : `${at + 1} of ${total.toLocaleString("en")}`;
}

function neighbour(step) {
  const all = lines();
  const at = all.indexOf(current());
  return all[at < 0 ? 0 : at + step];
}

async function move(step) {
  let line = neighbour(step);
  if (!line && step > 0 && (await more())) line = neighbour(step);
  if (line) await open(line.dataset.doc);
  else say(step > 0 ? "This was the last one." : "This is the first one.");
}

async function more() {
  const button = document.getElementById("more");
  if (!button) return false;
  button.removeAttribute("id");
  const answer = await fetch(button.dataset.more);
  if (!answer.ok) { button.id = "more"; return false; }
  button.outerHTML = await answer.text();
  watchEnd();
  return true;
}

const ending = new IntersectionObserver((seen) => { if (seen.some((each) => each.isIntersecting)) more(); }, { root: document.getElementById("list"), rootMargin: "600px" });
function watchEnd() {
  ending.disconnect();
  const button = document.getElementById("more");
  if (button) ending.observe(button);
}

function nextHit(step, colour) {
  const told = pageImages.step(step, colour);
  if (told) { say(`hit ${told.nth} of ${told.of}, page ${told.page}`); return; }
  if (pageImages.isShown()) showView("text");
  const own = [...document.querySelectorAll("#reader mark:not(.set)")];
  const marks = colour || !own.length ? [...document.querySelectorAll(`#reader mark${colour ? "." + colour.replace(" ", ".") : ""}`)] : own;
  if (!marks.length) return;
  const at = marks.findIndex((mark) => mark.classList.contains("here"));
  document.querySelectorAll("#reader mark.here").forEach((mark) => mark.classList.remove("here"));
  const next = marks[(at + step + marks.length) % marks.length];
  next.classList.add("here");
  pageImages.bring(next, 0.4);
  say(`hit ${marks.indexOf(next) + 1} of ${marks.length}`);
}

// On the page image where the text tells its pages; else in the text.
function toHit(line) {
  if (pageImages.isExact() && pageImages.toHit(Number(line.dataset.hit) - 1)) return;
  if (pageImages.isShown()) showView("text");
  document.querySelectorAll("#reader .here").forEach((each) => each.classList.remove("here"));
  const mark = document.getElementById(`hit-${line.dataset.hit}`);
  mark?.classList.add("here");
  if (mark) pageImages.bring(mark, 0.4);
}

// A family of which somebody decided otherwise is asked about first: pressing again means it.
async function isMeant(button, body) {
  if (!body.family || button.dataset.meant === "yes") { delete button.dataset.meant; return true; }
  const told = await call("/coding/preview", body);
  if (!told.otherwise) return true;
  button.dataset.meant = "yes";
  say(`${told.otherwise} of ${told.changing} were decided otherwise: ${told.conflicts.slice(0, 4).map((each) => `${each.control_number} (${each.tags.join(", ")})`).join("; ")}. Press again to go on.`, true);
  return false;
}

async function decide(button) {
  const place = reader();
  const on = button.getAttribute("aria-pressed") !== "true";
  const family = Boolean(document.getElementById("with-family")?.checked);
  const doc = Number(place.dataset.doc);
  try { if (!(await isMeant(button, { tag: Number(button.dataset.tag), on, documents: [doc], family }))) return; } catch (error) { say(error.message, true); return; }
  const name = button.querySelector("span").textContent;
  show(button, doc, on, name);
  try {
    const told = await call("/coding", { tag: Number(button.dataset.tag), on, documents: [doc], family, seen: family ? null : Number(place.dataset.version) });
    if (told.change) lastChange = told.change;
    place.dataset.version = told.versions[doc] ?? place.dataset.version;
    say(`${on ? "" : "no longer "}${name}${told.exhibits > 1 ? `, ${told.exhibits} documents` : ""}. U undoes it.`);
  } catch (error) { show(button, doc, !on, name); say(error.message, true); }
}

function show(button, doc, on, name) {
  button.classList.toggle("on", on);
  button.setAttribute("aria-pressed", String(on));
  const tags = document.querySelector(`#hits .hit[data-doc="${doc}"] .tags`);
  if (!tags) return;
  tags.querySelector(`[data-tag="${button.dataset.tag}"]`)?.remove();
  if (on) { const tag = document.createElement("span"); tag.className = "tag"; tag.dataset.tag = button.dataset.tag; tag.textContent = name; tags.append(tag); }
}

async function undo() {
  if (!lastChange) { say("There is nothing of this page to undo."); return; }
  try {
    const told = await call(`/coding/${lastChange}/undo`);
    lastChange = null;
    const doc = reader().dataset.doc;
    fetched.clear();
    await open(doc);
    syncTags();
    say(`Undone${told.kept ? `; ${told.kept} stay as somebody has changed them since` : ""}.`);
  } catch (error) { say(error.message, true); }
}

async function makeLink() {
  const place = document.getElementById("linked");
  try { place.textContent = `${location.origin}${(await call(`/documents/${reader().dataset.doc}/link`, { hours: 24 })).link}`; } catch (error) { place.textContent = error.message; }
}

function syncTags() {
  const tags = document.querySelector(`#hits .hit[data-doc="${reader().dataset.doc}"] .tags`);
  if (!tags) return;
  tags.textContent = "";
  for (const button of document.querySelectorAll(".code[data-tag].on")) { const tag = document.createElement("span"); tag.className = "tag"; tag.dataset.tag = button.dataset.tag; tag.textContent = button.querySelector("span").textContent; tags.append(tag); }
}

async function nextOfFamily() {
  const members = [...document.querySelectorAll(".member")];
  const at = members.findIndex((member) => member.classList.contains("on"));
  if (members.length > 1) await open(members[(at + 1) % members.length].dataset.doc);
}

function showView(view) {
  for (const button of document.querySelectorAll("[data-view]")) button.setAttribute("aria-pressed", String(button.dataset.view === view));
  for (const place of document.querySelectorAll("#reader [data-shown]")) place.hidden = place.dataset.shown !== view;
}

// What was decided is saved already; of a round, this document is finished by it.
async function saveAndNext() {
  const round = desk.dataset.round;
  if (round && reader()) {
    try { await call(`/rounds/${round}/documents/${reader().dataset.doc}/done`); current()?.classList.add("finished"); } catch (error) { say(error.message, true); return; }
    if (!neighbour(1)) { say("This portion is done. Take the next one under Rounds."); return; }
  }
  await move(1);
}

async function showHistogram() {
  const place = document.getElementById("histogram");
  if (!place) return;
  const answer = await fetch(place.dataset.from);
  const bars = answer.ok ? (await answer.json()).bars : [];
  if (bars.length < 2) return;
  const most = Math.max(...bars.map((bar) => bar.count));
  const made = (name, values, parent) => { const each = document.createElementNS("http://www.w3.org/2000/svg", name); for (const [key, value] of Object.entries(values)) each.setAttribute(key, value); parent.append(each); return each; };
  const picture = made("svg", { class: "histogram", viewBox: `0 0 ${bars.length * 10} 40`, preserveAspectRatio: "none", role: "group", "aria-label": "Documents over time" }, place);
  const query = document.getElementById("q").value;
  bars.forEach((bar, number) => {
    const address = new URLSearchParams(desk.dataset.search);
    address.set("q", `${/\bOR\b/.test(query) ? `(${query})` : query} date:${bar.label}`.trim());
    const link = made("a", { href: `?${address}`, "aria-label": `${bar.label}: ${bar.count}` }, picture);
    made("title", {}, link).textContent = `${bar.label}: ${bar.count.toLocaleString("en")}`;
    made("rect", { x: number * 10, y: 0, width: 10, height: 40, "fill-opacity": 0 }, link);
    const height = bar.count ? Math.max(2, (38 * bar.count) / most) : 0;
    made("rect", { x: number * 10 + 1, y: 40 - height, width: 8, height }, link);
  });
  const ends = document.createElement("p");
  ends.className = "small row";
  for (const bar of [bars[0], bars[bars.length - 1]]) { const each = document.createElement("span"); each.textContent = bar.label; ends.append(each); }
  place.append(ends);
  place.hidden = false;
}

const columns = document.getElementById("columns");
function showColumns() {
  const kept = JSON.parse(localStorage.getItem("columns") || '{"path":false}');
  for (const box of columns.elements) {
    box.checked = kept[box.name] ?? true;
    desk.classList.toggle(box.name === "path" ? "with-path" : `no-${box.name}`, box.name === "path" ? box.checked : !box.checked);
  }
}
if (columns) {
  columns.addEventListener("change", () => { localStorage.setItem("columns", JSON.stringify(Object.fromEntries([...columns.elements].map((box) => [box.name, box.checked])))); showColumns(); });
  showColumns();
}
showHistogram();

const keys = {
  j: () => move(1), k: () => move(-1), s: saveAndNext, n: () => nextHit(1), p: () => nextHit(-1), u: undo, f: nextOfFamily,
  t: () => { const text = document.querySelector("#reader article[data-shown=text]"); if (document.querySelector("[data-view]")) showView(text.hidden ? "text" : "pages"); },
  m: () => document.getElementById("note-text")?.focus(), "/": () => document.getElementById("q").focus(), "?": () => document.getElementById("help").toggleAttribute("open"),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") { document.querySelectorAll("details.menu[open]").forEach((each) => each.removeAttribute("open")); document.activeElement.blur(); return; }
  if (event.target.closest("input, textarea, select")) return;
  const button = document.querySelector(`.code[data-key="${CSS.escape(event.key)}"]`);
  const action = button ? () => !button.disabled && decide(button) : keys[event.key.toLowerCase()];
  if (!action) return;
  event.preventDefault();
  action();
});

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.removeAttribute("open");
  const code = event.target.closest(".code");
  if (code?.dataset.tag) { decide(code); return; }
  if (code?.dataset.colour) { nextHit(1, code.dataset.colour); return; }
  const line = event.target.closest(".hit-line");
  if (line) { toHit(line); return; }
  if (event.target.closest("#link")) { makeLink(); return; }
  const view = event.target.closest("[data-view]");
  if (view) { showView(view.dataset.view); return; }
  const link = event.target.closest("a[data-doc]");
  if (link && !event.ctrlKey && !event.metaKey && event.button === 0) { event.preventDefault(); open(link.dataset.doc); }
  if (event.target.closest("#more")) { event.preventDefault(); more(); }
});

document.addEventListener("submit", async (event) => {
  if (event.target.id === "note") {
    event.preventDefault();
    const field = document.getElementById("note-text");
    const doc = reader().dataset.doc;
    try { await call(`/documents/${doc}/notes`, { text: field.value }); fetched.clear(); await open(doc); say("Noted."); } catch (error) { say(error.message, true); }
  }
  const bulk = event.target.closest("#bulk form");
  if (bulk) { event.preventDefault(); await tagAll(bulk); }
});

async function tagAll(form) {
  const said = document.getElementById("bulk-said");
  const button = form.querySelector("button");
  const numbers = (text) => text ? text.split(",").map(Number) : [];
  const { query, tags, without, read, round, total } = form.dataset;
  const body = { tag: Number(form.tag.value), on: true, query, tags: numbers(tags), without: numbers(without), read, round: Number(round) || null, family: form.family.checked };
  try {
    if (button.dataset.step === "preview") {
      const told = await call("/coding/preview", body);
      said.textContent = `${told.changing} of ${told.documents} documents change${!body.family && told.documents !== Number(total) ? ` (the list had ${total} when it was opened)` : ""}${told.otherwise ? `; ${told.otherwise} of them have another tag: ${told.conflicts.slice(0, 5).map((each) => `${each.control_number} (${each.tags.join(", ")})`).join("; ")}${told.otherwise > 5 ? " …" : ""}` : ""}. It can be undone.`;
      button.textContent = `Tag ${told.changing}`;
      button.dataset.step = "do";
    } else {
      const told = await call("/coding", body);
      lastChange = told.change || lastChange;
      said.textContent = `${told.exhibits} tagged. Close this, and U undoes it.`;
      button.textContent = "Preview";
      button.dataset.step = "preview";
    }
  } catch (error) { said.textContent = error.message; }
}

document.addEventListener("change", (event) => { if (event.target.id === "to-page") { pageImages.show(Number(event.target.value)); event.target.blur(); } });
document.addEventListener("scroll", (event) => {
  const field = document.getElementById("to-page");
  if ((event.target === reader() || event.target === document) && field && field !== document.activeElement) field.value = pageImages.visible() || field.value;
}, { capture: true, passive: true });

if (reader()) {
  pageImages.build(desk.dataset.search);
  if (!pageImages.isNarrow()) toFirstHit(); // else the list is above the document, and comes first
  tellWhere();
  askForPages();
  const next = neighbour(1);
  if (next) fetchPane(next.dataset.doc, true);
}
watchEnd();
