/** The errors that follow from the checks of an operation, so that no operation states them. */
import type { ErrorCode } from '../../contract/errors/catalogue.js';
import type { CheckedOperation } from './stated-operation.js';

/** What decides the errors of checks. */
export interface StatedChecks extends Pick<
  CheckedOperation,
  'kind' | 'checks' | 'input' | 'document' | 'effect' | 'firstRules'
> {
  /** What the caller must be; its form depends on the kind. */
  readonly requires?: unknown;
}

/** Returns the errors that the checks of an operation can end in. */
export function checkErrors({
  kind,
  checks,
  document,
  requires,
  effect,
}: StatedChecks): ErrorCode[] {
  // An operation that ignores its body ignores unknown parameters as well.
  const readsInput = checks.length > 0 && document?.presence !== 'ignored';
  const canForbid = kind !== 'public' && !needsSession(requires);
  const mayMeetErasure = effect !== 'read' && hasScope(requires);
  return [
    ...(readsInput ? (['invalid_request'] as const) : []),
    ...(checks.includes('version') ? (['unsupported_contract_version'] as const) : []),
    ...(checks.includes('document') ? (['request_too_large'] as const) : []),
    ...(canForbid ? (['forbidden'] as const) : []),
    ...(mayMeetErasure ? (['erasure_in_progress'] as const) : []),
    ...(checks.includes('tenant') ? (['tenant_not_found'] as const) : []),
  ];
}

/** Whether an operation acts in scopes that its input names. */
function hasScope(requires: unknown): boolean {
  const { scope, scopes } = Object(requires) as { readonly scope?: unknown; scopes?: unknown };
  return scope !== undefined || scopes !== undefined;
}

/** Whether only a session counts as a proof: any other caller is `unauthorized`. */
function needsSession(requires: unknown): boolean {
  return (Object(requires) as { readonly party?: unknown }).party === 'session';
}
