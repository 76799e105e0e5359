// What pages of a site have: lists that are narrowed down, and texts for a README that are copied with the site's address.

function narrowed(input) {
  const tables = input.getAttribute("aria-controls").split(" ").map((id) => document.getElementById(id));
  const rows = tables.flatMap((table) => [...table.tBodies[0].rows]);
  const told = document.getElementById("narrowed");
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      if (!row.hidden) shown += 1;
    }
    told.textContent = words.length ? `${shown.toLocaleString("en")} of ${rows.length.toLocaleString("en")} shown` : "";
  });
  input.closest("p").hidden = false;
}

// Where the site is served, texts to copy have its address.
function addressed(texts) {
  if (!location.protocol.startsWith("http")) return;
  const root = new URL(document.body.dataset.root, location.href).href;
  for (const text of texts) text.textContent = text.textContent.replaceAll("SITE/", root);
  for (const note of document.querySelectorAll(".site-address")) note.hidden = true;
}

function copying(button) {
  const text = document.getElementById(button.getAttribute("aria-controls"));
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(text);
      button.textContent = "Selected: press Ctrl-C";
    }
    setTimeout(() => (button.textContent = "Copy"), 2500);
  });
}

// What is scrolled sideways can be reached with the keyboard.
function reachable() {
  for (const each of document.querySelectorAll(".document pre, .document table")) {
    if (each.scrollWidth > each.clientWidth) each.tabIndex = 0;
    else each.removeAttribute("tabindex");
  }
}

// Who follows a link to a part that is folded sees it; some browsers do not open it themselves.
function unfolded() {
  const part = document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest(".document details");
  if (!part || part.open) return;
  part.open = true;
  part.scrollIntoView();
}

reachable();
addEventListener("resize", reachable);
unfolded();
addEventListener("hashchange", unfolded);
addressed(document.querySelectorAll(".of-site"));
document.querySelectorAll("button.copy").forEach(copying);
document.querySelectorAll("input.narrow").forEach(narrowed);
