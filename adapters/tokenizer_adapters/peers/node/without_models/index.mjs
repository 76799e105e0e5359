// Stands in for what @huggingface/transformers runs models and reads images with, 430 MB that no tokenizer uses.

export const env = { wasm: {}, webgpu: {} };
export const InferenceSession = {};
export class Tensor {}
export const listSupportedBackends = () => [];
export default { env, InferenceSession, Tensor, listSupportedBackends };
