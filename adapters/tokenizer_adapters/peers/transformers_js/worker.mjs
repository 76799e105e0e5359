// The chat templates of @huggingface/transformers behind the line protocol: a request a line on standard input, its
// answer a line on standard output. What is observed is what a user gets from AutoTokenizer and apply_chat_template.
// Every date is NOW, so that no answer depends on the day it was asked for.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";

const PACKAGE = "@huggingface/transformers";
const NAME = "transformers-js";
const NOW = [2025, 1, 3, 4, 5, 6]; // months count from 0

// Standard output is for answers; whatever the library prints goes to standard error.
console.log = console.info = console.debug = console.warn = console.error;

const Clock = Date;
globalThis.Date = class extends Clock {
  constructor(...given) {
    super(...(given.length === 0 ? NOW : given));
  }
};

class Unsupported extends Error {}

const { AutoTokenizer, env } = await import(PACKAGE);
env.allowRemoteModels = false;
env.useFSCache = false;
let tokenizer = null;

function start({ protocol }) {
  if (protocol !== 1) throw new Error(`version ${protocol} is spoken there, and version 1 here`);
  return {
    protocol: 1,
    name: NAME,
    version: version(),
    language: "JavaScript",
    stages: ["chat"],
    fields: ["text", "ids"],
    offset_unit: "UTF-16 units",
    home_page: "https://github.com/huggingface/transformers.js",
    install: 'npm install --prefix "$(python -m tokenizer_adapters.peers.transformers_js)"',
  };
}

function version() {
  const entry = createRequire(import.meta.url).resolve(PACKAGE);
  return JSON.parse(readFileSync(join(dirname(dirname(entry)), "package.json"), "utf8")).version;
}

async function load({ file, folder }) {
  tokenizer = null;
  const where = folder ?? dirname(file);
  env.localModelPath = `${dirname(where)}/`;
  tokenizer = await AutoTokenizer.from_pretrained(basename(where), { local_files_only: true });
  return { files: [join(where, "tokenizer.json"), join(where, "tokenizer_config.json")] };
}

function array(text, what) {
  const found = JSON.parse(text);
  if (!Array.isArray(found)) throw new Error(`${what}: expected a JSON array`);
  return found;
}

function chat({ messages, tools, add_generation_prompt, continue_final_message, template }) {
  const known = tokenizer.chat_template ?? null;
  const single = typeof known !== "object";
  if (known === null) throw new Unsupported("this tokenizer has no chat template", "");
  if (template !== undefined && !(single ? template === "default" : Object.hasOwn(known, template)))
    throw new Unsupported(`this tokenizer has no chat template called '${template}'`);
  if (continue_final_message) throw new Unsupported(`${NAME} has no continue_final_message`);
  const given = array(messages, "messages");
  const options = {
    add_generation_prompt,
    ...(tools === undefined ? {} : { tools: array(tools, "tools") }),
    ...(template === undefined || single ? {} : { chat_template: template }),
  };
  const text = tokenizer.apply_chat_template(given, { ...options, tokenize: false });
  const ids = tokenizer.apply_chat_template(given, { ...options, return_tensor: false, return_dict: false });
  return { text, ids };
}

function observe(request) {
  if (request.ask !== "chat") throw new Unsupported(`${NAME} is asked about chats alone`);
  return chat(request);
}

const DOES = { start, load, observe, stop: () => ({}) };

async function answer(request) {
  try {
    if (!Object.hasOwn(DOES, request.do)) throw new Unsupported(`${NAME} does not know ${request.do}`);
    if (tokenizer === null && request.do === "observe") throw new Error("no tokenizer is loaded");
    return { id: request.id, value: await DOES[request.do](request) };
  } catch (error) {
    if (error instanceof Unsupported) return { id: request.id, unsupported: error.message };
    return { id: request.id, error: { kind: error?.name ?? "Error", message: String(error?.message ?? error) } };
  }
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const request = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(await answer(request))}\n`);
  if (request.do === "stop") break;
}
