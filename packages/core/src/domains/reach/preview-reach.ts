/**
 * `previewReach`: pages through the scopes that a subject can reach, or that a credential would
 * reach if it were issued.
 */
import { exampleVersion } from '../../contract/example-values.js';
import { canonicalCapabilities } from '../../kernel/access/capability.js';
import { branchOf } from '../../kernel/access/namespace.js';
import type { ActingCredential } from '../../kernel/access/principal.js';
import { isLive } from '../tenancy/credential/credential-policy.js';
import type { CredentialSpecRequest } from '../tenancy/credential/schema.js';
import { defineTenantOperation } from '../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../kernel/operation/orders-of-checks.js';
import { filteredPage } from './filtered-page.js';
import { digestAt, digestPositions } from './position.js';
import { reachedScope } from './judge-reach.js';
import { NAMED_CREDENTIALS_MAX, ReachRequest, ReachResponse } from './schema.js';
import { credentialSlices } from '../tenancy/credential/credential-slices.js';
import { namespaceSlices, type WalkingRequest } from '../../kernel/services/tenant-walk.js';

/** Shows scopes in which something was stored; a grant of a new one shows up once it is used. */
export const previewReach = defineTenantOperation({
  name: 'previewReach',
  summary: 'List the scopes that a subject can reach, or that a new credential would reach.',
  example: { document: { ...exampleVersion, subject_id: 'user-1' } },
  command: {
    name: 'access reach',
    examples: ['agentkeep access reach --subject-id user-1 --profile admin'],
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
