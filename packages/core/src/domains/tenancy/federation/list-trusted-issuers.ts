/** `listTrustedIssuers`: pages through the issuers that the tenant trusts. */
import { exampleVersion } from '../../../contract/example-values.js';
import { isTextId } from '../../../contract/schema/text.js';
import { listDirectory } from '../../../kernel/lists/list-directory.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { directoryOperation } from '../../../kernel/operation/directory-operation.js';
import { issuersAfter, showIssuer } from './issuer-store.js';
import { DirectoryIssuersResponse } from './schema.js';

/** Lists in ascending order of name, forward only. Pages reflect concurrent changes. */
export const listTrustedIssuers = defineTenantOperation({
  ...directoryOperation,
  name: 'listTrustedIssuers',
  summary: 'List the issuers whose assertions prove credentials.',
  example: { parameters: exampleVersion },
  command: {
    name: 'issuers list',
    columns: ['name', 'issuer', 'audience', 'is_blocked', 'revision', 'updated_at_millis'],
  },
  tag: 'Identity',
  output: DirectoryIssuersResponse,
  requires: { capability: 'credential_admin' },
  handler: ({ runtime, credential: { tenantId }, input }) =>
    listDirectory(runtime.store, input.parameters, {
      identity: { list: 'issuers', tenantId },
      read: (tx, page) => issuersAfter(tx, tenantId, page),
      show: (_tx, issuer) => showIssuer(issuer),
      placeOf: ({ name }) => name,
      isPlace: isTextId,
    }),
});
