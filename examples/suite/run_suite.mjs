// Runs an exported suite over @huggingface/tokenizers, and nothing of ours: a model for a runner in any language.
//
//     tokconf suite export suite
//     npm install @huggingface/tokenizers
//     node run_suite.mjs suite [--json]
//
// Prints how many cases of each area passed, failed and are unsupported; with --json a line for each case in place of
// that. Exit status 0 where none failed, 1 where some did.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Tokenizer } from "@huggingface/tokenizers";

class Unsupported extends Error {}
class Refused extends Error {}

// What the library is asked, by the word of a step; an answer has the fields that the library shows.

const ASKS = {
  normalize: (tokenizer, { text }) => ({ text: tokenizer.normalizer === null ? text : tokenizer.normalizer(text) }),

  pre_tokenize: (tokenizer, { text }) => {
    const pieces = tokenizer.pre_tokenizer === null ? [text] : tokenizer.pre_tokenizer(text, { section_index: 0 });
    return { pieces: pieces.filter((piece) => piece !== "") }; // an empty piece reaches no model
  },

  encode: (tokenizer, { text, pair, pair_words, add_special_tokens }) => {
    if (text === undefined || pair_words !== undefined) throw new Unsupported("takes no words");
    const options = { text_pair: pair ?? null, add_special_tokens, return_token_type_ids: true };
    const { ids, tokens, attention_mask, token_type_ids } = tokenizer.encode(text, options);
    if (!ids.every(Number.isInteger)) throw new Error("a token has no id");
    return { ids, tokens, attention_mask, type_ids: token_type_ids }; // post-processors without types give none
  },

  decode: (tokenizer, { ids, skip_special_tokens }) => ({ text: tokenizer.decode(ids, { skip_special_tokens }) }),

  vocabulary: (tokenizer) => ({ vocabulary: Object.fromEntries(tokenizer.get_vocab()) }),

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

function wayOf({ ask, pair, add_special_tokens }) {
  if (ask !== "encode") return [ask];
  const way = [pair === undefined && !add_special_tokens ? "model" : "post_process"];
  if (pair !== undefined) way.push("pair");
  if (add_special_tokens) way.push("special_tokens");
  return way;
}

function verdictOf(tokenizer, requirement, example) {
  if (tokenizer instanceof Refused) return { verdict: "failed", reason: `is not loaded: ${tokenizer.message}` };
  const results = example.steps.map((step) => ask(tokenizer, step));
  const wrong = results.find((result) => result.wrong !== undefined);
  if (wrong !== undefined) return { verdict: "failed", reason: wrong.wrong };
  const shown = new Set(results.flatMap((result) => result.shown ?? []));
  const missing = requirement.features.filter((feature) => !shown.has(feature));
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

function* verdictsOf(area) {
  const loaded = new Map();
  for (const requirement of area.requirements) {
    for (const example of requirement.cases) {
      if (!loaded.has(example.tokenizer)) loaded.set(example.tokenizer, load(area.tokenizers[example.tokenizer]));
      yield { case: `${requirement.id}/${example.name}`, ...verdictOf(loaded.get(example.tokenizer), requirement, example) };
    }
  }
}

function read(folder, file) {
  return JSON.parse(readFileSync(join(folder, file), "utf8"));
}

const [folder, option] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: node run_suite.mjs FOLDER [--json]");
  process.exit(2);
}
console.warn = () => {}; // what the library prints is no verdict
const index = read(folder, "index.json");
if (index.form !== "json") {
  console.error(`${folder} holds JSON Lines; export it with --format json`);
  process.exit(2);
}
let failed = 0;
for (const { area, file } of index.areas) {
  const counts = { passed: 0, failed: 0, unsupported: 0 };
  for (const result of verdictsOf(read(folder, file))) {
    counts[result.verdict] += 1;
    if (option === "--json") process.stdout.write(`${JSON.stringify(result)}\n`);
  }
  failed += counts.failed;
  const { passed, unsupported } = counts;
  if (option !== "--json") {
    process.stdout.write(`${area}: ${passed} passed, ${counts.failed} failed, ${unsupported} unsupported\n`);
  }
}
process.exitCode = failed > 0 ? 1 : 0;
