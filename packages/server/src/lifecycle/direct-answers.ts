/** Answers ordinary messages by the short way: what the app answers is written at once. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type MessageApp, onMessage } from '../http/message-app.js';
import type { Answer } from '../http/respond.js';
import type { Connections } from './connections.js';
import { crashAnswer } from './refusal.js';
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

/** Answers a message; does not reject. */
export async function answerDirectly(
  app: MessageApp,
  { incoming, outgoing }: Exchanged,
  { work, connections }: { readonly work: TrackedWork; readonly connections: Connections },
): Promise<void> {
  await work.run(
    async () => {
      send(await app[onMessage](incoming, outgoing), { incoming, outgoing });
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
  outgoing.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) });
  outgoing.end(body);
}
