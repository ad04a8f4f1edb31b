/** A way to a server on which the first two tries of a call fail. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that listens. */
export interface InterruptingProxy extends AsyncDisposable {
  readonly url: string;
  /** Tries so far. */
  readonly tries: () => number;
}

/**
 * Starts a proxy. The first call is done, but its connection ends before the answer; the second one
 * is refused with 503; later ones pass. Preflights of browsers always pass.
 */
export async function startProxy(target: string): Promise<InterruptingProxy> {
  let tries = 0;
  const server = createServer((incoming, response) => {
    if (incoming.method !== 'OPTIONS') tries += 1;
    const isFirst = tries === 1 && incoming.method !== 'OPTIONS';
    if (tries === 2 && incoming.method !== 'OPTIONS') response.writeHead(503).end();
    else forward(target, incoming, isFirst ? () => response.destroy() : passed(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tries: () => tries,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Answered = (answer: IncomingMessage) => void;

function passed(response: ServerResponse): Answered {
  return (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  };
}

function forward(target: string, incoming: IncomingMessage, answered: Answered): void {
  const { method, headers, url } = incoming;
  const sent = request(new URL(url ?? '/', target), { method, headers }, answered);
  sent.on('error', () => incoming.destroy());
  incoming.pipe(sent);
}
