// @huggingface/tokenizers behind the line protocol: a request a line on standard input, its answer a line on standard
// output. What is observed is what a user gets from the public calls. The clean-up of spaces in `decode` is an option of
// that call: it is asked for where tokenizer_config.json has it, and nowhere else, as the tokenizer.json knows no such
// step and `transformers` does none then.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

const PACKAGE = "@huggingface/tokenizers";
const EMPTY = {};

// Standard output is for answers; whatever the library prints goes to standard error.
console.log = console.info = console.debug = console.error;

class Unsupported extends Error {}

const { Tokenizer } = await import(PACKAGE);
let tokenizer = null;
let cleans_up = false;

function start({ protocol }) {
  if (protocol !== 1) throw new Error(`version ${protocol} is spoken there, and version 1 here`);
  return {
    protocol: 1,
    name: "tokenizers-js",
    version: version(),
    language: "JavaScript",
    stages: ["normalize", "pre_tokenize", "model", "post_process", "decode"],
    fields: ["text", "pieces", "ids", "tokens", "type_ids", "attention_mask"],
    offset_unit: "UTF-16 units",
    home_page: "https://github.com/huggingface/tokenizers.js",
    install: 'npm install --prefix "$(python -m tokenizer_adapters.peers.tokenizers_js)"',
  };
}

function version() {
  const entry = createRequire(import.meta.url).resolve(PACKAGE);
  return json(join(dirname(dirname(entry)), "package.json")).version;
}

function load({ file, folder }) {
  tokenizer = null;
  const configuration = folder === undefined ? null : join(folder, "tokenizer_config.json");
  const given = configuration === null ? null : jsonIfThere(configuration);
  cleans_up = given?.clean_up_tokenization_spaces ?? false;
  tokenizer = new Tokenizer(json(file), given ?? EMPTY);
  const files = given === null ? [file] : [file, configuration];
  const fields = encodingFields();
  return { files, shows: { ...SHOWS, model: fields, post_process: fields } };
}

const SHOWS = { normalize: ["text"], pre_tokenize: ["pieces"], decode: ["text"] };

// Post-processors that know no types give none.
function encodingFields() {
  const fields = ["ids", "tokens", "attention_mask"];
  try {
    const { token_type_ids: types } = tokenizer.encode("a", { return_token_type_ids: true });
    return types === undefined ? fields : [...fields, "type_ids"];
  } catch {
    return fields;
  }
}

function json(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

function jsonIfThere(file) {
  try {
    return json(file);
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}

const ASKS = {
  normalize: ({ text }) => ({ text: tokenizer.normalizer === null ? text : tokenizer.normalizer(text) }),

  pre_tokenize: ({ text }) => {
    // Its pre-tokenizer is given no empty text, and no empty piece reaches its model.
    const cuts = text !== "" && tokenizer.pre_tokenizer !== null;
    const pieces = cuts ? tokenizer.pre_tokenizer(text, { section_index: 0 }) : [text];
    return { pieces: pieces.filter((piece) => piece !== "").map((piece) => [piece, null]) };
  },

  encode: ({ text, pair, pair_words, add_special_tokens }) => {
    if (text === undefined || pair_words !== undefined) throw new Unsupported("takes no pre-split input");
    const encoding = tokenizer.encode(text, {
      text_pair: pair ?? null,
      add_special_tokens,
      return_token_type_ids: true,
    });
    const missing = encoding.ids.findIndex((id) => !Number.isInteger(id));
    if (missing >= 0) throw new Error(`no id for the token ${JSON.stringify(encoding.tokens[missing])}`);
    const answer = { ids: encoding.ids, tokens: encoding.tokens, attention_mask: encoding.attention_mask };
    return encoding.token_type_ids === undefined ? answer : { ...answer, type_ids: encoding.token_type_ids };
  },

  decode: ({ ids, skip_special_tokens }) => {
    if (ids.length === 0) throw new Unsupported("decodes one id at least");
    return { text: tokenizer.decode(ids, { skip_special_tokens, clean_up_tokenization_spaces: cleans_up }) };
  },
};

// What the package is not asked, and why.
const NOT_SHOWN = {
  encode_batch: "is asked about one input at a time, so it pads nothing to the longest of several",
  decode_stream: "is asked to decode all ids at once, not one by one",
  decode_steps: "is asked to decode all ids at once, not step by step",
  after: "is asked about a tokenizer as its file has it, without changes",
};

// Ids that no token has stand in the map, too, under `undefined`.
function tokens() {
  return [...tokenizer.get_vocab()].filter(([token]) => token !== undefined);
}

function observe(request) {
  if (Object.hasOwn(NOT_SHOWN, request.ask)) throw new Unsupported(NOT_SHOWN[request.ask]);
  if (!Object.hasOwn(ASKS, request.ask)) throw new Unsupported(`does not know ${request.ask}`);
  return ASKS[request.ask](request);
}

const DOES = {
  start,
  load,
  observe,
  vocabulary: () => ({ vocabulary: Object.fromEntries(tokens()) }),
  save: () => {
    throw new Unsupported("writes no tokenizer.json");
  },
  stop: () => ({}),
};

function answer(request) {
  try {
    if (!Object.hasOwn(DOES, request.do)) throw new Unsupported(`does not know ${request.do}`);
    if (tokenizer === null && !["start", "load", "stop"].includes(request.do)) throw new Error("no tokenizer is loaded");
    return { id: request.id, value: DOES[request.do](request) };
  } catch (error) {
    if (error instanceof Unsupported) return { id: request.id, unsupported: `tokenizers-js ${error.message}` };
    return { id: request.id, error: { kind: error?.name ?? "Error", message: String(error?.message ?? error) } };
  }
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const request = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(answer(request))}\n`);
  if (request.do === "stop") break;
}
