/** Builds every response in one place: body shape, status and all headers at once. */
import { type AgentkeepError, CONTRACT_VERSION, type RefusedMember } from '@agentkeep/core';
import type { Surface } from '@agentkeep/core/transport';
import { statusOfKind } from './status.js';

/** Seconds after which a call that was refused as busy may be repeated. */
const BUSY_RETRY_SECONDS = 1;

/** The rate limit of a request, for its headers. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  readonly resetInSecs: number;
  /** Seconds until a refused request may be retried. */
  readonly retryAfterSecs?: number;
}

/** The context of a response. */
export interface Answering {
  readonly requestId: string;
  readonly rate: RateState;
  /** Headers of this response only. */
  readonly extra?: Readonly<Record<string, string>>;
}

/** Returns a response with a JSON text and all headers of the contract. */
export function respond(status: number, body: string, answering: Answering): Response {
  const { requestId, rate, extra } = answering;
  return new Response(body, {
    status,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-RateLimit-Limit': String(rate.limit),
      'X-RateLimit-Remaining': String(rate.remaining),
      'X-RateLimit-Reset': String(rate.resetInSecs),
      'X-Request-Id': requestId,
      ...extra,
    },
  });
}

/** Returns the response to a refused or failed request, in the shape of its surface. */
export function respondError(
  error: AgentkeepError,
  surface: Surface,
  answering: Answering,
): Response {
  const status = statusOfKind[error.kind];
  if (error.kind === 'rate_limited') return respond(status, ...rateLimited(error, answering));
  const { wireCode: code, message, details } = error;
  const named = membersOf(error);
  const body =
    surface === 'account'
      ? { error: code, message, ...named, ...details }
      : { contract_version: CONTRACT_VERSION, error: { code, message, ...named }, ...details };
  const sent = error.kind === 'busy' ? retryable(answering, BUSY_RETRY_SECONDS) : answering;
  return respond(status, JSON.stringify(body), sent);
}

/** Says when to repeat the call. */
function retryable(answering: Answering, seconds: number): Answering {
  return { ...answering, extra: { ...answering.extra, 'Retry-After': String(seconds) } };
}

/** A refused input names its members; other refusals never do. */
function membersOf({ kind, members }: AgentkeepError): { members?: readonly RefusedMember[] } {
  if (kind !== 'invalid' || members.length === 0) return {};
  return { members };
}

/** Returns the flat body of a rate limit refusal, which is the same on every path. */
function rateLimited(error: AgentkeepError, answering: Answering): [string, Answering] {
  const { limit, remaining, resetInSecs, retryAfterSecs } = answering.rate;
  const body = {
    error: error.wireCode,
    message: error.message,
    limit,
    remaining,
    reset_in_seconds: resetInSecs,
  };
  return [JSON.stringify(body), retryable(answering, retryAfterSecs ?? resetInSecs)];
}
