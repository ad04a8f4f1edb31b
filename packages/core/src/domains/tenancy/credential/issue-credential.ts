/** `issueCredential`: issues a credential of the caller's tenant and delivers its secret once. */
import { exampleScope, exampleVersion } from '../../../contract/example-values.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { credentialChanged } from './credential-event.js';
import { checkedSpec, newCredential, storeNewCredential } from './new-credential.js';
import { requireSecrets } from './require-secrets.js';
import { IssuedCredential, IssueRequest } from './schema.js';

/** Not idempotent: a repeat issues another credential. */
export const issueCredential = defineTenantOperation({
  name: 'issueCredential',
  summary: 'Issue a credential in the tenant of the caller; its secret is delivered once.',
  example: {
    document: {
      ...exampleVersion,
      spec: {
        subject_id: 'helper',
        capabilities: ['memory_read', 'memory_write'],
        grants: [exampleScope],
      },
    },
  },
  command: {
    name: 'credentials issue',
    examples: [
      'agentkeep credentials issue --subject-id ann --capabilities memory_read ' +
        '--capabilities memory_write --grants ' +
        'project_id=support,agent_id=helper,visibility=private --write-secret ./ann-secret',
    ],
  },
  tag: 'Identity',
  input: { document: IssueRequest },
  output: IssuedCredential,
  requires: { capability: 'credential_admin' },
  confirms: 'revision',
  checks: authorityFirstChecks,
  errors: ['revision_conflict', 'subject_erased'],
  handler: (request) => {
    const { runtime, credential: actor, nowMs } = request;
    const spec = checkedSpec(request.input.document.spec, nowMs);
    const { tenantId } = actor;
    const made = newCredential(runtime, {
      tenantId,
      spec,
      action: 'issued',
      actorId: actor.id,
      nowMs,
    });
    return runtime.store.transact((tx) => {
      request.confirm(tx);
      requireSecrets(tx, tenantId);
      request.record(tx, credentialChanged(made.credential, 'issued'));
      return storeNewCredential(tx, made);
    });
  },
});
