/**
 * `listTenantCredentials`: the credentials of the caller's tenant, a page at a time.
 * @module
 */
import { type CursorBinding, decodeCursor, encodeCursor } from '../directory/cursor.js';
import { directoryPage } from '../directory/page.js';
import { defineOperation } from '../runtime/operation.js';
import { CONTRACT_VERSION } from '../version.js';
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
  handler: ({ runtime, credential, input }) => {
    const { tenantId } = credential;
    const { limit, cursor } = input.parameters;
    const binding: CursorBinding = { list: 'tenant-credentials', tenantId };
    const after = cursor === undefined ? undefined : decodeCursor(binding, cursor);
    return runtime.store.read((tx) => ({
      contract_version: CONTRACT_VERSION,
      page: directoryPage(
        listCredentials(tx, tenantId, { after, limit: limit + 1 }),
        limit,
        (row) => showCredential(tx, row),
        (last) => encodeCursor(binding, last.id),
      ),
    }));
  },
});
