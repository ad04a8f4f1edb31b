/** `revokeGlobalCredential`: revokes a credential of the installation. */
import { exampleId, exampleVersion } from '../../../contract/example-values.js';
import { AdministrationRevisionRequest } from '../credential/schema.js';
import { defineInstallationOperation } from '../../../kernel/operation/define-operation.js';
import { installationChecks } from '../../../kernel/operation/orders-of-checks.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { endingTarget, storeGlobalChange } from './global-credential-change.js';
import { GlobalCredentialResponse } from './schema.js';

/** Irreversible, except for the master, which a local operator can recover. */
export const revokeGlobalCredential = defineInstallationOperation({
  name: 'revokeGlobalCredential',
  summary: 'End a credential of the installation; what it issued lives on.',
  example: { id: exampleId, document: { ...exampleVersion, expected_revision: 1 } },
  command: { name: 'global-credentials revoke', revisionFrom: 'inspectGlobalCredential' },
  tag: 'Administration',
  input: { id: uuid(), document: AdministrationRevisionRequest },
  output: GlobalCredentialResponse,
  requires: 'any',
  checks: installationChecks,
  errors: ['revision_conflict'],
  handler: (request) => {
    const { id, document } = request.input;
    return request.runtime.store.transact((tx) => {
      const target = endingTarget(tx, request, id, document.expected_revision);
      const end = { revokedAtMillis: request.nowMs, previous: null };
      const credential = storeGlobalChange(tx, request, target, end, 'revoked');
      return { contract_version: CONTRACT_VERSION, credential };
    });
  },
});
