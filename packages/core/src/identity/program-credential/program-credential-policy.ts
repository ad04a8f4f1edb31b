/** Decides what to do about the credential of an embedding program: a pure rule. */
import type { Capability } from '../../access/capability.js';
import { coversScope } from '../../access/grant-policy.js';
import type { Scope, ScopeAuthority } from '../../access/scope.js';

/** What decides, of a credential that is there. */
interface Held {
  readonly spec: ScopeAuthority & { readonly capabilities: readonly Capability[] };
  readonly revokedAtMillis: number | null;
}

/** What the program asks for. */
export interface WantedCredential {
  readonly capabilities: readonly Capability[];
  readonly grants: readonly Scope[];
  /** Whether a credential that cannot be used is replaced. */
  readonly renew: boolean;
}

/** What to do: `ended` is the credential to revoke, where one is replaced that still lives. */
export type ProgramDecision<T extends Held> =
  | { readonly type: 'use'; readonly credential: T }
  | { readonly type: 'rescope'; readonly credential: T }
  | { readonly type: 'issue'; readonly ended: T | undefined }
  | { readonly type: 'revoked' }
  | { readonly type: 'capabilities_differ' };

/**
 * Scopes follow the program. Capabilities of a credential never change, and a revocation is never
 * undone, so either takes a new credential, which the program has to ask for.
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
