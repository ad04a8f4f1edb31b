/** `listGlobalCredentials`: pages through the credentials of the installation, for the master. */
import { exampleVersion } from '../../../contract/example-values.js';
import { directoryOperation } from '../../../kernel/operation/directory-operation.js';
import { listDirectory } from '../../../kernel/lists/list-directory.js';
import { defineInstallationOperation } from '../../../kernel/operation/define-operation.js';
import { isUuid } from '../../../contract/schema/uuid.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import { globalCredentialsAfter, showGlobalCredential } from './global-credential-store.js';
import { DirectoryGlobalCredentialsResponse } from './schema.js';

/** Lists in ascending order of id, forward only. Pages reflect concurrent changes. */
export const listGlobalCredentials = defineInstallationOperation({
  ...directoryOperation,
  name: 'listGlobalCredentials',
  summary: 'List the credentials of the installation, revoked and expired ones included.',
  example: { parameters: exampleVersion },
  command: {
    name: 'global-credentials list',
    columns: [
      ...['id', 'spec.subject_id', 'revoked_at_millis', 'revision'],
      ...['previous_secret.ends_at_millis', 'spec.capabilities'],
    ],
  },
  tag: 'Administration',
  output: DirectoryGlobalCredentialsResponse,
  requires: 'master',
  handler: ({ runtime, input }) =>
    listDirectory(runtime.store, input.parameters, {
      identity: { list: 'global-credentials', tenantId: INSTALLATION },
      read: globalCredentialsAfter,
      show: showGlobalCredential,
      placeOf: ({ id }) => id,
      isPlace: isUuid,
    }),
});
