// The chat templates of @huggingface/transformers: what a user gets from apply_chat_template. Every date is NOW, so that
// no answer depends on the day it was asked for.

import { Unsupported } from "./line_protocol.mjs";

const NOW = [2025, 1, 3, 4, 5, 6]; // months count from 0

const Clock = Date;
globalThis.Date = class extends Clock {
  constructor(...given) {
    super(...(given.length === 0 ? NOW : given));
  }
};

export const FIELDS = ["text", "ids"];

function array(text, what) {
  const found = JSON.parse(text);
  if (!Array.isArray(found)) throw new Error(`${what}: expected a JSON array`);
  return found;
}

// The answer of the implementation `name` to a request about a chat.
export function chat(name, tokenizer, { messages, tools, add_generation_prompt, continue_final_message, template }) {
  const known = tokenizer.chat_template ?? null;
  const single = typeof known !== "object";
  if (known === null) throw new Unsupported("this tokenizer has no chat template");
  if (template !== undefined && !(single ? template === "default" : Object.hasOwn(known, template)))
    throw new Unsupported(`this tokenizer has no chat template called '${template}'`);
  if (continue_final_message) throw new Unsupported(`${name} has no continue_final_message`);
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
