/**
 * `rotateGlobalCredential`: replaces the secret of a credential of the installation. The old one is
 * invalid from the commit on, or from the end of the overlap that the caller chose.
 */
import { exampleId, exampleVersion } from '../../../contract/example-values.js';
import { formatSecret } from '../../../kernel/access/secret.js';
import { AdministrationRotationRequest } from '../credential/schema.js';
import { rotatedSecrets } from '../credential/previous-secret.js';
import { defineInstallationOperation } from '../../../kernel/operation/define-operation.js';
import { installationChecks } from '../../../kernel/operation/orders-of-checks.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { endingTarget, newGlobalSecret, storeGlobalChange } from './global-credential-change.js';
import { IssuedGlobalCredential } from './schema.js';

/** Each credential may rotate its own secret. An expired credential stays expired. */
export const rotateGlobalCredential = defineInstallationOperation({
  name: 'rotateGlobalCredential',
  summary: 'Replace the secret of a credential of the installation; the new one is delivered once.',
  example: { id: exampleId, document: { ...exampleVersion, expected_revision: 1 } },
  command: { name: 'global-credentials rotate', revisionFrom: 'inspectGlobalCredential' },
  tag: 'Administration',
  input: { id: uuid(), document: AdministrationRotationRequest },
  output: IssuedGlobalCredential,
  requires: 'any',
  checks: installationChecks,
  errors: ['revision_conflict'],
  handler: (request) => {
    const { id, document } = request.input;
    const { secret, verifier } = newGlobalSecret(request.runtime, id);
    return request.runtime.store.transact((tx) => {
      const target = endingTarget(tx, request, id, document.expected_revision);
      const { nowMs } = request;
      const overlapSeconds = document.overlap_seconds;
      const change = rotatedSecrets(target, { verifier }, { nowMs, overlapSeconds });
      const credential = storeGlobalChange(tx, request, target, change, 'rotated');
      return { contract_version: CONTRACT_VERSION, credential, secret: formatSecret(secret) };
    });
  },
});
