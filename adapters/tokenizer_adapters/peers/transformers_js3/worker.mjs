// Version 3 of @huggingface/transformers, whose tokenizers are its own, behind the line protocol: what a user gets from
// AutoTokenizer. That needs a tokenizer_config.json; where there is none, or the tokenizer.json has another name, the
// class is the one that AutoTokenizer takes where none is named.

import { basename, dirname, resolve } from "node:path";

import { FIELDS as CHAT_FIELDS, chat } from "../node/chats.mjs";
import { json, serve } from "../node/line_protocol.mjs";
import { FIELDS, STAGES, stages } from "../node/stages.mjs";

const PACKAGE = "@huggingface/transformers";
const NAME = "transformers-js-3";

const ABOUT = {
  name: NAME,
  package: PACKAGE,
  from: import.meta.url,
  stages: [...STAGES, "chat"],
  fields: FIELDS,
  home_page: "https://github.com/huggingface/transformers.js",
  install: 'npm install --prefix "$(python -m tokenizer_adapters.peers.transformers_js3)"',
};

const { AutoTokenizer, PreTrainedTokenizer, env } = await import(PACKAGE);
env.allowRemoteModels = false;
env.useFSCache = false;

// With `legacy`, the class of Llama has the normalizer and the pre-tokenizer that stand in the file.
function read(file, given) {
  return given !== null && basename(file) === "tokenizer.json"
    ? AutoTokenizer.from_pretrained(resolve(dirname(file)), { local_files_only: true, legacy: true })
    : new PreTrainedTokenizer(json(file), given ?? {});
}

function encode(tokenizer, text, text_pair, add_special_tokens) {
  const { input_ids, attention_mask, token_type_ids } = tokenizer(text, {
    text_pair,
    add_special_tokens,
    return_tensor: false,
    return_token_type_ids: true,
  });
  const tokens = tokenizer.tokenize(text, { pair: text_pair, add_special_tokens });
  return { ids: input_ids, tokens, attention_mask, type_ids: token_type_ids };
}

await serve(
  ABOUT,
  stages(NAME, {
    read,
    encode,
    own: {
      call: "tokenizer(text)",
      encode: (tokenizer, text) => tokenizer(text, { add_special_tokens: false, return_tensor: false }),
      fields: ["attention_mask"],
    },
    vocabulary: (tokenizer) => tokenizer.model.tokens_to_ids,
    others: { chat: { fields: CHAT_FIELDS, answer: (tokenizer, request) => chat(NAME, tokenizer, request) } },
  }),
);
