/**
 * One HTTP request to a checked address. The answer is read up to the end of its headers, and the
 * socket is destroyed at once, so that later output of a receiver costs nothing.
 */
import { type IncomingHttpHeaders, type RequestOptions, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { HostAddress } from './hosts-file.js';

/** What is sent. */
export interface Sent {
  readonly url: string;
  readonly method: 'POST';
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The head of an answer. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
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
  { url, method, headers, body }: Sent,
  addresses: readonly HostAddress[],
  signal: AbortSignal,
): Promise<AnswerHead> {
  signal.throwIfAborted();
  const send = url.startsWith('https:') ? tlsRequest : plainRequest;
  const sent = send(url, {
    method,
    headers: { ...headers, 'content-length': Buffer.byteLength(body, 'utf8') },
    agent: false,
    lookup: lookupOf(addresses),
  });
  let end = (): void => undefined;
  try {
    return await new Promise<AnswerHead>((resolve, reject) => {
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
      sent.on('response', ({ statusCode = 0, headers: received }) => {
        const isKnown = statusCode >= STATUS.least && statusCode <= STATUS.greatest;
        if (isKnown) resolve({ status: statusCode, headers: received });
        else reject(new ProtocolError('The status is no status of an HTTP answer.'));
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

function lookupOf(addresses: readonly HostAddress[]): RequestOptions['lookup'] {
  return (_host, { all }, found) => {
    const [first] = addresses;
    if (all === true) found(null, [...addresses]);
    else found(null, first?.address ?? '', first?.family);
  };
}
