// llama.cpp behind the line protocol: a tokenizer.json is written as a GGUF file with a vocabulary and nothing else, as
// a conversion of a model writes it. BPE alone: byte-level, or as SentencePiece has it where there is byte fallback.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { getLlama } from "node-llama-cpp";

const about = { protocol: 1, name: "llama.cpp", version: "node-llama-cpp 3.22.1", language: "C++" };
const shown = { offset_unit: "code points", stages: ["model"], fields: ["ids"] };
const folder = mkdtempSync(join(tmpdir(), "llama-cpp-"));
const llama = await getLlama({ gpu: false, build: "never", logLevel: "disabled" });
let model;

// The GGUF format: a header, then keys with typed values.
const [U32, I32, F32, BOOL, STRING, ARRAY, U64] = [4, 5, 6, 7, 8, 9, 10];
const NORMAL = 1, UNKNOWN = 2, CONTROL = 3, USER_DEFINED = 4, BYTE = 6;

function bytes(type, value) {
  const made = Buffer.alloc(type === U64 ? 8 : type === BOOL ? 1 : 4);
  if (type === STRING) return Buffer.concat([bytes(U64, Buffer.byteLength(value)), Buffer.from(value)]);
  if (type === U64) made.writeBigUInt64LE(BigInt(value));
  else if (type === F32) made.writeFloatLE(value);
  else if (type === BOOL) made.writeUInt8(Number(value));
  else made.writeInt32LE(value);
  return made;
}

function entry([key, type, value]) {
  if (!Array.isArray(value)) return Buffer.concat([bytes(STRING, key), bytes(U32, type), bytes(type, value)]);
  const items = value.map((each) => bytes(type, each));
  return Buffer.concat([bytes(STRING, key), bytes(U32, ARRAY), bytes(U32, type), bytes(U64, value.length), ...items]);
}

function entries({ model: { vocab, merges, byte_fallback: spm, unk_token: unknown }, added_tokens: added }) {
  const all = { ...vocab, ...Object.fromEntries(added.map((token) => [token.content, token.id])) };
  const tokens = Object.keys(all).sort((one, other) => all[one] - all[other]);
  const special = new Map(added.map((token) => [token.content, token.special ? CONTROL : USER_DEFINED]));
  const rank = new Map(merges.map(([left, right], index) => [left + right, index]));
  const byte = (token) => spm && /^<0x[0-9A-F]{2}>$/.test(token);
  const type = (token) => (token === unknown ? UNKNOWN : special.get(token) ?? (byte(token) ? BYTE : NORMAL));
  const ids = [["bos", "<s>"], ["eos", "</s>"], ["unknown", "<unk>"]].filter(([, token]) => token in all);
  return [
    ["general.architecture", STRING, "llama"],
    ["tokenizer.ggml.model", STRING, spm ? "llama" : "gpt2"],
    ...(spm ? [] : [["tokenizer.ggml.pre", STRING, "gpt-2"]]),
    ["tokenizer.ggml.tokens", STRING, tokens],
    ["tokenizer.ggml.token_type", I32, tokens.map(type)],
    spm
      ? ["tokenizer.ggml.scores", F32, tokens.map((token) => -(rank.get(token) ?? 1e6))]
      : ["tokenizer.ggml.merges", STRING, merges.map((merge) => merge.join(" "))],
    ...ids.map(([name, token]) => [`tokenizer.ggml.${name}_token_id`, U32, all[token]]),
    ["tokenizer.ggml.add_bos_token", BOOL, false],
    ...["block_count", "context_length", "embedding_length", "feed_forward_length", "attention.head_count"].map(
      (name) => [`llama.${name}`, U32, 1],
    ),
    ["llama.attention.layer_norm_rms_epsilon", F32, 1e-5],
  ];
}

async function load({ file }) {
  const written = entries(JSON.parse(readFileSync(file, "utf8"))).map(entry);
  const header = [Buffer.from("GGUF"), bytes(U32, 3), bytes(U64, 0), bytes(U64, written.length)];
  const path = join(folder, "vocabulary.gguf");
  writeFileSync(path, Buffer.concat([...header, ...written]));
  model = await llama.loadModel({ modelPath: path, vocabOnly: true });
  return {};
}

async function answerTo(request) {
  const { do: what, ask, text, pair, add_special_tokens: special } = request;
  if (what === "start") return { ...about, ...shown };
  if (what === "load") return load(request);
  if (ask === "encode" && text !== undefined && pair === undefined && special === false)
    return { ids: [...model.tokenize(text, true)] };
  return what === "stop" ? {} : undefined;
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  const answer = { id: request.id };
  try {
    answer.value = await answerTo(request);
    if (answer.value === undefined) answer.unsupported = "llama.cpp is asked for the ids of one text alone";
  } catch (error) {
    answer.error = { kind: error.name, message: error.message };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
  if (request.do === "stop") break;
}
rmSync(folder, { recursive: true });
process.exit(0);
