/** Answers requests at the front door: pages for people, and OAuth for programs. */
import { type Keep, operations } from '@agentkeep/core';
import { embeddedInput, openAccountSession, type Principal } from '@agentkeep/core/operator';
import type { DoorAnswer, DoorCalls, DoorRequest } from '../front-door/request/door-request.js';
import { readBytes } from './body.js';
import type { CallingExchange } from './exchange-call.js';
import { pathSegment } from './path-segment.js';
import type { Received } from './received.js';
import { type Answer, type Answering, respond } from './respond.js';

/** A request at the front door. */
export interface ReceivedAtDoor {
  readonly keep: Keep;
  readonly exchange: CallingExchange;
  readonly received: Received;
  /** Index of the variable segment of the path. */
  readonly parameterIndex: number | undefined;
}

/** Most bytes of a form or a registration. */
export const DOOR_BODY_BYTES_MAX = 17_408;

/** Returns a request for the front door. Its body is read when it is needed. */
export function doorRequest(at: ReceivedAtDoor): DoorRequest {
  const { keep, received, parameterIndex } = at;
  const { method, sentPath: path, url } = received;
  let body: Promise<string> | undefined;
  return {
    ...{ method, path, keep },
    id: pathSegment(parameterIndex, path) ?? '',
    query: new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''),
    header: (name) => received.header(name),
    body: () => {
      body ??= readBytes(received, DOOR_BODY_BYTES_MAX).then((bytes) =>
        Buffer.from(bytes).toString('utf8'),
      );
      return body;
    },
    calls: doorCalls(at),
  };
}

/** The challenge of a page and of an OAuth endpoint: a 401 has one (RFC 9110, section 15.5.2). */
const challenged = { 'WWW-Authenticate': 'Bearer' };

/** Returns the answer to a request at the front door, with the headers of every answer. */
export function doorAnswer(
  { status, headers, cookies = [], body }: DoorAnswer,
  answering: (headers: Record<string, string>) => Answering,
): Answer {
  const sent = status === 401 ? { ...challenged, ...headers } : { ...headers };
  const answer = respond(status, body, answering(sent));
  return cookies.length === 0 ? answer : { ...answer, cookies };
}

/** The calls of a request. It is counted once, and its operations are not counted again. */
function doorCalls({ keep, exchange }: ReceivedAtDoor): DoorCalls {
  const { requestId, traceId, stopping } = exchange;
  const call = {
    ...{ requestId, traceId, stopping },
    signal: exchange.signal(),
    origin: () => exchange.origin(),
  };
  const proofOf = (token: string | undefined) =>
    token === undefined ? {} : { proof: { kind: 'bearer', token } as const };
  const origin = { origin: exchange.origin(), requestId, traceId };
  return {
    origin,
    openSession: (account) => openAccountSession(keep, account, origin),
    count: async (token) => {
      let found: Principal | undefined;
      const countRequest = (principal: Principal | undefined): void => {
        found = principal;
        exchange.takeToken(principal);
      };
      await keep.countRequest({ ...call, ...proofOf(token), countRequest });
      return found;
    },
    invoke: (name, parts, token) =>
      keep.invoke(operations[name], embeddedInput(parts), { ...call, ...proofOf(token) }),
  };
}
