/** `listTenants`: pages through the tenants of the installation. */
import { exampleVersion } from '../../../contract/example-values.js';
import { directoryOperation } from '../../../kernel/operation/directory-operation.js';
import { listDirectory } from '../../../kernel/lists/list-directory.js';
import { defineInstallationOperation } from '../../../kernel/operation/define-operation.js';
import { isTextId } from '../../../contract/schema/text.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import { DirectoryTenantsResponse } from './schema.js';
import { listTenantsAfter, showRegistration } from './tenant-store.js';

/** Lists in the order of JSON-encoded ids, forward only. Pages reflect concurrent changes. */
export const listTenants = defineInstallationOperation({
  ...directoryOperation,
  name: 'listTenants',
  summary: 'List the tenants of the installation.',
  example: { parameters: exampleVersion },
  command: {
    name: 'tenants list',
    columns: ['tenant_id', 'registration.created_at_millis', 'registration.display_name'],
  },
  tag: 'Administration',
  output: DirectoryTenantsResponse,
  requires: 'tenant_inspect',
  handler: ({ runtime, input }) =>
    listDirectory(runtime.store, input.parameters, {
      identity: { list: 'tenants', tenantId: INSTALLATION },
      read: listTenantsAfter,
      show: (_tx, tenant) => ({
        tenant_id: tenant.tenantId,
        registration: showRegistration(tenant),
      }),
      placeOf: ({ tenantId }) => tenantId,
      isPlace: isTextId,
    }),
});
