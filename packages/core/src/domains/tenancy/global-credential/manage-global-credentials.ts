/**
 * The operations that issue, show, list, rotate and revoke credentials of the installation.
 *
 * `rotateGlobalCredential`: replaces the secret of a credential of the installation. The old one
 * is invalid from the commit on, or from the end of the overlap that the caller chose.
 *
 * Common steps of every change of a credential of the installation: confirm the actor in the same
 * commit, and store state and event together.
 */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleId, exampleVersion } from '../../../contract/example-values.js';
import { isUuid, uuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { canonicalGlobalCapabilities } from '../../../kernel/access/capability.js';
import {
  formatSecret,
  type Secret,
  SECRET_BYTES,
  verifierOf,
} from '../../../kernel/access/secret.js';
import type { EventSubject } from '../../../kernel/audit/call-events.js';
import type { InputSchemas } from '../../../kernel/input/input-rules.js';
import { cursorOfOlder, HistoryParameters, historyPart } from '../../../kernel/lists/page.js';
import { listDirectory } from '../../../kernel/lists/list-directory.js';
import {
  defineInstallationOperation,
  directoryOperation,
} from '../../../kernel/operation/define-operation.js';
import { installationChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { InstallationRequest } from '../../../kernel/operation/requests.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { rotatedSecrets } from '../credential/credential-rows.js';
import {
  AdministrationRevisionRequest,
  AdministrationRotationRequest,
} from '../credential/schema.js';
import { decideEnding, mayInspect, mayIssue } from './global-credential-policy.js';
import {
  findGlobalCredential,
  globalCredentialsAfter,
  insertGlobalCredential,
  showGlobalCredential,
  type StoredGlobalCredential,
  updateGlobalCredential,
} from './global-credential-store.js';
import {
  DirectoryGlobalCredentialsResponse,
  type GlobalCredential,
  type GlobalCredentialEvent,
  GlobalCredentialResponse,
  InspectGlobalCredentialResponse,
  IssuedGlobalCredential,
  IssueGlobalRequest,
} from './schema.js';

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

/** Unknown ids and credentials with more capabilities than the caller's are both `forbidden`. */
export const inspectGlobalCredential = defineInstallationOperation({
  name: 'inspectGlobalCredential',
  summary: 'Show one credential of the installation, revoked and expired ones included.',
  example: { id: exampleId, parameters: {} },
  command: { name: 'global-credentials show' },
  tag: 'Administration',
  effect: 'read',
  input: { id: uuid(), parameters: HistoryParameters },
  output: InspectGlobalCredentialResponse,
  requires: 'global_credential_admin',
  checks: installationChecks,
  isHeavy: true,
  handler: ({ runtime, credential: caller, input: { id, parameters } }) => {
    const owner = { authority: INSTALLATION, id };
    const part = historyPart(owner, parameters);
    return runtime.store.read((tx) => {
      const target = findGlobalCredential(tx, id);
      if (target === undefined || !mayInspect(caller, target)) {
        throw new AgentkeepError('forbidden');
      }
      const credential = showGlobalCredential(tx, target, part);
      const older = cursorOfOlder(owner, credential.history);
      return { contract_version: CONTRACT_VERSION, credential, ...older };
    });
  },
});

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

/** A new secret of a credential, and the digest to store. */
export interface FreshSecret {
  readonly secret: Secret;
  readonly verifier: string;
}

/** Creates a secret outside the transaction that stores its digest. */
export function newGlobalSecret({ entropy }: Runtime, id: string): FreshSecret {
  const secret: Secret = { kind: 'akg1', id, bytes: entropy.bytes(SECRET_BYTES) };
  return { secret, verifier: verifierOf(secret) };
}

/**
 * Returns the target of a rotation or revocation, after confirming the actor and its rights.
 *
 * @throws {AgentkeepError} `revision_conflict` or `forbidden`
 */
function endingTarget(
  tx: WriteTx,
  request: InstallationRequest<InputSchemas>,
  id: string,
  expectedRevision: number,
): StoredGlobalCredential {
  const actor = request.confirm(tx);
  const target = findGlobalCredential(tx, id);
  const decision = decideEnding(actor, target, expectedRevision);
  if (decision.type === 'stale') throw new AgentkeepError('revision_conflict');
  if (decision.type === 'forbidden') request.deny('global_credential_admin');
  return decision.target;
}

/** Stores the next revision of a credential, and returns it as it is shown. */
function storeGlobalChange(
  tx: WriteTx,
  request: InstallationRequest<InputSchemas>,
  target: StoredGlobalCredential,
  change: Partial<Pick<StoredGlobalCredential, 'verifier' | 'previous' | 'revokedAtMillis'>>,
  action: GlobalCredentialEvent['action'],
): GlobalCredential {
  const revision = target.revision + 1;
  const next = { ...target, ...change, revision };
  const event = { revision, action, actor_id: request.credential.id, at_millis: request.nowMs };
  updateGlobalCredential(tx, next, event);
  request.record(tx, globalCredentialChanged(target.id, action));
  return showGlobalCredential(tx, next);
}

/** Returns the audit event of a changed credential. */
export function globalCredentialChanged(
  id: string,
  change: GlobalCredentialEvent['action'],
): EventSubject {
  return {
    type: 'configuration_changed',
    action: 'configuration_changed',
    resource: `credential:${id}`,
    result: 'success',
    metadata: { change },
  };
}
