// @huggingface/tokenizers behind the line protocol: what a user gets from the public calls of its class Tokenizer.

import { json, serve } from "../node/line_protocol.mjs";
import { FIELDS, STAGES, stages } from "../node/stages.mjs";

const PACKAGE = "@huggingface/tokenizers";
const NAME = "tokenizers-js";
const EMPTY = {};

const ABOUT = {
  name: NAME,
  package: PACKAGE,
  from: import.meta.url,
  stages: STAGES,
  fields: FIELDS,
  home_page: "https://github.com/huggingface/tokenizers.js",
  install: 'npm install --prefix "$(python -m tokenizer_adapters.peers.tokenizers_js)"',
};

const { Tokenizer } = await import(PACKAGE);

function encode(tokenizer, text, text_pair, add_special_tokens) {
  const { ids, tokens, attention_mask, token_type_ids } = tokenizer.encode(text, {
    text_pair,
    add_special_tokens,
    return_token_type_ids: true,
  });
  return { ids, tokens, attention_mask, type_ids: token_type_ids };
}

await serve(
  ABOUT,
  stages(NAME, {
    read: (file, given) => new Tokenizer(json(file), given ?? EMPTY),
    encode,
    own: {
      call: "encode",
      encode: (tokenizer, text) => tokenizer.encode(text, { add_special_tokens: false }),
      fields: ["tokens", "attention_mask"],
    },
    vocabulary: (tokenizer) => tokenizer.get_vocab(),
  }),
);
