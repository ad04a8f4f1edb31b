/**
 * `previewReach`: pages through the scopes that a subject can reach, or that a credential would
 * reach if it were issued.
 */
import { exampleVersion } from '../../contract/example-values.js';
import { canonicalCapabilities } from '../../kernel/access/capability.js';
import { coveredScope } from '../../kernel/access/covered-scope.js';
import { coversScope } from '../../kernel/access/grant-policy.js';
import { branchOf, type NamespaceParts } from '../../kernel/access/namespace.js';
import type { ActingCredential } from '../../kernel/access/principal.js';
import type { Scope } from '../../kernel/access/scope.js';
import { defineTenantOperation } from '../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../kernel/operation/orders-of-checks.js';
import { namespaceSlices, type WalkingRequest } from '../../kernel/services/sweeper.js';
import { isLive } from '../tenancy/credential/credential-policy.js';
import { credentialSlices } from '../tenancy/credential/credential-slices.js';
import type { CredentialSpecRequest } from '../tenancy/credential/schema.js';
import {
  delegatedSpec,
  mayActFor,
  type SubjectLimits,
} from '../tenancy/delegation/delegated-authority-policy.js';
import { digestAt, digestPositions, filteredPage } from './filtered-page.js';
import {
  NAMED_CREDENTIALS_MAX,
  type ReachedScope,
  ReachRequest,
  ReachResponse,
  type ScopeHolder,
} from './schema.js';

/** Shows scopes in which something was stored; a grant of a new one shows up once it is used. */
export const previewReach = defineTenantOperation({
  name: 'previewReach',
  summary: 'List the scopes that a subject can reach, or that a new credential would reach.',
  example: { document: { ...exampleVersion, subject_id: 'user-1' } },
  command: {
    name: 'access reach',
    examples: ['agentkeep access reach --subject-id user-1 --profile dev-admin'],
  },
  tag: 'Access',
  effect: 'read',
  input: { document: ReachRequest },
  output: ReachResponse,
  requires: { capability: 'credential_admin' },
  checks: authorityFirstChecks,
  errors: [],
  isHeavy: true,
  handler: async (request) => {
    const { tenantId } = request.credential;
    const { subject_id: subjectId, spec, limit, cursor } = request.input.document;
    const isStored = subjectId !== null;
    const credentials = isStored
      ? await liveCredentials(request, { tenantId, subjectId, nowMs: request.nowMs })
      : plannedCredentials(tenantId, spec);
    const form = { isStored, idsMax: NAMED_CREDENTIALS_MAX };
    return filteredPage(cursor, {
      ...{ name: 'reach', tenantId, limit },
      ...digestPositions,
      slices: (after) => namespaceSlices(request, tenantId, digestAt(after)),
      show: ({ parts }) =>
        branchOf(parts) === undefined ? reachedScope(credentials, parts, form) : undefined,
    });
  },
});

async function liveCredentials(
  request: WalkingRequest,
  {
    tenantId,
    subjectId,
    nowMs,
  }: { readonly tenantId: string; readonly subjectId: string; readonly nowMs: number },
): Promise<ActingCredential[]> {
  const found: ActingCredential[] = [];
  for await (const slice of credentialSlices(request, tenantId)) {
    const own = slice.filter((each) => each.spec.subject_id === subjectId && isLive(each, nowMs));
    found.push(...own);
  }
  return found;
}

/** Returns the credential of a spec as it would act; it has no id yet. */
function plannedCredentials(
  tenantId: string,
  spec: CredentialSpecRequest | null,
): ActingCredential[] {
  if (spec === null) return [];
  const { scope_policy, act_for, capabilities, ...rest } = spec;
  const planned = {
    ...rest,
    capabilities: canonicalCapabilities(capabilities),
    ...(scope_policy === null ? {} : { scope_policy }),
    ...(act_for === null ? {} : { act_for }),
  };
  return [{ tenantId, id: '', revision: 1, verifier: '', revokedAtMillis: null, spec: planned }];
}

/** A scope, and the subject whose private scope is meant. */
interface WantedScope {
  readonly scope: Scope;
  readonly subjectId: string | null;
  /** What administrators said of that subject. */
  readonly limits: SubjectLimits | undefined;
}

/** Returns what credentials of one subject reach of a namespace, or `undefined` for nothing. */
function reachedScope(
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
