/**
 * `listGlobalCredentials`: the credentials of the installation, a page at a time, for the master.
 *
 * @module
 */
import { DirectoryParameters } from '../credential/schema.js';
import { listDirectory } from '../../runtime/lists/list-directory.js';
import { defineOperation } from '../../runtime/operation.js';
import { isUuid } from '../../contract/schema/uuid.js';
import { INSTALLATION } from '../../storage/store/keyspace.js';
import {
  listGlobalCredentials as credentialsAfter,
  showGlobalCredential,
} from './global-credential-store.js';
import { DirectoryGlobalCredentialsResponse } from './schema.js';

/** A live, forward-only traversal in ascending order of id. */
export const listGlobalCredentials = defineOperation({
  name: 'listGlobalCredentials',
  summary: 'List the credentials of the installation, revoked and expired ones included.',
  tag: 'Administration',
  effect: 'read',
  input: { parameters: DirectoryParameters },
  output: DirectoryGlobalCredentialsResponse,
  requires: { global: 'master' },
  checks: ['parameters', 'version', 'rules', 'authority'],
  errors: ['invalid_request', 'unsupported_contract_version', 'forbidden', 'page_too_large'],
  handler: ({ runtime, input }) =>
    listDirectory(runtime.store, input.parameters, {
      binding: { list: 'global-credentials', tenantId: INSTALLATION },
      read: credentialsAfter,
      show: showGlobalCredential,
      placeOf: ({ id }) => id,
      isPlace: isUuid,
    }),
});
