// The chat templates of @huggingface/transformers behind the line protocol: what a user gets from AutoTokenizer.

import { dirname, join, resolve } from "node:path";

import { FIELDS, chat } from "../node/chats.mjs";
import { Unsupported, serve } from "../node/line_protocol.mjs";

const PACKAGE = "@huggingface/transformers";
const NAME = "transformers-js";

const ABOUT = {
  name: NAME,
  package: PACKAGE,
  from: import.meta.url,
  stages: ["chat"],
  fields: FIELDS,
  home_page: "https://github.com/huggingface/transformers.js",
  install: 'npm install --prefix "$(python -m tokenizer_adapters.peers.transformers_js)"',
};

const { AutoTokenizer, env } = await import(PACKAGE);
env.allowRemoteModels = false;
env.useFSCache = false;
let tokenizer = null;

async function load({ file, folder }) {
  const where = resolve(folder ?? dirname(file));
  tokenizer = await AutoTokenizer.from_pretrained(where, { local_files_only: true });
  return { files: [join(where, "tokenizer.json"), join(where, "tokenizer_config.json")] };
}

function observe(request) {
  if (request.ask !== "chat") throw new Unsupported(`${NAME} is asked about chats alone`);
  return chat(NAME, tokenizer, request);
}

await serve(ABOUT, { load, observe });
