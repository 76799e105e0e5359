// How long a library's own call takes, for `measure` of the line protocol.

import { Unsupported } from "./line_protocol.mjs";

// Seconds by the clock, and of processor time of all threads.
function spent(work) {
  const [wall, used] = [performance.now(), process.cpuUsage()];
  work();
  const { user, system } = process.cpuUsage(used);
  return [(performance.now() - wall) / 1e3, (user + system) / 1e6];
}

// The answer to a request to measure: a first pass over all texts, and later ones for so many seconds. `call` is what the
// library calls it, `encode` does it for one text, and `fields` are those that it makes beside the ids.
export function measured({ name, call, encode, fields }, { texts, seconds }) {
  if (texts.length === 0) throw new Unsupported(`${name} has no text to measure with`);
  const pass = () => texts.forEach(encode);
  const first = spent(pass);
  const later = [0, 0];
  let passes = 0;
  while (passes === 0 || later[0] < seconds) {
    const [wall, processor] = spent(pass);
    later[0] += wall;
    later[1] += processor;
    passes += 1;
  }
  return { call, fields: ["ids", ...fields], clocked: "call", first, later, passes };
}
