/**
 * Writes answers to sockets. All answers of an app go through this module, whole or in parts, so it
 * counts their unread bytes.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, type AnsweredStream, isBodiless } from '../http/respond.js';
import type { Connections } from './connections.js';
import { drainBody } from './unread-body.js';

/** A message, and the response to it. */
export interface Exchanged {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/**
 * Writes an answer; for a stream, resolves once its last part is written or the client has
 * disconnected.
 */
export function writeAnswer(
  answer: Answer,
  exchanged: Exchanged,
  connections: Connections,
): Promise<void> | undefined {
  if (answer.stream !== undefined) {
    return writeStream(answer, answer.stream, exchanged, connections);
  }
  writeWhole(answer, exchanged);
  return undefined;
}

/** Writes an answer without a stream at once. */
export function writeWhole(answer: Answer, { incoming, outgoing }: Exchanged): void {
  const { status, headers, cookies, body } = answer;
  if (outgoing.destroyed) return;
  if (incoming.method !== 'GET' && !incoming.readableEnded) {
    outgoing.once('close', () => {
      drainBody(incoming);
    });
  }
  const bytes = Buffer.byteLength(body);
  const hasBody = incoming.method !== 'HEAD' && !isBodiless(status);
  const length = hasBody ? { 'Content-Length': bytes } : {};
  const set = cookies === undefined ? {} : { 'Set-Cookie': [...cookies] };
  outgoing.writeHead(status, { ...headers, ...length, ...set });
  // One write for headers and body: `end(body)` would write an empty part after them.
  outgoing.cork();
  // ASCII is the same in both encodings, and Latin-1 is written in half the time.
  outgoing.write(body, bytes === body.length ? 'latin1' : 'utf8');
  outgoing.uncork();
  outgoing.end();
  // Usually the operating system has accepted all of it.
  if (outgoing.writableLength > 0) counter(answer, outgoing)();
}

/** Writes parts as they are made, no faster than the client reads them. */
async function writeStream(
  answer: Answer,
  { parts, leave }: AnsweredStream,
  { incoming, outgoing }: Exchanged,
  connections: Connections,
): Promise<void> {
  const count = counter(answer, outgoing);
  outgoing.once('close', leave);
  if (outgoing.destroyed) leave();
  else outgoing.writeHead(answer.status, answer.headers);
  for await (const part of parts) {
    if (outgoing.destroyed) break;
    if (part.length === 0) continue;
    const isTaken = outgoing.write(part, count);
    count();
    if (isTaken) continue;
    connections.answered(incoming);
    await drained(outgoing);
    connections.answersOn(incoming);
  }
  if (!outgoing.destroyed) outgoing.end();
}

/** Returns a function that counts the bytes that the client has not read yet. */
function counter({ reader }: Answer, outgoing: ServerResponse): () => void {
  const unread = reader?.unread(() => outgoing.destroy());
  if (unread === undefined) return () => undefined;
  let isOver = outgoing.closed;
  outgoing.once('close', () => {
    isOver = true;
    unread.holds(0);
  });
  return () => {
    if (!isOver) unread.holds(outgoing.writableLength);
  };
}

/** Resolves when the client has continued to read or has disconnected. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      outgoing.off('drain', end).off('close', end);
      resolve();
    };
    outgoing.once('drain', end).once('close', end);
  });
}
