/** Decides which scopes credentials reach, and who reaches a scope (docs/contract/access.md). */
import { coveredScope } from '../../kernel/access/covered-scope.js';
import { coversScope } from '../../kernel/access/grant-policy.js';
import type { NamespaceParts } from '../../kernel/access/namespace.js';
import type { ActingCredential } from '../../kernel/access/principal.js';
import type { Scope } from '../../kernel/access/scope.js';
import {
  delegatedSpec,
  mayActFor,
  type SubjectLimits,
} from '../tenancy/delegation/delegated-authority-policy.js';
import type { ReachedScope, ScopeHolder } from './schema.js';

/** A scope, and the subject whose private scope is meant. */
export interface WantedScope {
  readonly scope: Scope;
  readonly subjectId: string | null;
  /** What administrators said of that subject. */
  readonly limits: SubjectLimits | undefined;
}

/** Returns what credentials of one subject reach of a namespace, or `undefined` for nothing. */
export function reachedScope(
  credentials: readonly ActingCredential[],
  parts: NamespaceParts,
  { isStored, idsMax }: { readonly isStored: boolean; readonly idsMax: number },
): ReachedScope | undefined {
  const covering = credentials.filter((each) => coveredScope(each, parts) !== undefined);
  const [first] = covering;
  const scope = first && coveredScope(first, parts);
  if (scope === undefined) return undefined;
  const held = covering.flatMap(({ spec }) => spec.capabilities);
  return {
    scope,
    subject_id: parts[4],
    capabilities: [...new Set(held)],
    credential_ids: isStored ? covering.slice(0, idsMax).map(({ id }) => id) : [],
  };
}

/** Returns how a live credential reaches a scope, or `undefined` if it does not. */
export function holderOf(
  credential: ActingCredential,
  { scope, subjectId, limits }: WantedScope,
): ScopeHolder | undefined {
  const { id: credential_id, spec } = credential;
  const { subject_id, capabilities, act_for } = spec;
  const isOwn = subjectId === null || subjectId === subject_id;
  if (isOwn && coversScope(spec, scope)) {
    return { credential_id, subject_id, capabilities: [...capabilities] };
  }
  if (subjectId === null || act_for === undefined) return undefined;
  if (!mayActFor(credential, subjectId, limits)) return undefined;
  const acting = delegatedSpec(credential, subjectId, limits);
  if (!coversScope(acting, scope)) return undefined;
  const common = [...acting.capabilities];
  return { credential_id, subject_id, capabilities: common, acts_for: structuredClone(act_for) };
}
