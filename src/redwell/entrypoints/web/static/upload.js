// Files that are dropped on the page, sent in pieces by the tus protocol. What was interrupted goes on where it stopped.
"use strict";
const form = document.getElementById("new-import");
const place = document.getElementById("drop");
const told = document.getElementById("sent");
const csrf = document.querySelector("meta[name=csrf]").content;
const PIECE = 8 << 20;
const LANES = 3;
const TUS = { "Tus-Resumable": "1.0.0", "X-CSRF-Token": csrf };
const waiting = [];
const failed = [];
const sum = { files: 0, whole: 0, bytes: 0, arrived: 0, since: 0, before: 0 };
const openNow = new Map();
let upload = form.dataset.resume || "";
let beginning = null;
let known = null; // files that an interrupted upload has already, by path
let lanes = 0;

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const size = (bytes) => bytes >= 1 << 30 ? `${(bytes / (1 << 30)).toFixed(1)} GB` : bytes >= 1 << 20 ? `${(bytes / (1 << 20)).toFixed(1)} MB` : `${Math.ceil(bytes / 1024)} KB`;
const base64 = (bytes) => btoa(String.fromCharCode(...bytes));
const packed = (text) => base64(new TextEncoder().encode(text));
const lasting = (s) => s < 90 ? `${Math.ceil(s)} s` : s < 5400 ? `${Math.ceil(s / 60)} min` : `${(s / 3600).toFixed(1)} h`;

async function ask(method, address, headers, body) {
  for (let wait = 500; ; wait = Math.min(wait * 2, 15000)) {
    let answer = null;
    try { answer = await fetch(address, { method, headers: { ...TUS, ...headers }, body }); } catch (error) { say("The connection is away; this goes on when it is back."); }
    if (answer && answer.status !== 429 && answer.status < 500) return answer;
    if (answer === null && method === "PATCH") return null; // how far it came, only the server knows
    await pause(Math.max(wait, 1000 * Number(answer?.headers.get("Retry-After") || 0)));
  }
}

async function refusal(answer) {
  try { return (await answer.json()).detail; } catch (error) { return `the server answered ${answer.status}`; }
}

async function begun() {
  if (upload && known === null) {
    const answer = await ask("GET", `${form.dataset.uploads}/${upload}`, {});
    known = new Map(answer.ok ? (await answer.json()).files.map((file) => [file.path, file]) : []);
    if (!answer.ok) upload = "";
  }
  if (!upload) {
    const answer = await ask("POST", form.dataset.uploads, { "Content-Type": "application/json" });
    if (!answer.ok) throw new Error(await refusal(answer));
    upload = (await answer.json()).upload;
    known = known || new Map();
  }
}

async function checksum(piece) {
  if (!crypto.subtle) return {}; // over plain HTTP from elsewhere
  return { "Upload-Checksum": `sha256 ${base64(new Uint8Array(await crypto.subtle.digest("SHA-256", piece)))}` };
}

async function created(file, path) {
  const files = `${form.dataset.uploads}/${upload}/files`;
  const there = known.get(path);
  if (there && there.length === file.size) { known.delete(path); return { address: `${files}/${there.id}`, offset: there.offset, whole: there.whole }; }
  const headers = { "Upload-Length": String(file.size), "Upload-Metadata": `relativePath ${packed(path)},modified ${packed(String(file.lastModified))}` };
  let body;
  if (file.size && file.size <= PIECE) {
    body = await file.arrayBuffer();
    Object.assign(headers, { "Content-Type": "application/offset+octet-stream" }, await checksum(body));
  }
  const answer = await ask("POST", files, headers, body);
  if (!answer.ok) throw new Error(await refusal(answer));
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
    const piece = await file.slice(offset, offset + PIECE).arrayBuffer();
    const headers = { "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(offset), ...(await checksum(piece)) };
    const answer = await ask("PATCH", made.address, headers, piece);
    if (answer && !answer.ok && ![409, 423, 460].includes(answer.status)) throw new Error(await refusal(answer));
    let now = answer?.ok ? Number(answer.headers.get("Upload-Offset")) : null;
    if (now === null) {
      await pause(500);
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
  else say(rate > 0 ? `${size(rate)} a second · about ${lasting((sum.bytes - sum.arrived) / rate)} left` : "");
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
  const answer = await ask("POST", `${form.dataset.uploads}/${upload}/import`, { "Content-Type": "application/json" }, JSON.stringify(body));
  if (answer.ok) { location.href = `${form.dataset.imports}/${(await answer.json()).batch}`; return; }
  say(await refusal(answer), true);
  button.disabled = false;
  button.textContent = "Import";
});

document.getElementById("forget")?.addEventListener("click", async () => {
  await ask("DELETE", `${form.dataset.uploads}/${upload}`, {});
  location.reload();
});
