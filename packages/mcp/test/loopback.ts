/** A fetch handler on a real socket of the loopback interface. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';

/** A server that listens, closed at the end of an `await using` block. */
export interface Loopback extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
}

/** Serves a handler on a free port. */
export async function loopback(fetch: (request: Request) => Promise<Response>): Promise<Loopback> {
  const answer = toNodeHandler({ fetch });
  const server = createServer((incoming, outgoing) => {
    // The adapter's type of a message is stricter than what Node.js gives.
    void answer(incoming as Parameters<typeof answer>[0], outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
