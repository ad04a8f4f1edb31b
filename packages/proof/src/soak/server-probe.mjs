/**
 * Loaded into a server process ahead of its program. On each connection it reports queue lengths,
 * event loop delay and, after a full garbage collection, memory. It does not keep the process
 * alive.
 */
import { subscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();

/** All keeps of the process, because its program is loaded later. */
const keeps = [];
subscribe('agentkeep:open', (keep) => keeps.push(keep));

/** Returns the summed queue lengths of all keeps. */
async function waitingInAll() {
  const sums = {};
  for (const keep of keeps) {
    for (const [queue, length] of Object.entries(await keep.waiting())) {
      sums[queue] = (sums[queue] ?? 0) + length;
    }
  }
  return sums;
}

const probe = createServer(async (socket) => {
  socket.on('error', () => undefined);
  const waiting = await waitingInAll();
  const delayMs = delay.percentile(99) / 1e6;
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo().length;
  socket.end(JSON.stringify({ heapBytes: heapUsed + external, delayMs, resources, waiting }));
  // The time of the collection is not a delay of the server.
  delay.reset();
});
probe.on('error', () => undefined);
probe.listen(join(process.env.SOAK_PROBE_DIR, `${process.pid}.sock`)).unref();
