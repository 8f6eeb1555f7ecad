// Page images of the open document: placed at once, drawn as they come into view, with the hits over their words.
"use strict";
const pageImages = (() => {
  const AHEAD = 1500; // pixels
  const BLOCK = 20; // pages
  const ROOM = 0.002; // around a word, so that its frame covers no letter
  const fetchedAhead = new Map(); // first pages of documents that are opened next
  let place = null;
  let hits = [];
  let at = -1;
  let search = "";

  const scroller = () => { const reader = document.getElementById("reader"); return getComputedStyle(reader).overflowY === "visible" ? null : reader; }; // on a narrow screen the whole page scrolls
  const observer = (margin, seen) => new IntersectionObserver((all) => all.forEach(seen), { root: scroller(), rootMargin: `${margin}px` });
  let watched = []; // the observers of blocks and of frames

  function read(text) {
    return text ? text.split(";").map((each) => { const [page, colour, nth] = each.split(","); return { page: Number(page), colour, nth: Number(nth) }; }) : [];
  }

  // Of the query, where it has one on this document; else of a set of terms.
  function first() { return Math.max(0, hits.findIndex((hit) => !hit.colour.startsWith("set"))); }

  // Frames come in blocks, which are filled as they come near: ten thousand pages open as fast as one.
  function build(query) {
    place = document.querySelector("#reader .images");
    watched.forEach((each) => each.disconnect());
    at = -1;
    hits = [];
    if (!place || place.childElementCount) return;
    search = query;
    hits = read(place.dataset.places);
    const pages = Number(place.dataset.pages);
    const high = (Math.min(760, place.clientWidth || 760) * 842) / 595 + 10;
    const frames = observer(AHEAD, (each) => (each.isIntersecting ? load(each.target) : unload(each.target)));
    const blocks = observer(2 * AHEAD, (each) => each.isIntersecting && fill(each.target));
    watched = [blocks, frames];
    for (let first = 1; first <= pages; first += BLOCK) {
      const block = document.createElement("div");
      block.dataset.first = first;
      block.dataset.last = Math.min(pages, first + BLOCK - 1);
      block.style.height = `${(block.dataset.last - first + 1) * high}px`;
      place.append(block);
    }
    load(frame(hits[first()]?.page || 1)); // before the browser has found out what is in view
    for (const block of place.children) blocks.observe(block);
  }

  function fill(block) {
    if (block.childElementCount) return;
    for (let number = Number(block.dataset.first); number <= Number(block.dataset.last); number += 1) {
      const figure = document.createElement("figure");
      figure.className = "page-image";
      figure.dataset.page = number;
      block.append(figure);
      watched[1].observe(figure);
    }
    block.style.height = "";
  }

  function frame(number) {
    const block = place?.children[Math.floor((number - 1) / BLOCK)];
    if (!block) return null;
    fill(block);
    return block.children[(number - 1) % BLOCK];
  }

  function picture(figure) {
    const key = `${place.dataset.api}/pages/${figure.dataset.page}/image`;
    const kept = fetchedAhead.get(key);
    fetchedAhead.delete(key);
    const image = kept || new Image();
    image.alt = `Page ${figure.dataset.page}`;
    image.addEventListener("error", () => failed(figure, image), { once: true });
    if (kept?.complete && !kept.naturalWidth) failed(figure, image);
    if (!kept) image.src = key;
    return image;
  }

  function failed(figure, image) {
    image.remove();
    const told = document.createElement("p");
    told.className = "small none";
    told.textContent = "This page is not there yet.";
    figure.append(told);
    document.dispatchEvent(new CustomEvent("page-missing"));
  }

  function load(figure) {
    if (figure.childElementCount) return;
    const caption = document.createElement("figcaption");
    caption.className = "small";
    caption.textContent = `page ${figure.dataset.page}`;
    figure.append(picture(figure), caption);
    if (!figure.marks) figure.marks = marksOf(figure);
    figure.marks.then((told) => { if (figure.isConnected && figure.childElementCount) draw(figure, told); });
  }

  function unload(figure) {
    if (figure.childElementCount) figure.replaceChildren();
  }

  async function marksOf(figure) {
    const query = new URLSearchParams(search).get("q") || "";
    const answer = await fetch(`${place.dataset.api}/pages/${figure.dataset.page}/marks?${new URLSearchParams({ q: query })}`).catch(() => null);
    return answer?.ok ? answer.json() : { marks: [] };
  }

  function draw(figure, told) {
    if (told.width) figure.style.aspectRatio = `${told.width} / ${told.height}`;
    figure.querySelector("svg")?.remove();
    const made = (name, values, parent) => { const each = document.createElementNS("http://www.w3.org/2000/svg", name); for (const [key, value] of Object.entries(values)) each.setAttribute(key, value); parent.append(each); return each; };
    const layer = made("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" }, figure);
    for (const mark of told.marks) {
      const rect = made("rect", { class: mark.colour, x: mark.left - ROOM, y: mark.top - ROOM, width: mark.right - mark.left + 2 * ROOM, height: mark.bottom - mark.top + 2 * ROOM }, layer);
      rect.dataset.at = `${mark.colour},${mark.nth}`;
    }
    const here = at >= 0 && hits[at]?.page === Number(figure.dataset.page) ? hits[at] : null;
    if (here) point(figure, here);
  }

  function point(figure, hit) {
    place.querySelectorAll("rect.here").forEach((each) => each.classList.remove("here"));
    const own = [...figure.querySelectorAll("rect")].filter((each) => each.dataset.at === `${hit.colour},${hit.nth}`);
    own.forEach((each) => each.classList.add("here"));
    if (own[0]) bring(own[0], 0.4);
  }

  // Into view, this part of it from above. Nothing but the document moves.
  function bring(what, part) {
    const reader = scroller();
    const high = reader ? reader.clientHeight : innerHeight;
    const bar = document.querySelector("#reader .over")?.offsetHeight || 0;
    const down = what.getBoundingClientRect().top - (reader ? reader.getBoundingClientRect().top : 0) - Math.max(bar, part * high);
    (reader || window).scrollBy(0, down);
  }

  function show(number) {
    const figure = frame(number);
    if (!figure) return;
    load(figure);
    bring(figure, 0);
  }

  // To the hit with this place in the list of all; false where pages can't tell.
  function toHit(number) {
    if (!place || place.hidden || !hits[number]) return false;
    at = number;
    const figure = frame(hits[number].page);
    if (!figure) return false;
    load(figure);
    bring(figure, 0);
    point(figure, hits[number]);
    return true;
  }

  function step(by, colour) {
    if (!place || place.hidden || !hits.length) return null;
    const ofQuery = !colour && hits.some((hit) => !hit.colour.startsWith("set"));
    const same = hits.map((hit, number) => ({ hit, number })).filter((each) => (colour ? each.hit.colour === colour : !ofQuery || !each.hit.colour.startsWith("set")));
    if (!same.length) return null;
    let next = by > 0 ? same.find((each) => each.number > at) : same.findLast((each) => each.number < at);
    next ||= by > 0 ? same[0] : same[same.length - 1];
    toHit(next.number);
    return { nth: same.indexOf(next) + 1, of: same.length, page: next.hit.page };
  }

  // The picture that a document opens with, before it is opened.
  function ahead(html) {
    const found = new DOMParser().parseFromString(html, "text/html").querySelector(".images");
    if (!found) return;
    const all = read(found.dataset.places);
    const page = (all.find((hit) => !hit.colour.startsWith("set")) || all[0])?.page || 1;
    const key = `${found.dataset.api}/pages/${page}/image`;
    const image = new Image();
    image.src = `${key}?ahead=true`;
    fetchedAhead.set(key, image);
    if (fetchedAhead.size > 6) fetchedAhead.delete(fetchedAhead.keys().next().value);
  }

  // The page that is in view.
  function visible() {
    if (!place || place.hidden || !place.childElementCount) return 0;
    const top = (scroller()?.getBoundingClientRect().top || 0) + 300;
    const under = (all) => { let low = 0; let high = all.length - 1; while (low < high) { const middle = (low + high) >> 1; if (all[middle].getBoundingClientRect().bottom < top) low = middle + 1; else high = middle; } return all[low]; };
    const block = under(place.children);
    return Number(block.childElementCount ? under(block.children).dataset.page : block.dataset.first);
  }

  return { bring, first, isNarrow: () => !scroller(), build, show, toHit, step, ahead, visible, isExact: () => Boolean(place && "exact" in place.dataset), isShown: () => Boolean(place && !place.hidden && place.isConnected) };
})();
