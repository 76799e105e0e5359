// The way of one text through a tokenizer: a station under the other, each with what leaves it.

function stationOf(station) {
  const made = element("section", { class: "station" },
    element("h3", {}, station.name, station.component ? " " : "",
      station.component ? element("code", { class: "component" }, station.component) : null));
  if (station.changes.length) {
    made.append(element("ul", { class: "sentences" }, ...station.changes.map((line) => element("li", {}, line))));
  }
  for (const strip of station.strips) made.append(stripOf(strip));
  for (const [, before, differing, after] of station.texts) {
    made.append(element("p", {}, element("code", {}, element("bdi", {}, before + differing + after || "(empty)"))));
  }
  if (station.trouble) made.append(element("p", { class: "trouble" }, station.trouble));
  return made;
}

async function showWay() {
  const place = document.getElementById("stations");
  if (!place) return;
  place.append(...(await unpacked("way-data")).map(stationOf));
  document.documentElement.dataset.ready = "";
}

showWay();
