// The page on which data are decided: keys, the evidence of the chosen field, and what is sent to the API.
"use strict";
(() => {
  const main = document.querySelector("main[data-ingestion]");
  const fields = [...document.querySelectorAll("li.field")];
  const csrf = document.querySelector('meta[name="csrf"]').content;
  const address = `/api/v1/cases/${document.body.dataset.case}/data/${main.dataset.ingestion}/decisions`;
  let chosen = null;

  function choose(field) {
    if (!field) return;
    for (const each of document.querySelectorAll(".on[data-field]")) each.classList.remove("on");
    chosen = field;
    const marks = document.querySelectorAll(`[data-field="${field.dataset.field}"]`);
    for (const each of marks) each.classList.add("on");
    field.scrollIntoView({ block: "nearest" });
    const mark = [...marks].find((each) => each !== field);
    if (mark) mark.scrollIntoView({ block: "center" });
  }

  function nextDoubt() {
    const start = chosen ? fields.indexOf(chosen) + 1 : 0;
    const order = [...fields.slice(start), ...fields.slice(0, start)];
    const found = order.find((each) => each.classList.contains("doubtful"));
    if (found) { choose(found); found.focus(); }
    return found;
  }

  async function decide(field, decision) {
    const input = field.querySelector("input");
    const body = { decisions: [{ path: field.dataset.path, decision, value: input.value }] };
    const state = field.querySelector(".state");
    const headers = { "Content-Type": "application/json", "X-CSRF-Token": csrf };
    const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
    const said = await answer.json();
    if (!answer.ok) { state.textContent = said.detail || "it was not taken"; return; }
    const now = said.fields.find((each) => each.path === field.dataset.path);
    input.value = input.dataset.was = now.now;
    field.classList.remove("doubtful");
    for (const doubt of field.querySelectorAll(".warn")) doubt.remove();
    state.textContent = decision === "accepted" ? decision : `${decision}; it was “${now.value}”`;
    nextDoubt();
  }

  // Pages are made when somebody opens the document; who is writing just then is not disturbed.
  async function askForPages(doc) {
    const pages = `/api/v1/cases/${document.body.dataset.case}/documents/${doc}/pages`;
    const asked = await fetch(pages, { method: "POST", headers: { "X-CSRF-Token": csrf } });
    if (!asked.ok || !(await asked.json()).asked) return;
    const making = document.getElementById("making");
    making.hidden = false;
    for (let wait = 300; wait < 20000; wait *= 1.3) {
      await new Promise((done) => setTimeout(done, wait));
      const told = await (await fetch(pages)).json();
      if (told.state === "pending") continue;
      if (told.pages) await showPages();
      break;
    }
    making.hidden = true;
  }

  async function showPages() {
    const made = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
    const text = document.querySelector(".evidence .text");
    for (const figure of made.querySelectorAll(".evidence figure")) text.before(figure);
    choose(chosen);
  }

  for (const field of fields) {
    field.addEventListener("click", () => choose(field));
    field.addEventListener("focusin", () => choose(field));
    for (const button of field.querySelectorAll("[data-do]")) {
      button.addEventListener("click", () => decide(field, button.dataset.do));
    }
    field.querySelector("input").addEventListener("keydown", (event) => {
      if (event.key === "Enter") { event.preventDefault(); field.focus(); decide(field, "corrected"); }
      if (event.key === "Escape") { event.target.value = event.target.dataset.was; field.focus(); }
    });
  }

  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === "j") nextDoubt();
    if (key === "x") { const form = document.getElementById("next"); if (form) form.submit(); }
    if (!chosen) return;
    if (key === "a") decide(chosen, "accepted");
    if (key === "r") decide(chosen, "rejected");
    if (key === "e") { event.preventDefault(); chosen.querySelector("input").select(); }
  });
  nextDoubt();
  if (main.dataset.asks) askForPages(main.dataset.asks).catch(() => {});  // its text is there all the same
})();
