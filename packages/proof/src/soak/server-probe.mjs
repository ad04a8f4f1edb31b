/**
 * Loaded into a server process ahead of its program: tells whoever connects how the process is
 * doing, after a full collection of garbage. It keeps nothing alive.
 * @module
 */
import { createServer } from 'node:net';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();

const probe = createServer((socket) => {
  const delayMs = delay.percentile(99) / 1e6;
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo().length;
  socket.on('error', () => undefined);
  socket.end(JSON.stringify({ heapBytes: heapUsed + external, delayMs, resources }));
  // What the collection itself took is no delay of the server.
  delay.reset();
});
probe.on('error', () => undefined);
probe.listen(join(process.env.SOAK_PROBE_DIR, `${process.pid}.sock`)).unref();
