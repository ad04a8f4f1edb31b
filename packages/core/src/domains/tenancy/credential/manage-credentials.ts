/**
 * The operations that issue, rotate and revoke credentials.
 *
 * `rotateCredential`: replaces the secret of a credential. The old one is invalid from the commit
 * on, or from the end of the overlap that the caller chose.
 *
 * Common steps of every change of a credential: confirm the actor in the same commit, find the
 * target in the actor's tenant, and store state and event together.
 */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleId, exampleScope, exampleVersion } from '../../../contract/example-values.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { thumbprintIn } from '../../../kernel/access/key-thumbprint.js';
import { formatSecret, SECRET_BYTES, verifierOf } from '../../../kernel/access/secret.js';
import type { InputSchemas } from '../../../kernel/input/input-rules.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { authorityFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { TenantRequest } from '../../../kernel/operation/requests.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { credentialChanged } from './credential-event.js';
import { type ChangeDecision, decideEnding } from './credential-policy.js';
import {
  findCredential,
  showCredential,
  type StoredCredential,
  updateCredential,
} from './credential-store.js';
import { checkedSpec, newCredential, storeNewCredential } from './new-credential.js';
import { rotatedSecrets } from './credential-rows.js';
import { requireSecretOrKey, requireSecrets } from './require-secrets.js';
import {
  type Credential,
  type CredentialEvent,
  CredentialResponse,
  IssuedCredential,
  IssueRequest,
  RevisionRequest,
  RotationRequest,
} from './schema.js';

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
        'project_id=demo,agent_id=assistant,visibility=private --write-secret ./ann-secret',
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

/** Also rotates expired credentials, which stay expired. Never revives a revoked one. */
export const rotateCredential = defineTenantOperation({
  name: 'rotateCredential',
  summary: 'Replace the secret of a credential; the new one is delivered once.',
  example: { id: exampleId, document: { ...exampleVersion, expected_revision: 1 } },
  command: {
    name: 'credentials rotate',
    revisionFrom: 'inspectCredential',
    examples: [
      'agentkeep credentials rotate <id> --write-secret ./new-secret',
      'agentkeep credentials rotate <id> --overlap-seconds 3600 --write-secret ./new-secret',
    ],
  },
  tag: 'Identity',
  input: { id: uuid(), document: RotationRequest },
  whenFull: 'served',
  output: IssuedCredential,
  requires: { capability: 'credential_admin' },
  confirms: 'revision',
  checks: authorityFirstChecks,
  errors: ['revision_conflict'],
  handler: (request) => {
    const { id, document } = request.input;
    const bytes = request.runtime.entropy.bytes(SECRET_BYTES);
    const secret = { kind: 'ak1', id, bytes } as const;
    const verifier = verifierOf(secret);
    return request.runtime.store.transact((tx) => {
      const target = changeTarget(tx, request, id, (found) =>
        decideEnding(found, document.expected_revision),
      );
      requireSecrets(tx, target.tenantId);
      if (thumbprintIn(target.verifier) !== undefined) throw hasKey();
      requireSecretOrKey(target);
      const { nowMs } = request;
      const overlapSeconds = document.overlap_seconds;
      const change = rotatedSecrets(target, { verifier }, { nowMs, overlapSeconds });
      const credential = storeCredentialChange(tx, request, target, change, { action: 'rotated' });
      return { contract_version: CONTRACT_VERSION, credential, secret: formatSecret(secret) };
    });
  },
});

function hasKey(): AgentkeepError {
  const expected =
    'a credential with a secret; replace the key of this one with replaceCredentialKey';
  return new AgentkeepError('invalid_request', { members: [{ path: 'id', expected }] });
}

/** Irreversible and not idempotent: a second revocation is `forbidden`. */
export const revokeCredential = defineTenantOperation({
  name: 'revokeCredential',
  summary: 'End a credential for good.',
  example: { id: exampleId, document: { ...exampleVersion, expected_revision: 1 } },
  command: { name: 'credentials revoke', revisionFrom: 'inspectCredential' },
  tag: 'Identity',
  input: { id: uuid(), document: RevisionRequest },
  whenFull: 'served',
  output: CredentialResponse,
  requires: { capability: 'credential_admin' },
  confirms: 'revision',
  checks: authorityFirstChecks,
  errors: ['revision_conflict'],
  handler: (request) => {
    const { id, document } = request.input;
    return request.runtime.store.transact((tx) => {
      const target = changeTarget(tx, request, id, (found) =>
        decideEnding(found, document.expected_revision),
      );
      const end = { revokedAtMillis: request.nowMs, previous: null };
      const credential = storeCredentialChange(tx, request, target, end, { action: 'revoked' });
      return { contract_version: CONTRACT_VERSION, credential };
    });
  },
});

/**
 * Returns the target of a change, after confirming the actor and deciding the change.
 *
 * @throws {AgentkeepError} `revision_conflict` or `forbidden`
 */
export function changeTarget(
  tx: WriteTx,
  request: TenantRequest<InputSchemas>,
  id: string,
  decide: (target: StoredCredential | undefined) => ChangeDecision<StoredCredential>,
): StoredCredential {
  const { tenantId } = request.confirm(tx);
  const decision = decide(findCredential(tx, tenantId, id));
  if (decision.type === 'stale') throw new AgentkeepError('revision_conflict');
  if (decision.type === 'forbidden') throw new AgentkeepError('forbidden');
  return decision.target;
}

/** Stores the next revision of a credential, and returns it as it is shown. */
export function storeCredentialChange(
  tx: WriteTx,
  request: TenantRequest<InputSchemas>,
  target: StoredCredential,
  change: Partial<Pick<StoredCredential, 'spec' | 'verifier' | 'previous' | 'revokedAtMillis'>>,
  event: Pick<CredentialEvent, 'action' | 'scope_authority_change'>,
): Credential {
  const { credential: actor, nowMs } = request;
  const revision = target.revision + 1;
  const next = { ...target, ...change, revision };
  updateCredential(tx, next, { revision, actor_id: actor.id, at_millis: nowMs, ...event });
  request.record(tx, credentialChanged(target, event.action));
  return showCredential(tx, next);
}
