/**
 * One HTTP request to a checked address. The answer is read up to the bytes that the caller asks
 * for, and the socket is destroyed at once, so that later output of a receiver costs nothing.
 */
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  request as plainRequest,
} from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { HostAddress } from './hosts-file.js';

/** What is sent. */
export interface Sent {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Most bytes of the answer's body. Absent: it is not read. */
  readonly answerBytesMax?: number;
}

/** An answer. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Absent if it was not asked for, or is longer than asked for. */
  readonly body?: string;
}

/** The receiver speaks another protocol than HTTP, or an upgraded one. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

/** Interim answers (1xx) that are skipped before it. */
const ANNOUNCEMENTS_MAX = 8;
const SWITCHING_PROTOCOLS = 101;
/** The least and the greatest status that HTTP defines. */
const STATUS = { least: 200, greatest: 599 };

/** Sends a request to one of the addresses, even if its host resolves to others by now. */
export async function exchange(
  { url, method, headers, body, answerBytesMax }: Sent,
  addresses: readonly HostAddress[],
  signal: AbortSignal,
): Promise<ReceivedAnswer> {
  signal.throwIfAborted();
  const send = url.startsWith('https:') ? tlsRequest : plainRequest;
  const sent = send(url, {
    method,
    headers: {
      ...headers,
      ...(method === 'POST' ? { 'content-length': Buffer.byteLength(body, 'utf8') } : {}),
    },
    agent: false,
    lookup: lookupOf(addresses),
  });
  let end = (): void => undefined;
  try {
    return await new Promise<ReceivedAnswer>((resolve, reject) => {
      end = () => {
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', end, { once: true });
      let announcements = 0;
      sent.on('information', ({ statusCode }) => {
        announcements += 1;
        if (statusCode === SWITCHING_PROTOCOLS || announcements > ANNOUNCEMENTS_MAX) {
          reject(new ProtocolError('The receiver answers with 1xx only.'));
        }
      });
      sent.on('upgrade', (_answer, socket) => {
        socket.destroy();
        reject(new ProtocolError('The receiver switches to another protocol.'));
      });
      sent.on('response', (answer) => {
        const { statusCode: status = 0, headers: received } = answer;
        if (status < STATUS.least || status > STATUS.greatest) {
          reject(new ProtocolError('The status is no status of an HTTP answer.'));
        } else if (answerBytesMax === undefined) {
          resolve({ status, headers: received });
        } else {
          bodyOf(answer, answerBytesMax).then((read) => {
            resolve({ status, headers: received, ...read });
          }, reject);
        }
      });
      // Stays for errors that a destroyed socket reports later.
      sent.on('error', reject);
      sent.on('close', () => {
        reject(new ProtocolError('The receiver closed the connection without an answer.'));
      });
      sent.end(body);
    });
  } finally {
    signal.removeEventListener('abort', end);
    sent.destroy();
  }
}

/** Reads a body; one that is too long is left out. */
async function bodyOf(
  answer: IncomingMessage,
  bytesMax: number,
): Promise<Pick<ReceivedAnswer, 'body'>> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > bytesMax) return {};
    parts.push(part);
  }
  return { body: Buffer.concat(parts).toString('utf8') };
}

function lookupOf(addresses: readonly HostAddress[]): RequestOptions['lookup'] {
  return (_host, { all }, found) => {
    const [first] = addresses;
    if (all === true) found(null, [...addresses]);
    else found(null, first?.address ?? '', first?.family);
  };
}
