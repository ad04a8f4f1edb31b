/** The response of a call, the same for both transports. */
import type { OperationName } from '@agentkeep/core';
import type { OutputOf } from '@agentkeep/core/clients';
import { routes } from '@agentkeep/client/routes';

/** The parts of a call as a test writes them, valid or not. */
export interface Parts {
  readonly id?: unknown;
  readonly parameters?: unknown;
  readonly document?: unknown;
}

/** Status and body of a response; `operation` determines the type of a success body. */
export interface Answer<N extends OperationName = OperationName> {
  readonly operation: N;
  readonly status: number;
  readonly body: unknown;
}

/** Returns the body of a success; fails the test for any other response. */
export function result<N extends OperationName>(answer: Answer<N>): OutputOf<N> {
  const { status, mayWait } = routes[answer.operation];
  if (answer.status !== status && !(mayWait && answer.status === 202)) {
    throw new Error(`${answer.operation} was answered with ${outcome(answer)}.`);
  }
  return answer.body as OutputOf<N>;
}

/** Returns a response in short: `200`, or `403 forbidden`. */
export function outcome({ status, body }: Pick<Answer, 'status' | 'body'>): string {
  if (status < 400) return String(status);
  const { error } = body as { error: string | { code: string } };
  return `${status} ${typeof error === 'string' ? error : error.code}`;
}

/** The error responses of the contract, in the form of {@link outcome}. */
export const refused = {
  invalid: '400 invalid_request',
  version: '400 unsupported_contract_version',
  unauthorized: '401 unauthorized',
  forbidden: '403 forbidden',
  noTenant: '404 tenant_not_found',
  noRecord: '404 record_not_found',
  stale: '409 revision_conflict',
  otherCommand: '409 idempotency_conflict',
  tooLarge: '413 invalid_request',
  inconsistent: '500 storage_inconsistency',
  internal: '500 internal_error',
} as const;

/** Returns the paths of the members that a refusal names. */
export function membersNamed({ body }: Answer): string[] {
  const { error } = body as { error: { members?: { path: string }[] } };
  return (error.members ?? []).map(({ path }) => path);
}
