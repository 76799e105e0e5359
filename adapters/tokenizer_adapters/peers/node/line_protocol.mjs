// The line protocol for workers on Node: a request a line on standard input, its answer a line on standard output.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

const PROTOCOL = 1;

// Standard output is for answers; whatever a library that is imported after this prints goes to standard error.
console.log = console.info = console.debug = console.error;

// There is no answer to a question; the message is all that is said of it.
export class Unsupported extends Error {}

export function json(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

export function jsonIfThere(file) {
  try {
    return json(file);
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}

// The version of a package of npm; `from` is the address of the module that imports it.
function versionOf(name, from) {
  const entry = createRequire(from).resolve(name);
  return json(join(dirname(dirname(entry)), "package.json")).version;
}

// Answers until it is told to stop. `about` is what is said at the start; in place of `version` it has the name of the
// `package`, and `from`, see above. `does` has a function for each request but start and stop, `load` and `observe` at
// least; none but `load` is called before a tokenizer is loaded.
export async function serve({ package: library, from, ...about }, does) {
  const { name } = about;
  let isLoaded = false;

  const all = {
    ...does,
    start: ({ protocol }) => {
      if (protocol !== PROTOCOL) throw new Error(`version ${protocol} is spoken there, and version ${PROTOCOL} here`);
      const version = versionOf(library, from);
      return { protocol, version, language: "JavaScript", offset_unit: "UTF-16 units", ...about };
    },
    load: async (request) => {
      isLoaded = false;
      const loaded = await does.load(request);
      isLoaded = true;
      return loaded;
    },
    stop: () => ({}),
  };

  async function answer({ id, ...request }) {
    try {
      if (!Object.hasOwn(all, request.do)) throw new Unsupported(`${name} does not know ${request.do}`);
      if (!isLoaded && !["start", "load", "stop"].includes(request.do)) throw new Error("no tokenizer is loaded");
      return { id, value: await all[request.do](request) };
    } catch (error) {
      if (error instanceof Unsupported) return { id, unsupported: error.message };
      return { id, error: { kind: error?.name ?? "Error", message: String(error?.message ?? error) } };
    }
  }

  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    const request = JSON.parse(line);
    process.stdout.write(`${JSON.stringify(await answer(request))}\n`);
    if (request.do === "stop") break;
  }
}
