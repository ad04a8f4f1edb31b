/** Writes the log line of a request. */
import type { AgentkeepError } from '@agentkeep/core';
import type { Logger } from '../log/logger.js';
import { statusOfKind } from './status.js';

/** An answered request. */
export interface AnsweredRequest {
  readonly requestId: string;
  /** Absent if the request belongs to no trace. */
  readonly traceId: string | undefined;
  /** Absent if nothing records the request. */
  readonly spanId: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  /** Absent if the request succeeded. */
  readonly failure: AgentkeepError | undefined;
  /** Absent if the caller is not known. */
  readonly principalId: string | undefined;
  /** Whether the work was ended because the client disconnected. */
  readonly hasLeft: boolean;
  /** Whether it is a probe of a supervisor. Such requests are frequent and say little. */
  readonly isProbe: boolean;
}

/**
 * Logs a request. A refusal carries its code, the id of the caller and the cause; a failure of the
 * service is an error.
 */
export function logRequest(log: Logger, answered: AnsweredRequest): void {
  const { requestId, method, path, status, durationMs, failure, principalId, hasLeft } = answered;
  const traced = traceOf(answered);
  const duration_ms = Math.round(durationMs * 1_000) / 1_000;
  if (hasLeft) {
    const left = { request_id: requestId, method, path, duration_ms, ...traced };
    log.info('request abandoned by its client', left);
    return;
  }
  const fields = { request_id: requestId, method, path, status, duration_ms, ...traced };
  if (failure === undefined) {
    if (answered.isProbe && status === 200) log.debug('request', fields);
    else log.info('request', fields);
    return;
  }
  const principal = principalId === undefined ? {} : { principal_id: principalId };
  const refused = { ...fields, code: failure.code, ...principal, ...causeOf(failure) };
  if (status < 500) log.info('request', refused);
  else log.error('request failed', refused);
}

function traceOf({ traceId, spanId }: AnsweredRequest): object {
  if (traceId === undefined) return {};
  return { trace_id: traceId, ...(spanId === undefined ? {} : { span_id: spanId }) };
}

/** Stacks are for failures of the service. */
function causeOf({ kind, cause }: AgentkeepError): { readonly cause?: string } {
  if (!(cause instanceof Error)) return {};
  const isFailure = statusOfKind[kind] >= 500;
  return { cause: isFailure ? (cause.stack ?? cause.message) : cause.message };
}
