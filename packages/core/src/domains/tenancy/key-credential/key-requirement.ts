/** The operations on whether credentials of a tenant have to be proved by keys. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleVersion } from '../../../contract/example-values.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { thumbprintIn } from '../../../kernel/access/key-thumbprint.js';
import type { Principal } from '../../../kernel/access/principal.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import {
  findKeyRequirement,
  putKeyRequirementState,
  type StoredKeyRequirement,
} from '../credential/require-secrets.js';
import { type KeyRequirement, KeyRequirementResponse, PutKeyRequirementRequest } from './schema.js';

const LOCKED_OUT =
  'Once keys are required, the secret of this call would be refused from now on. ' +
  'Call with a key, or as a person who has logged in.';

/** Refuses secrets from the commit on. Logins and programs that embed the keep go on. */
export const putKeyRequirement = defineTenantOperation({
  name: 'putKeyRequirement',
  summary: 'State whether credentials of the tenant must have keys.',
  example: { document: { ...exampleVersion, expected_revision: 0, requires_keys: false } },
  command: {
    name: 'key-requirement set',
    revisionFrom: 'getKeyRequirement',
    examples: ['agentkeep key-requirement set --requires-keys true --profile chief'],
  },
  tag: 'Identity',
  input: { document: PutKeyRequirementRequest },
  whenFull: 'served',
  output: KeyRequirementResponse,
  requires: { capability: 'credential_admin' },
  confirms: 'revision',
  checks: authorityFirstChecks,
  errors: ['revision_conflict'],
  handler: (request) => {
    const { runtime, credential: actor, principal, nowMs } = request;
    const { expected_revision, requires_keys: requiresKeys } = request.input.document;
    const { tenantId } = actor;
    if (requiresKeys && callsBySecret(principal)) {
      throw new AgentkeepError('forbidden', { message: LOCKED_OUT });
    }
    return runtime.store.transact((tx) => {
      request.confirm(tx);
      const revision = findKeyRequirement(tx, tenantId)?.revision ?? 0;
      if (revision !== expected_revision) throw new AgentkeepError('revision_conflict');
      const made = { revision: revision + 1, updatedAtMillis: nowMs, updatedBy: actor.id };
      const requirement = { tenantId, requiresKeys, ...made };
      putKeyRequirementState(tx, requirement);
      request.record(tx, {
        type: 'configuration_changed',
        action: 'configuration_changed',
        resource: `key_requirement:${tenantId}`,
        result: 'success',
        metadata: { change: requiresKeys ? 'keys_required' : 'secrets_allowed' },
      });
      return { contract_version: CONTRACT_VERSION, requirement: showKeyRequirement(requirement) };
    });
  },
});

function callsBySecret({ held: { subject } }: Principal): boolean {
  return subject.kind === 'credential' && thumbprintIn(subject.verifier) === undefined;
}

/** A tenant that has stated nothing accepts secrets and keys. */
export const getKeyRequirement = defineTenantOperation({
  name: 'getKeyRequirement',
  summary: 'Show whether credentials of the tenant must have keys.',
  example: {},
  command: { name: 'key-requirement show' },
  tag: 'Identity',
  effect: 'read',
  input: {},
  output: KeyRequirementResponse,
  requires: { capability: 'credential_admin' },
  checks: authorityFirstChecks,
  errors: [],
  handler: ({ runtime, credential: { tenantId } }) =>
    runtime.store.read((tx) => ({
      contract_version: CONTRACT_VERSION,
      requirement: showKeyRequirement(findKeyRequirement(tx, tenantId)),
    })),
});

/** Returns a requirement as answers show it; revision 0 if none was ever stated. */
function showKeyRequirement(requirement: StoredKeyRequirement | undefined): KeyRequirement {
  return {
    revision: requirement?.revision ?? 0,
    requires_keys: requirement?.requiresKeys ?? false,
    updated_at_millis: requirement?.updatedAtMillis ?? null,
    updated_by: requirement?.updatedBy ?? null,
  };
}
