/** Writes the log line of a request. */
import type { AgentkeepError } from '@agentkeep/core';
import type { Logger } from '../log/logger.js';

/** An answered request. */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  /** Absent if the request succeeded. */
  readonly failure: AgentkeepError | undefined;
  /** Whether the work was ended because the client has left. */
  readonly hasLeft: boolean;
}

/** Logs a request. Failures of the service are logged as errors, with their cause. */
export function logRequest(log: Logger, answered: AnsweredRequest): void {
  const { requestId, method, path, status, durationMs, failure, hasLeft } = answered;
  const duration = { duration_ms: Math.round(durationMs * 1_000) / 1_000 };
  const asked = { request_id: requestId, method, path };
  if (hasLeft) {
    log.info('request abandoned by its client', { ...asked, ...duration });
    return;
  }
  const fields = { ...asked, status, ...duration };
  if (status < 500) log.info('request', fields);
  else log.error('request failed', { ...fields, code: failure?.code, cause: causeOf(failure) });
}

function causeOf(failure: AgentkeepError | undefined): string | undefined {
  const cause = failure?.cause;
  return cause instanceof Error ? (cause.stack ?? cause.message) : undefined;
}
