// The search of a site: all its pages and the headlines of their findings, unpacked when the page is opened.

const MOST_HITS = 60;

const ENDING = /(?:able|ing|ed|er|s)$/;

// As words are compared: without regard to case, and to what joins the parts of a name ("llama.cpp", "llama-cpp").
function plain(text) {
  return text.toLowerCase().replace(/(?<=[a-z])[._](?=[a-z])/g, "-");
}

// Whether a text has a word: a number begins where it is found ("5" is in "5.23", not in "4.57"), and of a longer word
// the stem is enough ("streaming" is in "streams").
function finder(word) {
  if (/^\d[\d.]*$/.test(word)) {
    const number = new RegExp(`(?<![\\d.])${word.replaceAll(".", "\\.")}`);
    return (text) => number.test(text);
  }
  const stem = word.replace(ENDING, "");
  const shortest = stem.length >= 4 ? stem : word;
  return (text) => text.includes(shortest);
}

function hits(entries, words) {
  const finders = words.map(finder);
  const found = [];
  for (const [title, kind, address, text] of entries) {
    const called = plain(title);
    const named = `${called}\n${plain(kind)}`;
    const searched = `${named}\n${plain(text)}`;
    if (!finders.every((has) => has(searched))) continue;
    found.push([rank([called, named, searched], address, words, finders), title, kind, address, text]);
  }
  return found.sort(([one], [other]) => other - one);
}

// What is called just so comes first, then a page that is called by one of the words, as a requirement is by its id, then pages with the words in
// their titles, then findings, then the rest; the words themselves before others with their stems.
function rank([title, named, searched], address, words, finders) {
  if (title === words.join(" ")) return 1000;
  const isPage = address.includes("#") ? 0 : 1;
  const isCalled = words.some((word) => title === word || named.endsWith(` ${word}`)) ? 20 * isPage : 0;
  const isFirst = finders.some((has) => has(title.split(" ", 1)[0])) ? 2 : 0;
  const inTitle = finders.filter((has) => has(title)).length;
  const inName = finders.filter((has) => has(named)).length;
  const whole = words.filter((word) => searched.includes(word)).length;
  return isCalled + isFirst + inTitle * 4 + inName * 2 + whole * 0.5 + isPage * 3;
}

function showHits(entries, said) {
  const words = plain(said).split(/\s+/).filter(Boolean);
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
