/** The policy for the credential of an embedding program. */
import type { Capability } from '../../access/capability.js';
import { coversScope } from '../../access/grant-policy.js';
import type { Scope, ScopeAuthority } from '../../access/scope.js';

/** The members of an existing credential that the decision depends on. */
interface Held {
  readonly spec: ScopeAuthority & { readonly capabilities: readonly Capability[] };
  readonly revokedAtMillis: number | null;
}

/** The credential that the program requests. */
export interface WantedCredential {
  readonly capabilities: readonly Capability[];
  readonly grants: readonly Scope[];
  /** Whether to replace an unusable credential. */
  readonly renew: boolean;
}

/** The decision. `ended` is the live credential to revoke, if one is replaced. */
export type ProgramDecision<T extends Held> =
  | { readonly type: 'use'; readonly credential: T }
  | { readonly type: 'rescope'; readonly credential: T }
  | { readonly type: 'issue'; readonly ended: T | undefined }
  | { readonly type: 'revoked' }
  | { readonly type: 'capabilities_differ' };

/**
 * Decides which change the credential needs. The program can change scopes at any time.
 * Capabilities never change and a revocation is never undone, so both require a new credential and
 * `renew`.
 */
export function decideProgramCredential<T extends Held>(
  found: T | undefined,
  wanted: WantedCredential,
): ProgramDecision<T> {
  if (found === undefined) return { type: 'issue', ended: undefined };
  if (found.revokedAtMillis !== null) {
    return wanted.renew ? { type: 'issue', ended: undefined } : { type: 'revoked' };
  }
  if (!isSameSet(found.spec.capabilities, wanted.capabilities)) {
    return wanted.renew ? { type: 'issue', ended: found } : { type: 'capabilities_differ' };
  }
  const isSame = isSameAuthority(found.spec, wanted.grants);
  return { type: isSame ? 'use' : 'rescope', credential: found };
}

function isSameSet(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.every((each) => other.includes(each)) && other.every((each) => one.includes(each));
}

function isSameAuthority({ grants, scope_policy }: ScopeAuthority, wanted: readonly Scope[]) {
  return (
    scope_policy === undefined &&
    wanted.every((scope) => coversScope({ grants }, scope)) &&
    grants.every((scope) => coversScope({ grants: wanted }, scope))
  );
}
