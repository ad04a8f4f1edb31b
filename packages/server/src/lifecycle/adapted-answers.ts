/** Answers messages as requests that the Node.js adapter makes from them. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type MessageApp, onRequest } from '../http/message-app.js';
import { responseOf } from '../http/respond.js';
import { type Exchanged, writeAnswer } from './answer-writer.js';
import type { Connections } from './connections.js';
import { answerCrash, isMessageApp } from './direct-answers.js';
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

/** Answers a request on a socket. */
type Answerer = (request: Request, exchanged: Exchanged) => Promise<Response>;

/**
 * Returns a function that answers messages. The adapter takes long to load and is rarely needed, so
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
        answerCrash(exchanged);
      },
    );
}

async function adapterOf(app: ServedApp, tracking: Tracking): Promise<RequestListener> {
  const { RESPONSE_ALREADY_SENT: sent } = await import('@hono/node-server/utils/response');
  const { getRequestListener } = await import('@hono/node-server');
  const answerer = isMessageApp(app)
    ? ownAnswers(app, tracking, sent)
    : foreignAnswers(app, tracking);
  const answer = getRequestListener(
    async (request, env) => {
      // The adapter's type also allows HTTP/2, which this server does not speak.
      const incoming = env.incoming as IncomingMessage;
      const outgoing = env.outgoing as ServerResponse;
      const refusal = refusalOf(incoming);
      if (refusal !== undefined) return responseOf(malformedAnswer(refusal));
      return answerer(request, { incoming, outgoing }).finally(() => {
        tracking.connections.answered(incoming);
      });
    },
    // Called when the adapter cannot make a `Request`.
    { hostname: HOST_OF_HTTP_1_0, errorHandler: () => responseOf(malformedAnswer(400)) },
  );
  return (incoming, outgoing) => {
    void answer(incoming, outgoing);
  };
}

/** Returns the answerer for an app of this package. Its answers go through the common writer. */
function ownAnswers(app: MessageApp, { work, connections }: Tracking, sent: Response): Answerer {
  return async (request, exchanged) => {
    await work.run(
      async () => {
        const answer = await app[onRequest](request, exchanged);
        await writeAnswer(answer, exchanged, connections);
      },
      () => {
        answerCrash(exchanged);
      },
    );
    return sent;
  };
}

/** Returns the answerer for any other app: the adapter writes its response. */
function foreignAnswers(app: ServedApp, { work }: Tracking): Answerer {
  return (request, exchanged) =>
    work.run(
      () => app.fetch(request, exchanged),
      () => responseOf(crashAnswer()),
    );
}
