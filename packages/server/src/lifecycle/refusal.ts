/** Responses to input that never becomes a request: malformed or too slow. */
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { clearTimeout, setTimeout } from 'node:timers';
import { AgentkeepError, CONTRACT_VERSION, type ErrorCode } from '@agentkeep/core';
import { requestIdOf } from '../http/request-id.js';
import { type Answer, type Answering, respond } from '../http/respond.js';

/** Rate headers of a response that no rate limit applies to. */
const UNCOUNTED = { limit: 4_294_967_295, remaining: 4_294_967_295, resetInSecs: 0 };

/** How long the client may take to read the response before the connection is cut. */
const LINGER_MS = 1_000;

const STATUS_BY_CODE = new Map<unknown, number>([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
]);

/** Returns the status for an error of a connection. */
export function statusOfConnectionError(error: Error): number {
  return STATUS_BY_CODE.get('code' in error ? error.code : undefined) ?? 400;
}

/** Returns the error envelope of a malformed request, with any status. */
export function malformedAnswer(status: number): Answer {
  return respond(status, envelopeOf('invalid_request'), answering());
}

/** Returns the refusal of a request that came after the stop began. */
export function stoppingAnswer(): Answer {
  return respond(503, envelopeOf('server_stopping'), answering());
}

/** Returns the error envelope of a request whose handler crashed. */
export function crashAnswer(): Answer {
  return respond(500, envelopeOf('internal_error'), answering());
}

function envelopeOf(code: ErrorCode): string {
  const { wireCode, message } = new AgentkeepError(code);
  return JSON.stringify({ contract_version: CONTRACT_VERSION, error: { code: wireCode, message } });
}

function answering(): Answering {
  return { requestId: requestIdOf(null), rate: UNCOUNTED, reader: undefined };
}

/** Writes a response on a bare connection and closes it; further input is dropped. */
export function refuseConnection(socket: Duplex, status: number): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = envelopeOf('invalid_request');
  const { headers } = respond(status, body, answering());
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => {
    clearTimeout(cut);
  });
}
