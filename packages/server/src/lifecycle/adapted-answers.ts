/** Answers messages as requests that the Node.js adapter makes of them. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { responseOf } from '../http/respond.js';
import type { Connections } from './connections.js';
import { type Exchanged, send } from './direct-answers.js';
import { crashAnswer, malformedAnswer } from './refusal.js';
import type { TrackedWork } from './tracked-work.js';
import { refusalOf } from './well-formed.js';

/** An app to serve; `createServer` makes one. */
export interface ServedApp {
  fetch(
    request: Request,
    env: { incoming: IncomingMessage; outgoing: ServerResponse },
  ): Response | Promise<Response>;
}

/** Host in the URL of a request without a host. */
const HOST_OF_HTTP_1_0 = 'localhost';

interface Tracking {
  readonly work: TrackedWork;
  readonly connections: Connections;
}

/**
 * Returns a function that answers messages. The adapter takes long to load and is seldom needed, so
 * the first message loads it.
 */
export function adaptedAnswers(
  app: ServedApp,
  tracking: Tracking,
): (exchanged: Exchanged) => Promise<void> {
  let loading: Promise<RequestListener> | undefined;
  return (exchanged) =>
    tracking.work.run(
      async () => {
        loading ??= adapterOf(app, tracking);
        const answer = await loading;
        answer(exchanged.incoming, exchanged.outgoing);
      },
      () => {
        send(crashAnswer(), exchanged);
      },
    );
}

async function adapterOf(
  app: ServedApp,
  { work, connections }: Tracking,
): Promise<RequestListener> {
  const { getRequestListener } = await import('@hono/node-server');
  const answer = getRequestListener(
    async (request, env) => {
      // The adapter's type also allows HTTP/2, which this server does not speak.
      const incoming = env.incoming as IncomingMessage;
      const outgoing = env.outgoing as ServerResponse;
      const refusal = refusalOf(incoming);
      if (refusal !== undefined) return responseOf(malformedAnswer(refusal));
      const crashed = (): Response => responseOf(crashAnswer());
      const running = work.run(() => app.fetch(request, { incoming, outgoing }), crashed);
      return running.finally(() => {
        connections.answered(incoming);
      });
    },
    // Called when the adapter cannot make a `Request`.
    { hostname: HOST_OF_HTTP_1_0, errorHandler: () => responseOf(malformedAnswer(400)) },
  );
  return (incoming, outgoing) => {
    void answer(incoming, outgoing);
  };
}
