/** `listTenantCredentials`: pages through the credentials of the caller's tenant. */
import { exampleVersion } from '../../../contract/example-values.js';
import { listDirectory } from '../../../kernel/lists/list-directory.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { isUuid } from '../../../contract/schema/uuid.js';
import { listCredentials, showCredential } from './credential-store.js';
import { directoryOperation } from '../../../kernel/operation/directory-operation.js';
import { DirectoryTenantCredentialsResponse } from './schema.js';

/** Lists in ascending order of id, forward only. Pages reflect concurrent changes. */
export const listTenantCredentials = defineTenantOperation({
  ...directoryOperation,
  name: 'listTenantCredentials',
  summary: 'List the credentials of the tenant, revoked and expired ones included.',
  example: { parameters: exampleVersion },
  command: {
    name: 'credentials list',
    columns: [
      ...['id', 'spec.subject_id', 'revoked_at_millis', 'revision'],
      ...['previous_secret.ends_at_millis', 'spec.capabilities'],
    ],
  },
  tag: 'Identity',
  output: DirectoryTenantCredentialsResponse,
  requires: { capability: 'credential_admin' },
  handler: ({ runtime, credential: { tenantId }, input }) =>
    listDirectory(runtime.store, input.parameters, {
      identity: { list: 'tenant-credentials', tenantId },
      read: (tx, page) => listCredentials(tx, tenantId, page),
      show: showCredential,
      placeOf: ({ id }) => id,
      isPlace: isUuid,
    }),
});
