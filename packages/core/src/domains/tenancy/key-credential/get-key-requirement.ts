/** `getKeyRequirement`: shows whether the credentials of a tenant must have keys. */
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { readAtOnce } from '../../../storage/store/read-at-once.js';
import { findKeyRequirement } from '../credential/key-requirement-store.js';
import { KeyRequirementResponse } from './schema.js';
import { showKeyRequirement } from './show-key-requirement.js';

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
    readAtOnce(runtime.store, (tx) => ({
      contract_version: CONTRACT_VERSION,
      requirement: showKeyRequirement(findKeyRequirement(tx, tenantId)),
    })),
});
