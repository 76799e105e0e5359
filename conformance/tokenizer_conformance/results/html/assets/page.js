// What every page has: a choice of theme, and tables that are sorted by the buttons in their heads.
// Text becomes part of the page as text alone: there is no markup in any string here.
"use strict";

const THEME = "tokconf-theme";

function remembered() {
  try {
    return localStorage.getItem(THEME) ?? "";
  } catch {
    return ""; // pages from disk may have no storage
  }
}

function setTheme(theme) {
  if (theme) {
    document.documentElement.dataset.theme = theme;
  } else {
    delete document.documentElement.dataset.theme;
  }
  try {
    localStorage.setItem(THEME, theme);
  } catch {
    // it holds for this visit
  }
}

function chooseTheme() {
  const select = document.getElementById("theme");
  if (!select) return;
  select.value = remembered();
  setTheme(select.value);
  select.addEventListener("change", () => setTheme(select.value));
}

// Return a value that cells are compared by: the number where there is one, else the text.
function sortKey(cell) {
  return cell.dataset.value === undefined ? cell.textContent.trim() : Number(cell.dataset.value);
}

const WORDS = new Intl.Collator("en", { numeric: true });

function compareKeys(one, other) {
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one !== typeof other) return typeof one === "number" ? -1 : 1; // numbers before words
  return WORDS.compare(one, other);
}

// Mark which column a table is sorted by, and return whether upwards.
function turned(head) {
  const upwards = head.getAttribute("aria-sort") !== "ascending";
  for (const each of head.parentElement.children) each.setAttribute("aria-sort", "none");
  head.setAttribute("aria-sort", upwards ? "ascending" : "descending");
  return upwards;
}

function makeSortable(table) {
  const heads = [...table.querySelectorAll("thead th")];
  heads.forEach((head, column) => {
    head.querySelector("button")?.addEventListener("click", () => {
      const sign = turned(head) ? 1 : -1;
      const rows = [...table.tBodies[0].rows].map((row) => [sortKey(row.cells[column]), row]);
      rows.sort(([one], [other]) => sign * compareKeys(one, other));
      table.tBodies[0].append(...rows.map(([, row]) => row));
    });
  });
}

// Make an element with attributes and children; strings are put in as text.
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// Unpack a data block: Base64, gzip, JSON.
async function unpacked(id) {
  const packed = atob(document.getElementById(id).textContent.trim());
  const bytes = new Uint8Array(packed.length);
  for (let at = 0; at < packed.length; at += 1) bytes[at] = packed.charCodeAt(at); // megabytes: no call for each
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

// While a page is printed, everything in it that can be opened is open.
function openForPrint() {
  window.addEventListener("beforeprint", () => {
    for (const each of document.querySelectorAll("details:not([open])")) {
      each.open = true;
      each.dataset.printed = "";
    }
  });
  window.addEventListener("afterprint", () => {
    for (const each of document.querySelectorAll("details[data-printed]")) {
      each.open = false;
      delete each.dataset.printed;
    }
  });
}

chooseTheme();
openForPrint();
document.querySelectorAll("table.sortable").forEach(makeSortable);
