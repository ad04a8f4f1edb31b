/** A port on which no process listens. */
import { createServer } from 'node:net';

/**
 * The ports to choose from. Operating systems give higher ones to connections and to listeners that
 * name none, and so would give away a port whose server is not started yet, or is started again.
 */
const FIRST = 20_000;
const COUNT = 12_000;

/** Another process begins elsewhere, and no port is given twice. */
const APART = 101;
let given = process.pid * APART;

/** Returns a free port of the loopback address, which is given to nothing else in this process. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < COUNT; tries += 1) {
    given += 1;
    const port = FIRST + (given % COUNT);
    if (await isFree(port)) return port;
  }
  throw new Error('There is no free port.');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      probe.close(() => resolve(true));
    });
  });
}
