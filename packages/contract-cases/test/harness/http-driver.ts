/**
 * The HTTP transport, without a socket. Checks every response against the published contract and
 * the rules for headers.
 */
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Keep } from '@agentkeep/core';
import { expect } from 'vitest';
import {
  type AgentkeepApp,
  createServer,
  type ServerBindings,
  type ServerOptions,
} from '@agentkeep/server';
import { fillPath, routes } from '@agentkeep/client/routes';
import { contractCheck } from './contract-check.js';
import type { Parts } from './answer.js';
import { type Driver, isApiKey, type Transport } from './transport.js';

/** A response over HTTP. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON of the body; `undefined` without a body. */
  readonly body: unknown;
}

/** The parts of a request besides method and path. */
export interface Sending {
  readonly headers?: Readonly<Record<string, string>> | Headers | undefined;
  readonly body?: string | Uint8Array | undefined;
  /** Remote address, for requests without a body. Default: this process. */
  readonly from?: string | undefined;
}

/** Returns the app of a keep, without rate limits unless the options set some. */
export function appOf(keep: Keep, options: ServerOptions = {}): AgentkeepApp {
  return createServer(keep, { rateLimitPolicies: [], ...options });
}

/** Sends a request and checks the response. */
export async function send(
  app: AgentkeepApp,
  method: string,
  path: string,
  { headers, body, from }: Sending = {},
): Promise<Reply> {
  const init = {
    method,
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  };
  const response = await app.request(path, init, from === undefined ? {} : connectedFrom(from));
  const known = await contractCheck.response(method, path, response);
  checkHeaders(response, known);
  return { status: response.status, headers: response.headers, body: known };
}

/** A connection of which only the remote address is defined. */
function connectedFrom(remoteAddress: string): ServerBindings {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
  return { incoming: new IncomingMessage(socket) };
}

/**
 * Checks the headers of every response: CON-10, CON-11, CON-12, CON-13, CON-14, CON-15, CON-16,
 * CON-11.
 */
function checkHeaders({ status, headers }: Response, body: unknown): void {
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-request-id')).toMatch(/^[\x21-\x7e]{1,128}$/);
  for (const name of ['limit', 'remaining', 'reset']) {
    expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
  }
  const { error } = Object(body) as Record<string, unknown>;
  const code = error instanceof Object && 'code' in error ? error.code : error;
  const isRefused = status === 429 && code === 'rate_limit_exceeded';
  expect(headers.has('retry-after')).toBe(isRefused || status === 503);
  expect(headers.has('allow')).toBe(status === 405);
  const challenge = headers.get('www-authenticate');
  if (status === 401) expect(challenge).toMatch(/^Bearer(?: error="[a-z_]+")?$/);
  else expect(challenge).toBeNull();
}

/** Returns a transport that calls an app. */
export function httpTransport(app: AgentkeepApp): Transport {
  return async (name, token, parts) => {
    const { method, path } = routes[name];
    const headers = {
      ...(token === undefined ? {} : proofHeader(token)),
      ...(parts.document === undefined ? {} : { 'Content-Type': 'application/json' }),
    };
    const { document } = parts;
    const body = document === undefined ? undefined : JSON.stringify(document);
    const { status, body: answer } = await send(app, method, target(path, parts), {
      headers,
      body,
    });
    return { operation: name, status, body: answer };
  };
}

function proofHeader(token: string): Record<string, string> {
  return isApiKey(token) ? { 'X-API-Key': token } : { Authorization: `Bearer ${token}` };
}

function target(template: string, { id, parameters }: Parts): string {
  const path = fillPath(template, encodeURIComponent(String(id)));
  const pairs = Object.entries(Object(parameters) as Record<string, unknown>);
  const query = new URLSearchParams(
    pairs.map(([name, value]): [string, string] => [name, String(value)]),
  );
  return pairs.length === 0 ? path : `${path}?${query.toString()}`;
}

/** The HTTP transport. */
export const httpDriver: Driver = { name: 'HTTP', open: (keep) => httpTransport(appOf(keep)) };
