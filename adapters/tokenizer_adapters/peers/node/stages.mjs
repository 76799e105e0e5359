// Every stage of a tokenizer, as @huggingface/tokenizers and version 3 of @huggingface/transformers have them: the
// stages are called in the same way there. The clean-up of spaces in `decode` is an option of that call: it is asked for
// where tokenizer_config.json has it, and nowhere else, as the tokenizer.json knows no such step and `transformers` does
// none then.

import { join } from "node:path";

import { measured } from "./clock.mjs";
import { Unsupported, jsonIfThere } from "./line_protocol.mjs";

export const STAGES = ["normalize", "pre_tokenize", "model", "post_process", "decode"];
export const FIELDS = ["text", "pieces", "ids", "tokens", "type_ids", "attention_mask"];

const SHOWS = { normalize: ["text"], pre_tokenize: ["pieces"], decode: ["text"] };

// What a package is not asked, and why.
const NOT_SHOWN = {
  encode_batch: "is asked about one input at a time, so it pads nothing to the longest of several",
  decode_stream: "is asked to decode all ids at once, not one by one",
  decode_steps: "is asked to decode all ids at once, not step by step",
  after: "is asked about a tokenizer as its file has it, without changes",
};

// What the implementation `name` does, for `serve`. `read` makes a tokenizer of the path of its file and of what its
// tokenizer_config.json holds, null where there is none. `encode` is given the tokenizer, text, second text (or null) and
// whether special tokens are added. `own` is the library's own call, which is measured: its name, a function of the
// tokenizer and a text, and the fields that it makes beside ids. `vocabulary` is given the tokenizer, and `others` are further questions, each with
// a function of the tokenizer and the request, and the fields that it shows.
export function stages(name, { read, encode, own, vocabulary, others = {} }) {
  let tokenizer = null;
  let cleans_up = false;

  async function load({ file, folder }) {
    const configuration = folder === undefined ? null : join(folder, "tokenizer_config.json");
    const given = configuration === null ? null : jsonIfThere(configuration);
    cleans_up = given?.clean_up_tokenization_spaces ?? false;
    tokenizer = await read(file, given);
    const fields = encodingFields();
    const shows = Object.fromEntries(Object.entries(others).map(([ask, { fields }]) => [ask, fields]));
    return {
      files: given === null ? [file] : [file, configuration],
      shows: { ...SHOWS, model: fields, post_process: fields, ...shows },
    };
  }

  // Post-processors that know no types give none.
  function encodingFields() {
    const fields = ["ids", "tokens", "attention_mask"];
    try {
      return encode(tokenizer, "a", null, true).type_ids === undefined ? fields : [...fields, "type_ids"];
    } catch {
      return fields;
    }
  }

  const asks = {
    normalize: ({ text }) => ({ text: tokenizer.normalizer === null ? text : tokenizer.normalizer(text) }),

    pre_tokenize: ({ text }) => {
      // Its pre-tokenizer is given no empty text, and no empty piece reaches its model.
      const cuts = text !== "" && tokenizer.pre_tokenizer !== null;
      const pieces = cuts ? tokenizer.pre_tokenizer(text, { section_index: 0 }) : [text];
      return { pieces: pieces.filter((piece) => piece !== "").map((piece) => [piece, null]) };
    },

    encode: ({ text, pair, pair_words, add_special_tokens }) => {
      if (text === undefined || pair_words !== undefined) throw new Unsupported(`${name} takes no pre-split input`);
      const encoding = encode(tokenizer, text, pair ?? null, add_special_tokens);
      const missing = encoding.ids.findIndex((id) => !Number.isInteger(id));
      if (missing >= 0) throw new Error(`no id for the token ${JSON.stringify(encoding.tokens[missing])}`);
      return encoding;
    },

    decode: ({ ids, skip_special_tokens }) => {
      if (ids.length === 0) throw new Unsupported(`${name} decodes one id at least`);
      return { text: tokenizer.decode(ids, { skip_special_tokens, clean_up_tokenization_spaces: cleans_up }) };
    },
  };

  function observe(request) {
    const { ask } = request;
    if (Object.hasOwn(NOT_SHOWN, ask)) throw new Unsupported(`${name} ${NOT_SHOWN[ask]}`);
    if (Object.hasOwn(others, ask)) return others[ask].answer(tokenizer, request);
    if (!Object.hasOwn(asks, ask)) throw new Unsupported(`${name} does not know ${ask}`);
    return asks[ask](request);
  }

  return {
    load,
    observe,
    measure: (request) => measured({ ...own, name, encode: (text) => own.encode(tokenizer, text) }, request),
    // Ids that no token has stand in the map of a package, too, under `undefined`.
    vocabulary: () => ({
      vocabulary: Object.fromEntries([...vocabulary(tokenizer)].filter(([token]) => token !== undefined)),
    }),
    save: () => {
      throw new Unsupported(`${name} writes no tokenizer.json`);
    },
  };
}
