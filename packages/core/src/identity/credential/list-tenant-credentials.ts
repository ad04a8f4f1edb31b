/**
 * `listTenantCredentials`: the credentials of the caller's tenant, a page at a time.
 * @module
 */
import { listDirectory } from '../../runtime/lists/list-directory.js';
import { defineOperation } from '../../runtime/operation.js';
import { isUuid } from '../../contract/schema/uuid.js';
import { listCredentials, showCredential } from './credential-store.js';
import { DirectoryParameters, DirectoryTenantCredentialsResponse } from './schema.js';

/** A live, forward-only traversal in ascending order of id. */
export const listTenantCredentials = defineOperation({
  name: 'listTenantCredentials',
  summary: 'List the credentials of the tenant, revoked and expired ones included.',
  tag: 'Identity',
  effect: 'read',
  input: { parameters: DirectoryParameters },
  output: DirectoryTenantCredentialsResponse,
  requires: { capability: 'credential_admin' },
  checks: ['parameters', 'version', 'rules', 'authority'],
  errors: ['invalid_request', 'unsupported_contract_version', 'forbidden', 'page_too_large'],
  handler: ({ runtime, credential: { tenantId }, input }) =>
    listDirectory(runtime.store, input.parameters, {
      binding: { list: 'tenant-credentials', tenantId },
      read: (tx, page) => listCredentials(tx, tenantId, page),
      show: showCredential,
      placeOf: ({ id }) => id,
      isPlace: isUuid,
    }),
});
