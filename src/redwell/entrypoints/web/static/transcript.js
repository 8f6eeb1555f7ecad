// Citations of a transcript: a line, or with Shift the lines from the one chosen before up to this one.
const field = document.getElementById("citation");
const rows = [...document.querySelectorAll(".transcript tr")];
let first = null;

function cite(from, to) {
  const [a, b] = from <= to ? [from, to] : [to, from];
  rows.forEach((row, at) => row.classList.toggle("chosen", at >= a && at <= b));
  const start = rows[a].querySelector("button").dataset;
  const end = rows[b].querySelector("button").dataset;
  let place = `${start.page}:${start.line}`;
  if (a !== b) place += start.page === end.page ? `-${end.line}` : `-${end.page}:${end.line}`;
  field.value = [field.dataset.deponent, place].filter(Boolean).join(" ");
}

document.querySelector(".transcript").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const at = rows.indexOf(button.closest("tr"));
  if (!event.shiftKey || first === null) first = at;
  cite(first, at);
});

document.getElementById("copy").addEventListener("click", async () => {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy");
  }
});
