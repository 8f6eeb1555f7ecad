// Redactions on the image of a page: drawn with the mouse or the keyboard, kept by the API, undone as they were made.
"use strict";
(() => {
  const main = document.querySelector("main.redacting");
  const svg = document.getElementById("boxes");
  if (!svg) return;
  const said = document.getElementById("said");
  const undo = document.getElementById("undo");
  const reason = document.getElementById("reason");
  const csrf = document.querySelector('meta[name="csrf"]').content;
  const api = `/api/v1/cases/${document.body.dataset.case}`;
  const page = Number(main.dataset.page);
  const least = 0.004;
  const changes = [];
  let draft = null;
  let from = null;

  async function ask(method, path, body) {
    const headers = { "Content-Type": "application/json", "X-CSRF-Token": csrf };
    const answer = await fetch(api + path, { method, headers, body: body && JSON.stringify(body) });
    const told = await answer.json();
    if (!answer.ok) throw new Error(told.detail || "it was not taken");
    return told;
  }

  function rect(kind, box) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    made.setAttribute("class", kind);
    place(made, box);
    svg.append(made);
    return made;
  }

  function place(element, box) {
    for (const [name, value] of Object.entries({ x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top })) {
      element.setAttribute(name, value);
    }
    element.box = box;
  }

  function show(redactions) {
    for (const each of svg.querySelectorAll("rect.box")) each.remove();
    for (const each of redactions.filter((one) => one.page === page)) {
      const made = rect("box", each);
      made.dataset.id = each.id;
      made.setAttribute("tabindex", "0");
      made.setAttribute("role", "button");
      made.setAttribute("aria-label", each.reason ? `Redaction, ${each.reason}` : "Redaction");
    }
  }

  async function look() {
    show((await ask("GET", `/documents/${main.dataset.doc}/redactions`)).redactions);
  }

  async function attempt(work) {
    try { await work(); } catch (error) { said.textContent = error.message; }
  }

  function drop() {
    if (draft) draft.remove();
    draft = from = null;
  }

  function keep() {
    if (!draft) return;
    const { left, top, right, bottom } = draft.box;
    drop();
    if (right - left < least || bottom - top < least) return;
    attempt(async () => {
      const box = { page, left, top, right, bottom, reason: reason.value };
      const told = await ask("POST", `/documents/${main.dataset.doc}/redactions`, box);
      changed(told.change, "Redacted.");
      show(told.redactions);
    });
  }

  function changed(change, words) {
    changes.push(change);
    undo.disabled = false;
    said.textContent = words;
  }

  function takeBack() {
    if (!changes.length) return;
    attempt(async () => {
      await ask("POST", `/redactions/changes/${changes.pop()}/undo`);
      undo.disabled = !changes.length;
      said.textContent = "Undone.";
      await look();
    });
  }

  function remove(box) {
    attempt(async () => {
      changed((await ask("DELETE", `/redactions/${box.dataset.id}`)).change, "Removed.");
      await look();
    });
  }

  function at(event) {
    const frame = svg.getBoundingClientRect();
    const inside = (value) => Math.min(1, Math.max(0, value));
    return { x: inside((event.clientX - frame.left) / frame.width), y: inside((event.clientY - frame.top) / frame.height) };
  }

  svg.addEventListener("pointerdown", (event) => {
    if (event.button || event.target.matches("rect.box")) return;
    drop();
    from = at(event);
    draft = rect("draft", { left: from.x, top: from.y, right: from.x, bottom: from.y });
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    if (!from) return;
    const to = at(event);
    place(draft, { left: Math.min(from.x, to.x), top: Math.min(from.y, to.y), right: Math.max(from.x, to.x), bottom: Math.max(from.y, to.y) });
  });
  svg.addEventListener("pointerup", () => { if (from) keep(); });
  undo.addEventListener("click", takeBack);

  function nudge(key, sizes, step) {
    const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[key];
    if (!by) return false;
    const { left, top, right, bottom } = draft.box;
    const moved = sizes
      ? { left, top, right: Math.max(left + least, right + by[0]), bottom: Math.max(top + least, bottom + by[1]) }
      : { left: left + by[0], top: top + by[1], right: right + by[0], bottom: bottom + by[1] };
    if (moved.left >= 0 && moved.top >= 0 && moved.right <= 1 && moved.bottom <= 1) place(draft, moved);
    return true;
  }

  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input, textarea") || event.ctrlKey || event.metaKey) return;
    const key = event.key;
    const box = document.activeElement.matches("rect.box") ? document.activeElement : null;
    if (draft && nudge(key, event.shiftKey, event.altKey ? 0.002 : 0.01)) event.preventDefault();
    else if (draft && key === "Enter") { event.preventDefault(); keep(); }
    else if (draft && key === "Escape") drop();
    else if (box && (key === "Delete" || key === "Backspace")) { event.preventDefault(); remove(box); }
    else if (key === "n") { drop(); draft = rect("draft", { left: 0.4, top: 0.48, right: 0.6, bottom: 0.51 }); svg.focus(); }
    else if (key === "u") takeBack();
    else if (key === "j" && page < Number(main.dataset.pages)) location.search = `?page=${page + 1}`;
    else if (key === "k" && page > 1) location.search = `?page=${page - 1}`;
  });
})();
