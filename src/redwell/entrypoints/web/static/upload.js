// Files that are dropped on the page, sent in pieces by the tus protocol. What was interrupted goes on where it stopped.
"use strict";
const form = document.getElementById("new-import");
const place = document.getElementById("drop");
const told = document.getElementById("sent");
const csrf = document.querySelector("meta[name=csrf]").content;
const PIECE = 8 << 20;
const LEAST = 64 << 10;
const LANES = 3;
const SILENT = 60000; // ms without an answer: a line that is dead says so to nobody
const LAYING_OUT = 1800000; // an import of a hundred thousand files is begun
const TUS = { "Tus-Resumable": "1.0.0", "X-CSRF-Token": csrf };
const BYTES = "application/offset+octet-stream";
const waiting = [];
const failed = [];
const sum = { files: 0, whole: 0, bytes: 0, arrived: 0, since: 0, before: 0 };
const openNow = new Map();
let upload = form.dataset.resume || "";
let beginning = null;
let known = null; // files that an interrupted upload has already, by path
let lanes = 0;
let most = 1 << 20; // bytes of a piece: as many as the line carries in a few seconds

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const size = (bytes) => bytes >= 1 << 30 ? `${(bytes / (1 << 30)).toFixed(1)} GB` : bytes >= 1 << 20 ? `${(bytes / (1 << 20)).toFixed(1)} MB` : `${Math.ceil(bytes / 1024)} KB`;
const base64 = (bytes) => btoa(String.fromCharCode(...bytes));
const packed = (text) => base64(new TextEncoder().encode(text));
const lasting = (s) => s < 90 ? `${Math.ceil(s)} s` : s < 5400 ? `${Math.ceil(s / 60)} min` : `${(s / 3600).toFixed(1)} h`;

// What the server says, read to its end; asked again until it says something.
async function ask(method, address, headers, body, limit = SILENT) {
  for (let wait = 500; ; wait = Math.min(wait * 2, 15000)) {
    const answer = await asked(method, address, headers, body, limit);
    if (answer && answer.status !== 429 && answer.status < 500) return answer;
    if (answer === null && body instanceof Blob) return null; // how far it came, only the server knows
    await untilBack(Math.max(wait, 1000 * Number(answer?.headers.get("Retry-After") || 0)));
  }
}

async function asked(method, address, headers, body, limit) {
  const began = performance.now();
  try {
    const answer = await fetch(address, { method, headers: { ...TUS, ...headers }, body, signal: AbortSignal.timeout(limit) });
    const text = await answer.text();
    if (body instanceof Blob && body.size >= most && performance.now() - began < 4000) most = Math.min(PIECE, most * 2);
    return { ok: answer.ok, status: answer.status, headers: answer.headers, text };
  } catch (error) {
    if (body instanceof Blob) most = Math.max(LEAST, most >> 2);
    say("The connection is away; this goes on when it is back.");
    return null;
  }
}

// A while, or until the browser says that there is a connection again.
function untilBack(ms) {
  return new Promise((done) => {
    const over = () => { clearTimeout(timer); removeEventListener("online", over); done(); };
    const timer = setTimeout(over, ms);
    addEventListener("online", over);
  });
}

function refusal(answer) {
  try { return JSON.parse(answer.text).detail; } catch (error) { return `the server answered ${answer.status}`; }
}

async function begun() {
  if (upload && known === null) {
    const answer = await ask("GET", `${form.dataset.uploads}/${upload}`, {});
    known = new Map(answer.ok ? JSON.parse(answer.text).files.map((file) => [file.path, file]) : []);
    if (!answer.ok) upload = "";
  }
  if (!upload) {
    const answer = await ask("POST", form.dataset.uploads, { "Content-Type": "application/json" });
    if (!answer.ok) throw new Error(refusal(answer));
    upload = JSON.parse(answer.text).upload;
    known = known || new Map();
  }
}

async function checksum(piece) {
  if (!crypto.subtle) return {}; // over plain HTTP from elsewhere
  return { "Upload-Checksum": `sha256 ${base64(new Uint8Array(await crypto.subtle.digest("SHA-256", await piece.arrayBuffer())))}` };
}

// Its place at the server. However often that has to be said, under one key it is one file.
async function created(file, path) {
  const files = `${form.dataset.uploads}/${upload}/files`;
  const there = known.get(path);
  if (there && there.length === file.size) { known.delete(path); return { address: `${files}/${there.id}`, offset: there.offset, whole: there.whole }; }
  const key = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const headers = { "Upload-Length": String(file.size), "Upload-Metadata": `relativePath ${packed(path)},modified ${packed(String(file.lastModified))},key ${packed(key)}` };
  let answer = null;
  if (file.size && file.size <= most) answer = await ask("POST", files, { ...headers, "Content-Type": BYTES, ...(await checksum(file)) }, file.slice());
  if (!answer || [423, 460].includes(answer.status)) answer = await ask("POST", files, headers);
  if (!answer.ok) throw new Error(refusal(answer));
  const offset = Number(answer.headers.get("Upload-Offset") || 0);
  return { address: answer.headers.get("Location"), offset, whole: offset === file.size };
}

async function send(file, path) {
  const made = await created(file, path);
  sum.arrived += made.offset;
  let offset = made.offset;
  while (!made.whole && offset < file.size) {
    openNow.set(path, offset / file.size);
    show();
    const piece = file.slice(offset, offset + most); // not its bytes: the browser reads them itself, and the page stays free
    const headers = { "Content-Type": BYTES, "Upload-Offset": String(offset), ...(await checksum(piece)) };
    const answer = await ask("PATCH", made.address, headers, piece);
    if (answer && !answer.ok && ![409, 423, 460].includes(answer.status)) throw new Error(refusal(answer));
    let now = answer?.ok ? Number(answer.headers.get("Upload-Offset")) : null;
    if (now === null) {
      await untilBack(500);
      const head = await ask("HEAD", made.address, {});
      if (!head.ok) throw new Error("the server has forgotten this file: drop it again");
      now = Number(head.headers.get("Upload-Offset"));
    }
    sum.arrived += now - offset;
    offset = now;
  }
}

async function lane() {
  lanes += 1;
  while (waiting.length) {
    const [file, path] = waiting.shift();
    openNow.set(path, 0);
    try { await send(file, path); sum.whole += 1; } catch (error) { failed.push(`${path}: ${error.message}`); sum.files -= 1; sum.bytes -= file.size; }
    openNow.delete(path);
    show();
  }
  lanes -= 1;
}

async function take(files) {
  const chosen = await files;
  if (!chosen.length) return;
  for (const [file] of chosen) { sum.files += 1; sum.bytes += file.size; }
  if (!sum.since) sum.since = performance.now();
  waiting.push(...chosen);
  show();
  try { await (beginning = beginning || begun()); } catch (error) { beginning = null; waiting.length = 0; say(error.message, true); return; }
  while (lanes < LANES && waiting.length) lane();
}

function say(words, bad) {
  const line = document.getElementById("sent-said");
  line.textContent = words;
  line.classList.toggle("bad", Boolean(bad));
}

function show() {
  told.hidden = false;
  const bar = document.getElementById("sent-bar");
  bar.max = Math.max(sum.bytes, 1);
  bar.value = sum.arrived;
  document.getElementById("sent-count").textContent = `${sum.whole.toLocaleString("en")} of ${sum.files.toLocaleString("en")} files, ${size(sum.arrived)} of ${size(sum.bytes)}`;
  const rate = (sum.arrived * 1000) / Math.max(performance.now() - sum.since, 1);
  if (sum.whole === sum.files) say(failed.length ? "All that could be sent is here." : "All of it is here, and was checked by its hash.");
  else say(sum.arrived > LEAST ? `${size(rate)} a second · about ${lasting((sum.bytes - sum.arrived) / rate)} left` : "");
  const volume = document.getElementById("as-volume");
  volume.hidden = !upload || sum.whole !== sum.files;
  volume.querySelector("a").search = `upload=${upload}`;
  const list = document.getElementById("sent-open");
  list.textContent = "";
  for (const [path, part] of openNow) line(list, `${path}${part ? `, ${Math.round(part * 100)}%` : ""}`, "path small");
  for (const words of failed) line(list, words, "bad");
}

function line(list, words, kind) {
  const item = document.createElement("li");
  item.className = kind;
  item.textContent = words;
  list.append(item);
}

// A folder is walked here; browsers hand out at most 100 entries at a time.
async function walked(entry, path) {
  const own = path ? `${path}/${entry.name}` : entry.name;
  if (entry.isFile) return [[await new Promise((done, wrong) => entry.file(done, wrong)), own]];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((done, wrong) => reader.readEntries(done, wrong));
    if (!some.length) return found;
    for (const each of some) found.push(...(await walked(each, own)));
  }
}

async function dropped(items) {
  const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const found = [];
  for (const entry of entries) found.push(...(await walked(entry, "")));
  return found;
}

place.addEventListener("dragover", (event) => { event.preventDefault(); place.classList.add("over"); });
place.addEventListener("dragleave", () => place.classList.remove("over"));
place.addEventListener("drop", (event) => { event.preventDefault(); place.classList.remove("over"); take(dropped(event.dataTransfer.items)); });
for (const input of place.querySelectorAll("input[type=file]")) {
  input.addEventListener("change", () => { take([...input.files].map((file) => [file, file.webkitRelativePath || file.name])); input.value = ""; });
}
addEventListener("beforeunload", (event) => { if (openNow.size || waiting.length) event.preventDefault(); });

form.addEventListener("submit", async (event) => {
  if (!sum.files && !upload) return; // a folder of the server: the form itself says so
  if (form.source.value.trim()) { event.preventDefault(); say("Import the uploaded files or a folder of the server, one after the other.", true); return; }
  event.preventDefault();
  const button = form.querySelector("button[type=submit]");
  button.disabled = true;
  while (openNow.size || waiting.length) { button.textContent = "Imports when all is here"; await pause(200); }
  const options = {};
  for (const field of form.querySelectorAll("[data-option]")) if (field.value.trim()) options[field.name] = field.value.trim();
  const body = { custodian: form.custodian.value.trim() || null, type: form.type.value, passwords: form.passwords.value.split("\n").filter(Boolean), options };
  const answer = await ask("POST", `${form.dataset.uploads}/${upload}/import`, { "Content-Type": "application/json" }, JSON.stringify(body), LAYING_OUT);
  if (answer.ok) { location.href = `${form.dataset.imports}/${JSON.parse(answer.text).batch}`; return; }
  say(refusal(answer), true);
  button.disabled = false;
  button.textContent = "Import";
});

document.getElementById("forget")?.addEventListener("click", async () => {
  await ask("DELETE", `${form.dataset.uploads}/${upload}`, {});
  location.reload();
});
