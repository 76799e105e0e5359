// The search of a site: all its pages and the headlines of their findings, unpacked when the page is opened.

const MOST_HITS = 60;

function hits(entries, words) {
  const found = [];
  for (const [title, kind, address, text] of entries) {
    const named = `${title}\n${kind}`.toLowerCase();
    const searched = `${named}\n${text.toLowerCase()}`;
    if (!words.every((word) => searched.includes(word))) continue;
    found.push([rank(title.toLowerCase(), named, address, words), title, kind, address, text]);
  }
  return found.sort(([one], [other]) => other - one);
}

// What is called just so comes first, then pages with the words in their titles, then findings, then the rest.
function rank(title, named, address, words) {
  if (title === words.join(" ")) return 1000;
  const isPage = address.includes("#") ? 0 : 1;
  const inTitle = words.filter((word) => title.includes(word)).length;
  const inName = words.filter((word) => named.includes(word)).length;
  return inTitle * 4 + inName * 2 + isPage;
}

function showHits(entries, said) {
  const words = said.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length ? hits(entries, words) : [];
  const told = words.length ? `${found.length.toLocaleString("en")} found` : "";
  document.getElementById("found").textContent =
    found.length > MOST_HITS ? `${told}; the first ${MOST_HITS} are shown` : told;
  document.getElementById("hits").replaceChildren(...found.slice(0, MOST_HITS).map(([, title, kind, address, text]) =>
    element("li", {}, element("a", { href: address }, title), element("span", { class: "of" }, kind),
      text ? element("span", { class: "smallest" }, text.slice(0, 200)) : null)));
}

async function search() {
  const form = document.querySelector("form[role=search]");
  if (!form) return;
  const entries = await unpacked("entries");
  const input = form.elements.words;
  input.value = new URLSearchParams(location.hash.slice(1)).get("words") ?? "";
  const show = () => {
    history.replaceState(null, "", input.value ? `#${new URLSearchParams({ words: input.value })}` : "#");
    showHits(entries, input.value);
  };
  input.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  showHits(entries, input.value);
  input.focus();
  document.documentElement.dataset.ready = "";
}

search();
