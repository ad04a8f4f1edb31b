/**
 * Writes how long a hook of a coding agent took, and how long of that it was ready to run while the
 * processors ran other processes: `NODE_OPTIONS=--import=<this file>` loads it in every Node.js
 * process, and it adds a line to the file of `AGENTKEEP_HOOK_TIMES` in hooks only.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { argv, env, uptime } from 'node:process';

const file = env['AGENTKEEP_HOOK_TIMES'];
const [, , word, host] = argv;
if (file !== undefined && word === 'hook' && !['helper', 'mcp', 'status-line'].includes(host)) {
  const parse = JSON.parse;
  let event;
  // The event is known once the hook reads it.
  JSON.parse = (...words) => {
    const value = parse(...words);
    event ??= value?.hook_event_name;
    return value;
  };
  process.on('exit', () => {
    const startMs = performance.nodeTiming.bootstrapComplete;
    const line = JSON.stringify({
      event,
      startMs,
      wholeMs: uptime() * 1_000,
      queuedMs: queuedMs(),
    });
    appendFileSync(file, `${line}\n`);
  });
}

/** What Linux counts for the main thread, else 0. */
function queuedMs() {
  try {
    const [, nanoseconds] = readFileSync('/proc/self/schedstat', 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return 0;
  }
}
