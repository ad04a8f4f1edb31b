/** Builds every answer in one place: body shape, status and all headers at once. */
import { type AgentkeepError, CONTRACT_VERSION, type RefusedMember } from '@agentkeep/core';
import type { UnreadAnswer } from '@agentkeep/core/operator';
import type { Surface } from '@agentkeep/client/routes';
import { statusOfKind } from './status.js';

/** When a call that was busy, or whose store or issuer was away, may be repeated. */
const retrySoon = { 'Retry-After': '1' };

/** The status of answers that say when to repeat the call. */
const SERVICE_UNAVAILABLE = 503;

/** The rate limit of a request, for its headers. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetInSecs: number;
  /** Seconds until a refused request may be retried. */
  readonly retryAfterSecs?: number;
}

/** A response, before it is sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Values of `Set-Cookie`. */
  readonly cookies?: readonly string[];
  /** JSON, or a file; empty if there is a stream. */
  readonly body: string | Buffer<ArrayBuffer>;
  /** Parts that are sent one after the other instead of a body. */
  readonly stream?: AnsweredStream;
  /** Counts the unread bytes; `undefined` if no request was received. */
  readonly reader: AnswerReader | undefined;
}

/** The reader of an answer. */
export interface AnswerReader {
  /** Returns the counter of the unread bytes of the answer. `cut` closes its connection. */
  unread(cut: () => void): UnreadAnswer;
}

/** Parts that are sent as they are made, no faster than the client reads them. */
export interface AnsweredStream {
  readonly parts: AsyncGenerator<string | Uint8Array>;
  /** Called when the client has disconnected. */
  readonly leave: () => void;
}

/** The context of a response. */
export interface Answering {
  readonly requestId: string;
  readonly rate: RateState;
  readonly reader: AnswerReader | undefined;
  /** Headers of this response only. */
  readonly extra?: Readonly<Record<string, string>> | undefined;
}

/** Returns an answer with a body, by default JSON, and all headers of the contract. */
export function respond(status: number, body: Answer['body'], answering: Answering): Answer {
  const { requestId, rate, reader, extra } = answering;
  const headers = {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-RateLimit-Limit': String(rate.limit),
    'X-RateLimit-Remaining': String(rate.remaining),
    'X-RateLimit-Reset': String(rate.resetInSecs),
    'X-Request-Id': requestId,
    ...(status === SERVICE_UNAVAILABLE ? retrySoon : undefined),
  };
  const sent = extra === undefined ? headers : { ...headers, ...extra };
  return { status, headers: sent, body, reader };
}

/** Returns an answer with events and all headers of the contract. */
export function respondEvents(stream: AnsweredStream, answering: Answering): Answer {
  return respondStream('text/event-stream', stream, answering);
}

/** Returns an answer with lines of JSON and all headers of the contract. */
export function respondLines(stream: AnsweredStream, answering: Answering): Answer {
  return respondStream('application/x-ndjson', stream, answering);
}

function respondStream(type: string, stream: AnsweredStream, answering: Answering): Answer {
  const extra = {
    ...answering.extra,
    'Content-Type': type,
    // Some proxies would otherwise collect a response before they pass it on.
    'X-Accel-Buffering': 'no',
  };
  return { ...respond(200, '', { ...answering, extra }), stream };
}

/** Whether answers with a status have no body, not even an empty one. */
export function isBodiless(status: number): boolean {
  return status === 304;
}

/** Returns an answer as a `Response`. The answer to HEAD has no body. */
export function responseOf(answer: Answer, method?: string): Response {
  const { status, headers: sent, cookies = [], body, stream } = answer;
  const headers = new Headers(sent);
  for (const cookie of cookies) headers.append('Set-Cookie', cookie);
  if (stream !== undefined) {
    return new Response(streamOf(stream.parts, stream.leave), { status, headers });
  }
  const hasBody = method !== 'HEAD' && !isBodiless(status);
  return new Response(hasBody ? body : null, { status, headers });
}

/** Returns the answer to a refused or failed request, in the shape of its surface. */
export function respondError(
  error: AgentkeepError,
  surface: Surface,
  answering: Answering,
): Answer {
  const status = statusOfKind[error.kind];
  if (error.kind === 'rate_limited') return respond(status, ...rateLimited(error, answering));
  const { wireCode: code, advice: message, details } = error;
  const named = membersOf(error);
  const body =
    surface === 'account'
      ? { error: code, message, ...named, ...details }
      : { contract_version: CONTRACT_VERSION, error: { code, message, ...named }, ...details };
  return respond(status, JSON.stringify(body), answering);
}

/** A refusal that is due to members of the input names them. */
function membersOf({ members }: AgentkeepError): { members?: readonly RefusedMember[] } {
  return members.length === 0 ? {} : { members };
}

/** Returns the flat body of a rate limit refusal, which is the same on every path. */
function rateLimited(error: AgentkeepError, answering: Answering): [string, Answering] {
  const { limit, remaining, resetInSecs, retryAfterSecs } = answering.rate;
  const body = {
    error: error.wireCode,
    message: error.advice,
    limit,
    remaining,
    reset_in_seconds: resetInSecs,
  };
  const retry = { 'Retry-After': String(retryAfterSecs ?? resetInSecs) };
  return [JSON.stringify(body), { ...answering, extra: { ...answering.extra, ...retry } }];
}

/** Returns the stream of a response without a socket. */
function streamOf(parts: AsyncGenerator<string | Uint8Array>, leave: () => void): ReadableStream {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async (controller) => {
      let step = await parts.next();
      // A page may contain nothing for the caller.
      while (step.done !== true && step.value.length === 0) step = await parts.next();
      if (step.done === true) controller.close();
      else {
        const { value } = step;
        controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
      }
    },
    cancel: async () => {
      leave();
      await parts.return(undefined);
    },
  });
}
