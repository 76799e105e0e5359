// Runs an exported suite over @huggingface/tokenizers, and nothing of ours: a model for a runner in any language.
//
//     tokconf suite export suite
//     npm install @huggingface/tokenizers
//     node run_suite.mjs suite [--json]
//
// Prints how many cases of each area passed, failed, are unsupported, and were no answer at all (errors); with --json a
// line for each case in place of that. Exit status 0 where all passed or are unsupported, 1 where some did not. The cases
// are asked in a process of their own: one that crashes it, or hangs, is an error, and the next one is asked in another.

import { spawnSync } from "node:child_process";
import { readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { Tokenizer } from "@huggingface/tokenizers";

class Unsupported extends Error {}
class Refused extends Error {}

// What the library is asked, by the word of a step; an answer has the fields that the library shows.

const ASKS = {
  normalize: (tokenizer, { text }) => ({ text: tokenizer.normalizer === null ? text : tokenizer.normalizer(text) }),

  pre_tokenize: (tokenizer, { text }) => {
    // Its pre-tokenizer is given no empty text, and no empty piece reaches its model.
    const cuts = text !== "" && tokenizer.pre_tokenizer !== null;
    const pieces = cuts ? tokenizer.pre_tokenizer(text, { section_index: 0 }) : [text];
    return { pieces: pieces.filter((piece) => piece !== "") };
  },

  encode: (tokenizer, { text, pair, pair_words, add_special_tokens }) => {
    if (text === undefined || pair_words !== undefined) throw new Unsupported("takes no words");
    const options = { text_pair: pair ?? null, add_special_tokens, return_token_type_ids: true };
    const { ids, tokens, attention_mask, token_type_ids } = tokenizer.encode(text, options);
    if (!ids.every(Number.isInteger)) throw new Error("a token has no id");
    return { ids, tokens, attention_mask, type_ids: token_type_ids }; // post-processors without types give none
  },

  // Spaces are cleaned up unless that is told not to be; a tokenizer.json knows no such step.
  decode: (tokenizer, { ids, skip_special_tokens }) => {
    if (ids.length === 0) throw new Unsupported("decodes one id at least");
    return { text: tokenizer.decode(ids, { skip_special_tokens, clean_up_tokenization_spaces: false }) };
  },

  // Ids that no token has stand in the map, too, under `undefined`.
  vocabulary: (tokenizer) => ({
    vocabulary: Object.fromEntries([...tokenizer.get_vocab()].filter(([token]) => token !== undefined)),
  }),

  load: (_, { tokenizer }) => {
    let loaded = true;
    try {
      new Tokenizer(tokenizer, {});
    } catch {
      loaded = false;
    }
    return { refused: !loaded };
  },
};

// A step is wrong (a text says how), unsupported, or shows features: its place, its fields and its way of asking.

function ask(tokenizer, step) {
  if (!Object.hasOwn(ASKS, step.ask)) return { unsupported: `cannot be asked to ${step.ask}` };
  const { expected } = step;
  let answer;
  try {
    answer = ASKS[step.ask](tokenizer, step);
  } catch (error) {
    if (error instanceof Unsupported) return { unsupported: error.message };
    return expected.error ? { shown: wayOf(step) } : { wrong: `raises ${error.message}` };
  }
  if (expected.error) return { wrong: "gives a value, where an error is expected" };
  const fields = Object.keys(answer).filter((field) => answer[field] !== undefined);
  const differing = fields.find((field) => !isDeepStrictEqual(answer[field], wanted(step, field)));
  if (differing !== undefined) {
    const [found, want] = [answer[differing], wanted(step, differing)].map((value) => JSON.stringify(value));
    return { wrong: `${differing} ${found}, where ${want} is expected` };
  }
  return { shown: [...wayOf(step), ...fields] };
}

// The library shows pieces without offsets.
function wanted({ ask, expected }, field) {
  return ask === "pre_tokenize" ? expected.pieces.map(([piece]) => piece) : expected[field];
}

// The features that a step asks for: its place and its way of asking.
function wayOf({ ask, then, inputs, words, pair, pair_words, add_special_tokens }) {
  if (ask === "after") return ["changes", ...wayOf(then)];
  if (ask === "decode_stream") return ["decode", "stream"];
  if (ask === "encode_batch") {
    return ["batch", ...inputs.flatMap((input) => wayOf({ ask: "encode", add_special_tokens, ...input }))];
  }
  if (ask !== "encode") return [ask];
  const isPair = pair !== undefined || pair_words !== undefined;
  const way = [isPair || add_special_tokens ? "post_process" : "model"];
  if (isPair) way.push("pair");
  if (words !== undefined) way.push("pre_split");
  if (add_special_tokens) way.push("special_tokens");
  return way;
}

// The features that a case has: what its steps ask for, and the fields that have anything in what is expected.
function featuresOf({ steps }) {
  const values = steps.flatMap(({ expected }) => [expected, ...(expected.encodings ?? [])]);
  const fields = values.flatMap((value) => Object.keys(value).filter((field) => value[field].length > 0));
  return new Set([...steps.flatMap(wayOf), ...fields]);
}

function verdictOf(tokenizer, requirement, example) {
  if (tokenizer instanceof Refused) return { verdict: "failed", reason: `is not loaded: ${tokenizer.message}` };
  const results = example.steps.map((step) => ask(tokenizer, step));
  const wrong = results.find((result) => result.wrong !== undefined);
  if (wrong !== undefined) return { verdict: "failed", reason: wrong.wrong };
  const shown = new Set(results.flatMap((result) => result.shown ?? []));
  const has = featuresOf(example);
  const missing = requirement.features.filter((feature) => has.has(feature) && !shown.has(feature));
  if (missing.length === 0 && shown.size > 0) return { verdict: "passed", reason: "" };
  const unsupported = results.find((result) => result.unsupported !== undefined);
  return { verdict: "unsupported", reason: unsupported?.unsupported ?? `does not show ${missing.join(", ")}` };
}

function load(document) {
  try {
    return new Tokenizer(document, {});
  } catch (error) {
    return new Refused(error.message);
  }
}

// Processes ------------------------------------------------------------------------------------------------------------

const PATIENCE = 30_000; // milliseconds until a process that gives no verdict is taken to hang
const ARGUMENTS = ["--max-old-space-size=1024", fileURLToPath(import.meta.url)];

function casesOf(area) {
  return area.requirements.flatMap((requirement) => requirement.cases.map((example) => ({ requirement, example })));
}

// What the process of its own does: ask the cases of a file, from number `first` on, and write a line for each. Before
// a step that may crash, since it is to end in an error, the line says what the case comes to if it does.
function askCases(area, first) {
  const loaded = new Map();
  for (const { requirement, example } of casesOf(area).slice(first)) {
    const name = example.tokenizer;
    if (!loaded.has(name)) loaded.set(name, load(area.tokenizers[name]));
    const calm = { ...example, steps: example.steps.filter(({ expected }) => !expected.error) };
    if (calm.steps.length < example.steps.length) {
      const { verdict, reason } = verdictOf(loaded.get(name), requirement, calm);
      writeSync(1, `${JSON.stringify(verdict === "failed" ? { verdict, reason } : { verdict: "passed", reason: "" })} `);
    }
    writeSync(1, `${JSON.stringify(verdictOf(loaded.get(name), requirement, example))}\n`);
  }
}

function verdictsOf(folder, file) {
  const cases = casesOf(read(folder, file));
  const verdicts = [];
  while (verdicts.length < cases.length) {
    const options = { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], timeout: PATIENCE, maxBuffer: Infinity };
    const done = spawnSync(process.execPath, [...ARGUMENTS, folder, "--ask", file, String(verdicts.length)], options);
    const lines = done.stdout.split("\n");
    const last = lines.pop();
    verdicts.push(...lines.map((line) => JSON.parse(line.slice(line.lastIndexOf('{"verdict":')))));
    const hangs = done.error?.code === "ETIMEDOUT";
    if (verdicts.length === cases.length || (hangs && lines.length > 0)) continue;
    const crash = last === "" ? { verdict: "error", reason: "crashes" } : JSON.parse(last);
    verdicts.push(hangs ? { verdict: "error", reason: "hangs" } : crash);
  }
  return verdicts.map((verdict, index) => ({ case: nameOf(cases[index]), ...verdict }));
}

function nameOf({ requirement, example }) {
  return `${requirement.id}/${example.name}`;
}

function read(folder, file) {
  return JSON.parse(readFileSync(join(folder, file), "utf8"));
}

function runSuite(folder, asJson) {
  const index = read(folder, "index.json");
  if (index.form !== "json") return complain(`${folder} holds JSON Lines; export it with --format json`);
  let wrong = 0;
  for (const { area, file } of index.areas) {
    const counts = { passed: 0, failed: 0, unsupported: 0, error: 0 };
    for (const result of verdictsOf(folder, file)) {
      counts[result.verdict] += 1;
      if (asJson) console.log(JSON.stringify(result));
    }
    wrong += counts.failed + counts.error;
    const said = Object.entries(counts).filter(([, count]) => count > 0);
    if (!asJson) console.log(`${area}: ${said.map(([verdict, count]) => `${count} ${verdict}`).join(", ")}`);
  }
  return wrong > 0 ? 1 : 0;
}

function complain(message) {
  console.error(message);
  return 2;
}

const [folder, option, file, first] = process.argv.slice(2);
if (folder === undefined) process.exitCode = complain("usage: node run_suite.mjs FOLDER [--json]");
else if (option === "--ask") askCases(read(folder, file), Number(first));
else process.exitCode = runSuite(folder, option === "--json");
