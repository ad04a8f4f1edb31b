/** The policy for the credential of an embedding program. */
import type { Capability } from '../../../kernel/access/capability.js';
import { coversScope } from '../../../kernel/access/grant-policy.js';
import type { Scope, ScopeAuthority } from '../../../kernel/access/scope.js';
import type { SubjectSelector } from '../../../kernel/access/subject-selector.js';

/** The members of an existing credential that the decision depends on. */
interface Held {
  readonly spec: ScopeAuthority & {
    readonly capabilities: readonly Capability[];
    readonly act_for?: SubjectSelector | undefined;
  };
  readonly revokedAtMillis: number | null;
}

/** The credential that the program requests. */
export interface WantedCredential {
  readonly capabilities: readonly Capability[];
  readonly grants: readonly Scope[];
  /** The subjects that the credential acts for. */
  readonly actFor: SubjectSelector | undefined;
  /** Whether the grants take the place of those that the credential has. */
  readonly replace: boolean;
  /** Whether to replace an unusable credential. */
  readonly renew: boolean;
}

/** The scopes that the credential is to have. */
export interface ChosenAuthority extends ScopeAuthority {
  readonly grants: Scope[];
}

/** The decision. `ended` is the live credential to revoke, if one is replaced. */
export type ProgramDecision<T extends Held> =
  | { readonly type: 'use'; readonly credential: T }
  | { readonly type: 'rescope'; readonly credential: T; readonly authority: ChosenAuthority }
  | { readonly type: 'issue'; readonly ended: T | undefined }
  | { readonly type: 'revoked' }
  | { readonly type: 'capabilities_differ' };

/**
 * Decides which change the credential needs. The program can add scopes at any time, and replace
 * them if it says so. Capabilities never change and a revocation is never undone, so both require
 * a new credential and `renew`.
 */
export function decideProgramCredential<T extends Held>(
  found: T | undefined,
  wanted: WantedCredential,
): ProgramDecision<T> {
  if (found === undefined) return { type: 'issue', ended: undefined };
  if (found.revokedAtMillis !== null) {
    return wanted.renew ? { type: 'issue', ended: undefined } : { type: 'revoked' };
  }
  const hasSameRights =
    isSameSet(found.spec.capabilities, wanted.capabilities) &&
    isSameSelector(found.spec.act_for, wanted.actFor);
  if (!hasSameRights) {
    return wanted.renew ? { type: 'issue', ended: found } : { type: 'capabilities_differ' };
  }
  const authority = wanted.replace
    ? { grants: [...wanted.grants] }
    : withScopes(found.spec, wanted.grants);
  if (isSameAuthority(found.spec, authority)) return { type: 'use', credential: found };
  return { type: 'rescope', credential: found, authority };
}

/** Returns an authority over further scopes; those that it covers already add nothing. */
function withScopes(held: ScopeAuthority, scopes: readonly Scope[]): ChosenAuthority {
  const { grants, scope_policy } = held;
  const added = scopes.filter((scope) => !coversScope(held, scope));
  return {
    grants: [...grants, ...added],
    ...(scope_policy === undefined ? {} : { scope_policy }),
  };
}

function isSameSet(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.every((each) => other.includes(each)) && other.every((each) => one.includes(each));
}

function isSameSelector(one?: SubjectSelector, other?: SubjectSelector): boolean {
  if (one?.mode === 'only' && other?.mode === 'only') return isSameSet(one.ids, other.ids);
  if (one?.mode === 'prefix' && other?.mode === 'prefix') return one.prefix === other.prefix;
  return one?.mode === other?.mode;
}

function isSameAuthority(one: ScopeAuthority, other: ScopeAuthority): boolean {
  return (
    one.scope_policy === other.scope_policy &&
    one.grants.every((scope) => coversScope({ grants: other.grants }, scope)) &&
    other.grants.every((scope) => coversScope({ grants: one.grants }, scope))
  );
}
