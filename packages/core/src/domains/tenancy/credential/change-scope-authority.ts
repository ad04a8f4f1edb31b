/**
 * `changeScopeAuthority`: replaces the scopes that a credential may act in. The secret stays valid.
 */
import { exampleId, exampleScope, exampleVersion } from '../../../contract/example-values.js';
import type { ScopeAuthority } from '../../../kernel/access/scope.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { changeTarget, storeCredentialChange } from './manage-credentials.js';
import { decideRescoping, isExpired } from './credential-policy.js';
import type { StoredCredential } from './credential-store.js';
import { CredentialResponse, type CredentialSpec, ScopeAuthorityRequest } from './schema.js';

/** Replaces the grants, never merges. Empty grants suspend all scopes. */
export const changeScopeAuthority = defineTenantOperation({
  name: 'changeScopeAuthority',
  summary: 'Replace the scopes that a credential may act in.',
  example: {
    id: exampleId,
    document: { ...exampleVersion, expected_revision: 1, authority: { grants: [exampleScope] } },
  },
  command: {
    name: 'credentials set-scopes',
    revisionFrom: 'inspectCredential',
    examples: [
      'agentkeep credentials set-scopes <id> --grants ' +
        'project_id=demo,agent_id=assistant,visibility=private',
    ],
  },
  tag: 'Identity',
  input: { id: uuid(), document: ScopeAuthorityRequest },
  output: CredentialResponse,
  requires: { capability: 'credential_admin' },
  confirms: 'revision',
  checks: authorityFirstChecks,
  deferred: 'authority',
  errors: ['revision_conflict'],
  handler: (request) => {
    const { id, document } = request.input;
    return request.runtime.store.transact((tx) => {
      const target = changeTarget(tx, request, id, (found) =>
        decideRescoping(found, document.expected_revision),
      );
      request.checkDeferred();
      const spec = rescoped(target.spec, document.authority);
      requireRescopable(target, spec, request.nowMs);
      const change = { previous: authorityOf(target.spec), current: authorityOf(spec) };
      const credential = storeCredentialChange(
        tx,
        request,
        target,
        { spec },
        { action: 'scope_authority_changed', scope_authority_change: change },
      );
      return { contract_version: CONTRACT_VERSION, credential };
    });
  },
});

function rescoped(
  spec: CredentialSpec,
  authority: ScopeAuthorityRequest['authority'],
): CredentialSpec {
  const { grants, scope_policy } = authority;
  const next = { ...spec, grants };
  delete next.scope_policy;
  return { ...next, ...(scope_policy === null ? {} : { scope_policy }) };
}

function requireRescopable(target: StoredCredential, spec: CredentialSpec, nowMs: number): void {
  const policyForAdmin =
    spec.scope_policy !== undefined && spec.capabilities.includes('credential_admin');
  if (policyForAdmin) {
    const expected = 'no scope policy for a credential with credential_admin';
    throw new AgentkeepError('invalid_request', {
      members: [{ path: 'authority.scope_policy', expected }],
    });
  }
  if (isExpired(target, nowMs)) {
    throw new AgentkeepError('invalid_request', {
      members: [{ path: 'id', expected: 'a credential that has not expired' }],
    });
  }
}

function authorityOf({ grants, scope_policy }: CredentialSpec): {
  grants: CredentialSpec['grants'];
  scope_policy?: NonNullable<ScopeAuthority['scope_policy']>;
} {
  return { grants, ...(scope_policy === undefined ? {} : { scope_policy }) };
}
