/**
 * `issueGlobalCredential`: issues a credential of the installation with at most the caller's
 * rights.
 */
import { exampleVersion } from '../../../contract/example-values.js';
import { canonicalGlobalCapabilities } from '../../../kernel/access/global-capability.js';
import { formatSecret } from '../../../kernel/access/secret.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { defineInstallationOperation } from '../../../kernel/operation/define-operation.js';
import { installationChecks } from '../../../kernel/operation/orders-of-checks.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { globalCredentialChanged, newGlobalSecret } from './global-credential-change.js';
import { mayIssue } from './global-credential-policy.js';
import {
  insertGlobalCredential,
  showGlobalCredential,
  type StoredGlobalCredential,
} from './global-credential-store.js';
import { IssuedGlobalCredential, IssueGlobalRequest } from './schema.js';

/** Not idempotent: a repeat issues another credential. */
export const issueGlobalCredential = defineInstallationOperation({
  name: 'issueGlobalCredential',
  summary: 'Issue a credential of the installation; its secret is delivered once.',
  example: {
    document: {
      ...exampleVersion,
      spec: { subject_id: 'provisioner', capabilities: ['tenant_create', 'tenant_inspect'] },
    },
  },
  command: {
    name: 'global-credentials issue',
    examples: [
      'agentkeep global-credentials issue --subject-id ann --capabilities tenant_create ' +
        '--write-secret ./ann',
    ],
  },
  tag: 'Administration',
  input: { document: IssueGlobalRequest },
  output: IssuedGlobalCredential,
  requires: 'global_credential_admin',
  checks: installationChecks,
  errors: ['revision_conflict'],
  handler: (request) => {
    const { runtime, nowMs } = request;
    const { capabilities, ...rest } = request.input.document.spec;
    const spec = { ...rest, capabilities: canonicalGlobalCapabilities(capabilities) };
    if (spec.expires_at_millis !== null && spec.expires_at_millis <= nowMs) {
      const member = { path: 'spec.expires_at_millis', expected: 'a time in the future' };
      throw new AgentkeepError('invalid_request', { members: [member] });
    }
    if (!mayIssue(request.credential, spec)) throw new AgentkeepError('forbidden');
    const id = runtime.newId();
    const { secret, verifier } = newGlobalSecret(runtime, id);
    const credential: StoredGlobalCredential = {
      id,
      isMaster: false,
      spec,
      revision: 1,
      verifier,
      revokedAtMillis: null,
      previous: null,
    };
    return runtime.store.transact((tx) => {
      const { id: actorId } = request.confirm(tx);
      insertGlobalCredential(tx, credential, {
        revision: 1,
        action: 'issued',
        actor_id: actorId,
        at_millis: nowMs,
      });
      request.record(tx, globalCredentialChanged(id, 'issued'));
      return {
        contract_version: CONTRACT_VERSION,
        credential: showGlobalCredential(tx, credential),
        secret: formatSecret(secret),
      };
    });
  },
});
