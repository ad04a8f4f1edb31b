/**
 * `listTenants`: the tenants of the installation, a page at a time.
 *
 * @module
 */
import { DirectoryParameters } from '../credential/schema.js';
import { listDirectory } from '../../runtime/lists/list-directory.js';
import { defineOperation } from '../../runtime/operation.js';
import { isTextId } from '../../contract/schema/text.js';
import { INSTALLATION } from '../../storage/store/keyspace.js';
import { DirectoryTenantsResponse } from './schema.js';
import { listTenantsAfter, showRegistration } from './tenant-store.js';

/** A live, forward-only traversal in the order of JSON-encoded ids. */
export const listTenants = defineOperation({
  name: 'listTenants',
  summary: 'List the tenants of the installation.',
  tag: 'Administration',
  effect: 'read',
  input: { parameters: DirectoryParameters },
  output: DirectoryTenantsResponse,
  requires: { global: 'tenant_inspect' },
  checks: ['parameters', 'version', 'rules', 'authority'],
  errors: ['invalid_request', 'unsupported_contract_version', 'forbidden', 'page_too_large'],
  handler: ({ runtime, input }) =>
    listDirectory(runtime.store, input.parameters, {
      binding: { list: 'tenants', tenantId: INSTALLATION },
      read: listTenantsAfter,
      show: (_tx, tenant) => ({
        tenant_id: tenant.tenantId,
        registration: showRegistration(tenant),
      }),
      placeOf: ({ tenantId }) => tenantId,
      isPlace: isTextId,
    }),
});
