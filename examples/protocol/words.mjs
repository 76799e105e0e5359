// A tokenizer behind the line protocol: the words of a text that stand in the vocabulary, id 0 for all others.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const about = { protocol: 1, name: "words-js", version: "1.0", language: "JavaScript", offset_unit: "UTF-16 units" };
const shown = { stages: ["model", "decode"], fields: ["ids", "tokens", "offsets", "text"] };
let tokens = [];

function load({ file }) {
  const { vocab } = JSON.parse(readFileSync(file, "utf8")).model;
  const byId = (one, other) => vocab[one] - vocab[other];
  tokens = Array.isArray(vocab) ? vocab.map(([token]) => token) : Object.keys(vocab).sort(byId);
  return {};
}

function encode({ text }) {
  const words = [...text.matchAll(/\S+/g)];
  const ids = words.map(([word]) => Math.max(tokens.indexOf(word), 0));
  const offsets = words.map((word) => [word.index, word.index + word[0].length]);
  return { ids, tokens: ids.map((id) => tokens[id]), offsets };
}

function answerTo(request) {
  const { do: what, ask, text, pair, add_special_tokens: special, ids } = request;
  if (what === "start") return { ...about, ...shown };
  if (what === "load") return load(request);
  if (ask === "encode" && text !== undefined && pair === undefined && special === false) return encode(request);
  if (ask === "decode") return { text: ids.map((id) => tokens[id]).join(" ") };
  return what === "stop" ? {} : undefined;
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  const answer = { id: request.id };
  try {
    answer.value = answerTo(request);
    if (answer.value === undefined) answer.unsupported = "words-js cannot show this";
  } catch (error) {
    answer.error = { kind: error.name, message: error.message };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
  if (request.do === "stop") break;
}
