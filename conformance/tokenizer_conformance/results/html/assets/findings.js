// The list of findings: filtered, sorted, linked to, opened. The list stands in an index; what is opened is unpacked then.

const PAGE = 100; // how many rows are shown at once
const SIGNS = {
  agree: "✓", differ: "✗", error: "!", unstable: "?", known: "≈", acceptable: "~", unsupported: "–", "not compared": "·",
};
const COLUMNS = [
  ["implementation", "implementation"], ["tokenizer", "tokenizer"], ["stage", "stage"], ["reason", "class"], ["standing", "standing"],
];
const FIRST_GROUP = "group"; // the filter that is set where the address says nothing
const SORTED_DOWN = new Set(["count"]); // columns of which people want the greatest first

class Findings {
  constructor(index, block) {
    this.index = index;
    this.counted = block.dataset.counted;
    this.group = block.dataset.group;
    this.parts = new Map();
    this.form = document.getElementById("filters");
    this.table = document.getElementById("list");
    this.body = this.table.tBodies[0];
    this.sorted = { column: "", upwards: true };
    this.searched = [];
    this.place = new Map(index.id.map((id, at) => [id, at]));
    this.offerWords();
    this.listen();
    this.follow();
  }

  word(column, at) {
    const { values, codes } = this.index.words[column];
    return values[codes[at]];
  }

  wordsOf(at) {
    return Object.keys(this.index.words).map((column) => this.word(column, at));
  }

  // What the text search looks into: made when somebody searches.
  searchedOf(at) {
    this.searched[at] ??= [this.index.headline[at], this.index.text[at], this.index.id[at], ...this.wordsOf(at)].join("\n").toLowerCase();
    return this.searched[at];
  }

  // Filters --------------------------------------------------------------------------------------------------------

  offerWords() {
    for (const select of this.form.querySelectorAll("select[name]")) {
      const column = this.index.words[select.name];
      if (!column) continue;
      const counts = new Array(column.values.length).fill(0);
      for (const code of column.codes) counts[code] += 1;
      const offered = column.values.map((value, code) => [value, counts[code]]).filter(([value]) => value !== "");
      offered.sort(([one], [other]) => one.localeCompare(other, "en", { numeric: true }));
      for (const [value, count] of offered) {
        select.append(element("option", { value }, `${value} (${count.toLocaleString("en")})`));
      }
      select.closest("label").hidden = offered.length < 2;
    }
  }

  listen() {
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("change", (event) => {
      if (event.target.name === "sort") this.sortBy(event.target.value);
      this.changed();
    });
    let waiting = 0;
    this.form.elements.text.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => this.changed(), 120);
    });
    this.form.addEventListener("reset", () => setTimeout(() => {
      this.sortBy("");
      this.changed();
    }));
    for (const head of this.table.querySelectorAll("thead th[data-column]")) {
      head.querySelector("button").addEventListener("click", () => {
        const { column, upwards } = this.sorted;
        const name = head.dataset.column;
        this.sortBy(name, column === name ? !upwards : !SORTED_DOWN.has(name));
        this.changed();
      });
    }
    document.getElementById("further").addEventListener("click", () => this.showFurther());
    document.getElementById("every").addEventListener("click", () => this.form.reset());
    document.getElementById("earlier").addEventListener("click", () => this.showEarlier());
    // A link to where the address is already leads there again.
    document.addEventListener("click", (event) => {
      const link = event.target.closest?.('a[href^="#finding"]');
      if (link && link.hash === location.hash) this.follow();
    });
    this.body.addEventListener("keydown", (event) => this.step(event));
    window.addEventListener("hashchange", () => this.follow());
  }

  // Arrow keys go from finding to finding, while one of them has the focus.
  step(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (!(event.key in steps) || !event.target.matches(".title button")) return;
    const buttons = [...this.body.querySelectorAll(".title button")];
    const next = buttons[buttons.indexOf(event.target) + steps[event.key]];
    if (next) {
      event.preventDefault();
      next.focus();
    }
  }

  sortBy(column, upwards = !SORTED_DOWN.has(column)) {
    this.sorted = { column, upwards };
    if (this.form.elements.sort) this.form.elements.sort.value = column;
    for (const head of this.table.querySelectorAll("thead th[data-column]")) {
      const own = head.dataset.column === column;
      head.setAttribute("aria-sort", own ? (upwards ? "ascending" : "descending") : "none");
    }
  }

  // Return a function that gives what a finding is sorted by; of few different words, their place among these.
  keys() {
    const { column } = this.sorted;
    if (!(column in this.index.words)) return (at) => this.index[column][at];
    const { values, codes } = this.index.words[column];
    const places = new Map([...values].sort(compareKeys).map((value, place) => [value, place]));
    return (at) => places.get(values[codes[at]]);
  }

  selected() {
    const wanted = Object.entries(this.index.words).map(([column, { values, codes }]) => {
      const value = this.form.elements[column]?.value ?? "";
      return value === "" ? null : [codes, values.indexOf(value)];
    }).filter(Boolean);
    const words = this.form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = [];
    for (let at = 0; at < this.index.size; at += 1) {
      if (wanted.every(([codes, code]) => codes[at] === code) && words.every((word) => this.searchedOf(at).includes(word))) {
        found.push(at);
      }
    }
    if (this.sorted.column) {
      const sign = this.sorted.upwards ? 1 : -1;
      const key = this.keys();
      found.sort((one, other) => sign * compareKeys(key(one), key(other)) || one - other);
    }
    return found;
  }

  // The address ----------------------------------------------------------------------------------------------------

  // What the address says is set: #findings&implementation=tokie&sort=-count, #finding=cause-1.
  follow() {
    const hash = location.hash.slice(1);
    const said = new URLSearchParams(hash.startsWith("findings") ? hash.slice("findings".length) : hash);
    const finding = hash.startsWith("findings") ? null : said.get("finding");
    if (!hash.startsWith("finding")) {
      if (!this.isShown) this.set(new URLSearchParams(this.group ? { [FIRST_GROUP]: this.group } : {}));
      return;
    }
    if (finding === null) {
      this.set(said);
      document.getElementById("findings").scrollIntoView();
    } else {
      this.reveal(finding);
    }
  }

  set(said) {
    for (const control of this.form.elements) {
      if (!control.name || control.name === "sort") continue;
      control.value = said.get(control.name) ?? "";
      if (control.selectedIndex === -1) control.value = ""; // a word of another report
    }
    const sort = said.get("sort") ?? "";
    const column = sort.replace(/^-/, "");
    const isThere = [...this.table.querySelectorAll("thead th")].some((head) => head.dataset.column === column);
    this.sortBy(isThere ? column : "", !sort.startsWith("-"));
    this.show();
  }

  changed() {
    const said = new URLSearchParams();
    for (const control of this.form.elements) {
      if (control.name && control.name !== "sort" && control.value) said.set(control.name, control.value);
    }
    const { column, upwards } = this.sorted;
    if (column) said.set("sort", (upwards ? "" : "-") + column);
    const words = said.toString();
    history.replaceState(null, "", words ? `#findings&${words}` : "#findings");
    this.show();
  }

  // Open the finding with that id, whatever the filters are: those that hide it are taken away.
  async reveal(id) {
    const at = this.place.get(id);
    if (at === undefined) {
      this.set(new URLSearchParams());
      document.getElementById("shown").textContent = `There is no finding ${id} in this report; all are shown.`;
      document.getElementById("findings").scrollIntoView();
      return;
    }
    if (!this.isShown || !this.found.includes(at)) this.set(new URLSearchParams({ [FIRST_GROUP]: this.word("group", at) }));
    if (!this.rowOf(at)) this.showFrom(this.found.indexOf(at));
    const row = this.rowOf(at);
    await this.open(row, at);
    row.scrollIntoView({ block: "start" });
    row.querySelector(".title button").focus({ preventScroll: true });
    performance.mark("finding shown");
  }

  rowOf(at) {
    return this.body.querySelector(`tr[data-at="${at}"]`);
  }

  // The list -------------------------------------------------------------------------------------------------------

  show() {
    this.isShown = true;
    this.found = this.selected();
    this.showFrom(0);
  }

  // Show the hundred in which the finding at that place of the list is.
  showFrom(place) {
    this.first = Math.floor(place / PAGE) * PAGE;
    this.next = this.first;
    this.body.replaceChildren();
    this.showFurther();
  }

  showFurther() {
    const rows = this.found.slice(this.next, this.next + PAGE);
    this.body.append(...rows.map((at) => this.row(at)));
    this.next += rows.length;
    this.tell();
  }

  showEarlier() {
    const rows = this.found.slice(this.first - PAGE, this.first);
    this.body.prepend(...rows.map((at) => this.row(at)));
    this.first -= rows.length;
    this.tell();
  }

  tell() {
    const count = (number) => number.toLocaleString("en");
    const all = this.found.length === this.index.size ? "" : ` (of ${count(this.index.size)})`;
    const which = this.first ? `${count(this.first + 1)} to ${count(this.next)}` : count(this.next);
    const none = `None of the ${count(this.index.size)} findings has all that is asked for.`;
    const some = `${which} of ${count(this.found.length)} findings shown${all}`;
    document.getElementById("shown").textContent = this.found.length ? some : none;
    document.getElementById("every").hidden = this.found.length > 0;
    document.getElementById("further").hidden = this.next >= this.found.length;
    document.getElementById("earlier").hidden = this.first === 0;
  }

  row(at) {
    const button = element("button", { type: "button", "aria-expanded": "false" }, this.index.headline[at]);
    const title = element("td", { class: "title" }, button);
    if (this.index.text[at]) title.append(element("code", {}, element("bdi", {}, this.index.text[at])));
    const row = element("tr", { "data-at": at }, title);
    for (const [column, label] of COLUMNS) row.append(element("td", { "data-label": label }, this.word(column, at)));
    row.append(element("td", { class: "number", "data-label": this.counted }, this.index.count[at].toLocaleString("en")));
    button.addEventListener("click", () => (row.classList.contains("open") ? this.close(row) : this.open(row, at, true)));
    return row;
  }

  close(row) {
    row.classList.remove("open");
    row.querySelector("button").setAttribute("aria-expanded", "false");
    row.nextElementSibling.remove();
  }

  async open(row, at, told = false) {
    if (row.classList.contains("open")) return;
    row.classList.add("open");
    row.querySelector("button").setAttribute("aria-expanded", "true");
    const cell = element("td", { colspan: row.cells.length });
    row.after(element("tr", { class: "opened" }, cell));
    if (told) history.replaceState(null, "", `#finding=${encodeURIComponent(this.index.id[at])}`);
    const detail = await this.detail(at);
    cell.replaceChildren(detailOf(detail, this.index.id[at]));
  }

  async detail(at) {
    const number = Math.floor(at / this.index.part);
    if (!this.parts.has(number)) this.parts.set(number, unpacked(`part-${number}`));
    return (await this.parts.get(number))[at % this.index.part];
  }
}

// A finding ----------------------------------------------------------------------------------------------------------

function detailOf(finding, id) {
  const detail = element("div", { class: "detail" });
  if (finding.pipeline) detail.append(pipelineOf(finding.pipeline));
  for (const { label, shown, length } of finding.subjects ?? []) {
    const unit = label.startsWith("ids") ? "ids" : "characters";
    const counted = length > 1 ? ` (${length.toLocaleString("en")} ${unit})` : "";
    detail.append(element("p", {}, `${label} `, element("code", {}, element("bdi", {}, shown)), counted));
  }
  for (const strip of finding.strips ?? []) detail.append(stripOf(strip));
  if (finding.texts) detail.append(textsOf(finding.texts));
  detail.append(...(finding.troubles ?? []).map(troubleOf));
  if (finding.lines && !finding.strips && !finding.texts) detail.append(element("pre", { tabindex: "0" }, finding.lines.join("\n")));
  detail.append(factsOf(finding));
  for (const { language, code, needs } of finding.snippets ?? []) {
    const needed = needs.length ? ` (needs ${needs.join(", ")})` : "";
    detail.append(copied(`program in ${language} that shows it without tokconf${needed}`, code));
  }
  if (finding.repeat) detail.append(copied(`${finding.repeat_is ?? "command"} that shows it again`, finding.repeat));
  const link = `#finding=${encodeURIComponent(id)}`;
  detail.append(element("p", { class: "note" }, "link to this finding: ", element("a", { href: link }, id)));
  if (finding.lines && (finding.strips || finding.texts)) {
    detail.append(element("details", {}, element("summary", {}, "as a terminal shows it"),
      element("pre", { tabindex: "0" }, finding.lines.join("\n"))));
  }
  return detail;
}

function pipelineOf(steps) {
  const list = element("ol", { class: "pipeline", "aria-label": "The pipeline, and where the answers part first" });
  for (const [name, state] of steps) {
    const blamed = state === "differ" || state === "error";
    list.append(element("li", { title: state, class: `state-${state.replace(" ", "-")}${blamed ? " blamed" : ""}` },
      element("span", { "aria-hidden": "true" }, SIGNS[state] ?? ""), ` ${name}`,
      element("span", { class: blamed ? "" : "hidden" }, blamed ? `: ${state === "error" ? "error" : "differs"} first here` : `: ${state}`)));
  }
  return list;
}

// Tokens under the text: a table with a column for each code point.
function stripOf(strip) {
  const columns = strip.characters.length;
  const wrapped = element("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": `Tokens of both sides under the ${strip.label || "text"}` });
  const table = element("table", { class: "strip", dir: "ltr" });
  const cut = strip.length > columns ? `, characters ${strip.start} to ${strip.end} of ${strip.length}` : "";
  table.append(element("caption", {}, `Tokens under the ${strip.label || "text"}${cut}`));
  if (columns) {
    const head = element("tr", { class: "characters" }, element("th", { scope: "row" }, strip.label));
    for (const [shown, name] of strip.characters) head.append(element("th", { scope: "col", title: name }, shown));
    table.append(element("thead", {}, head));
  }
  const body = element("tbody");
  for (const lane of strip.lanes) for (const row of laneRows(lane, columns)) body.append(row);
  table.append(body);
  wrapped.append(table);
  return wrapped;
}

function laneRows(lane, columns) {
  const rows = lane.rows.map((blocks) => {
    const row = element("tr");
    let column = 0;
    blocks.forEach((block, number) => {
      const [, , start, end] = block;
      if (start > column) row.append(element("td", { class: "gap", colspan: start - column }));
      row.append(tokenOf(block, number, "td", { colspan: end - start }));
      column = end;
    });
    if (columns > column) row.append(element("td", { class: "gap", colspan: columns - column }));
    return row;
  });
  if (lane.loose.length || !rows.length || lane.left_out) rows.push(element("tr", {}, looseOf(lane, columns)));
  rows[0].prepend(element("th", { scope: "row", rowspan: rows.length }, lane.side));
  return rows;
}

// What has no place in the text, in its order.
function looseOf(lane, columns) {
  const cell = element("td", { class: "gap", colspan: Math.max(columns, 1) });
  const list = element("div", { class: "loose" });
  const hasOffsets = lane.rows.length || lane.loose.some((block) => block[5]);
  const note = hasOffsets ? "for no character:" : "without offsets:";
  if (columns && lane.loose.length) list.append(element("span", { class: "note" }, note));
  lane.loose.forEach((block, number) => list.append(tokenOf(block, number, "span", {})));
  if (!lane.loose.length && !lane.rows.length) list.append(element("span", { class: "note" }, "no tokens"));
  if (lane.left_out) list.append(element("span", { class: "note" }, `… and ${lane.left_out.toLocaleString("en")} more`));
  cell.append(list);
  return cell;
}

function tokenOf([shown, id, , , differs, place], number, name, attributes) {
  const where = place && `${place.startsWith("at") ? "" : "characters "}${place}`;
  const told = [shown || "(empty)", id === null ? "" : `id ${id}`, where, differs ? "differs" : ""].filter(Boolean).join(", ");
  const token = element(name, { ...attributes, class: `token t${number % 4}${differs ? " differs" : ""}`, title: told });
  if (differs) token.append(element("span", { "aria-hidden": "true" }, "≠ "));
  token.append(element("bdi", {}, shown || "∅"));
  if (id !== null) token.append(element("span", { class: "id" }, String(id)));
  if (name === "span" && place) token.append(element("span", { class: "id" }, place)); // in a column it is seen
  if (differs) token.append(element("span", { class: "hidden" }, " (differs)"));
  return token;
}

function textsOf(rows) {
  const table = element("table", { class: "texts" }, element("caption", {}, "Both answers"));
  const body = element("tbody");
  for (const [side, before, differing, after] of rows) {
    const text = element("code", {}, element("bdi", {}, before), element("mark", {}, differing), element("bdi", {}, after));
    const cell = before || differing || after ? text : element("span", { class: "note" }, "(empty)");
    body.append(element("tr", {}, element("th", { scope: "row" }, side), element("td", {}, cell)));
  }
  table.append(body);
  return element("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": "Both answers" }, table);
}

function factsOf(finding) {
  const list = element("dl", { class: "facts" });
  const add = (label, value) => {
    if (value) list.append(element("dt", {}, label), element("dd", {}, value));
  };
  add("reason", finding.explanation);
  if (finding.proof) add("proof", element("ul", {}, ...finding.proof.map((sentence) => element("li", {}, sentence))));
  add(finding.known_is, finding.known);
  add("touches", finding.impact);
  add("whose", finding.whose);
  for (const [label, value] of finding.facts ?? []) add(label, value);
  return list;
}

function copied(label, text) {
  const shown = element("pre", { tabindex: "0", "aria-label": label }, text);
  const button = element("button", { type: "button", class: "copy" }, "Copy");
  button.addEventListener("click", async () => {
    button.textContent = (await copy(text, shown)) ? "Copied" : "Selected: press Ctrl-C";
    setTimeout(() => (button.textContent = "Copy"), 2500);
  });
  return element("div", {}, element("p", { class: "note" }, label), element("div", { class: "repeat" }, shown, button));
}

// Put text into the clipboard; where that is not allowed, select it.
async function copy(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection().selectAllChildren(shown);
    return false;
  }
}

// ---------------------------------------------------------------------------------------------------------------------

async function showFindings() {
  const block = document.getElementById("index");
  if (!block) return;
  try {
    window.findings = new Findings(await unpacked("index"), block);
    document.documentElement.dataset.ready = "";
    performance.mark("findings shown");
  } catch (error) {
    document.getElementById("shown").textContent = `This browser cannot unpack the list of findings: ${error.message}`;
  }
}

showFindings();
