// One text: the tokens of all sides under it, and its way through a tokenizer, a station under the other.

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

function troubleOf([side, trouble]) {
  return element("p", { class: "trouble" }, element("strong", {}, side), ` ${trouble}`);
}

async function showPicture() {
  const place = document.getElementById("picture");
  if (!place) return;
  const { strips, troubles } = await unpacked("picture-data");
  place.append(...strips.map(stripOf), ...troubles.map(troubleOf));
}

async function showWay() {
  const place = document.getElementById("stations");
  if (!place) return;
  place.append(...(await unpacked("way-data")).map(stationOf));
  document.documentElement.dataset.ready = "";
}

showPicture();
showWay();
