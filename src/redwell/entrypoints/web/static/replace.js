// A whole file in place of a damaged one: sent in one piece or several, then imported beside it.
"use strict";
const token = document.querySelector("meta[name=csrf]").content;
const cases = `/api/v1/cases/${document.body.dataset.case}`;
const STEP = 8 << 20;

async function asked(method, address, headers, body) {
  const answer = await fetch(address, { method, headers: { "X-CSRF-Token": token, "Tus-Resumable": "1.0.0", ...headers }, body });
  if (!answer.ok) throw new Error((await answer.json()).detail);
  return answer;
}

async function replaced(file, doc) {
  const json = { "Content-Type": "application/json" };
  const { upload } = await (await asked("POST", `${cases}/uploads`, json)).json();
  const name = btoa(String.fromCharCode(...new TextEncoder().encode(file.name)));
  const made = await asked("POST", `${cases}/uploads/${upload}/files`, { "Upload-Length": String(file.size), "Upload-Metadata": `filename ${name}` });
  for (let offset = 0; offset < file.size; offset += STEP) {
    const headers = { "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(offset) };
    await asked("PATCH", made.headers.get("Location"), headers, file.slice(offset, offset + STEP));
  }
  return (await asked("POST", `${cases}/documents/${doc}/replacement`, json, JSON.stringify({ upload }))).json();
}

document.addEventListener("change", async (event) => {
  const input = event.target.closest("input[data-replaces]");
  if (!input || !input.files.length) return;
  const said = document.getElementById(`replaced-${input.dataset.replaces}`);
  said.textContent = "Sending it…";
  try {
    const told = await replaced(input.files[0], input.dataset.replaces);
    said.textContent = "";
    const link = document.createElement("a");
    link.href = `/cases/${document.body.dataset.case}/imports/${told.batch}`;
    link.textContent = `Replaced by import ${told.batch}`;
    said.append(link);
  } catch (error) { said.textContent = error.message; }
});
