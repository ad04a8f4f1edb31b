/** Answers ordinary messages by the short way: what the app answers is written at once. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type MessageApp, onMessage } from '../http/message-app.js';
import { sendEvents } from './sent-events.js';
import { type Answer, isBodiless } from '../http/respond.js';
import type { Connections } from './connections.js';
import { crashAnswer } from './refusal.js';
import type { SharedTurns } from './shared-turns.js';
import type { TrackedWork } from './tracked-work.js';
import { drainBody } from './unread-body.js';

/** Returns whether an app answers messages itself. */
export function isMessageApp(app: object): app is MessageApp {
  return onMessage in app;
}

/** A message, and the response to it. */
export interface Exchanged {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

interface DirectTracking {
  readonly work: TrackedWork;
  readonly connections: Connections;
  readonly turns: SharedTurns;
}

/** Answers a message; does not reject. */
export async function answerDirectly(
  app: MessageApp,
  { incoming, outgoing }: Exchanged,
  { work, connections, turns }: DirectTracking,
): Promise<void> {
  await work.run(
    async () => {
      const turn = turns.join();
      if (turn !== undefined) await turn;
      const answer = await app[onMessage](incoming, outgoing);
      if (answer.events === undefined) send(answer, { incoming, outgoing });
      else await sendEvents(answer, answer.events, outgoing);
    },
    () => {
      if (outgoing.headersSent) outgoing.destroy();
      else send(crashAnswer(), { incoming, outgoing });
    },
  );
  connections.answered(incoming);
}

/** Writes an answer at once. */
export function send({ status, headers, body }: Answer, { incoming, outgoing }: Exchanged): void {
  if (outgoing.destroyed) return;
  if (incoming.method !== 'GET' && !incoming.readableEnded) {
    outgoing.once('close', () => {
      drainBody(incoming);
    });
  }
  const bytes = Buffer.byteLength(body);
  const length = isBodiless(status) ? {} : { 'Content-Length': bytes };
  outgoing.writeHead(status, { ...headers, ...length });
  // One write for headers and body: `end(body)` would write an empty part behind them.
  outgoing.cork();
  // ASCII is the same in both encodings, and Latin-1 is written in half the time.
  outgoing.write(body, bytes === body.length ? 'latin1' : 'utf8');
  outgoing.uncork();
  outgoing.end();
}
