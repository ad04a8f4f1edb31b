/** The operations that start the erasure of a subject or scope, or of a whole tenant. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { exampleVersion } from '../../contract/example-values.js';
import { textId } from '../../contract/schema/text.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { putErasedSubject } from '../../kernel/erased/erased-subject-store.js';
import { putErasureMark, TENANT_MARK } from '../../kernel/erased/erasure-mark-store.js';
import { noteErasureTurn } from '../../kernel/erased/removal-store.js';
import type { InputSchemas } from '../../kernel/input/input-rules.js';
import {
  defineInstallationOperation,
  defineTenantOperation,
} from '../../kernel/operation/define-operation.js';
import {
  authorityFirstChecks,
  installationChecks,
} from '../../kernel/operation/orders-of-checks.js';
import type { TenantRequest } from '../../kernel/operation/requests.js';
import { INSTALLATION } from '../../storage/store/key.js';
import type { WriteTx } from '../../storage/store/store.js';
import { erasurePlan } from '../../upkeep/erasure/erasure-plan.js';
import { continueErasures } from '../../upkeep/erasure/erasure-worker.js';
import { newErasure } from '../../upkeep/erasure/new-erasure.js';
import {
  ErasureRequest,
  ErasureResponse,
  TenantErasureRequest,
} from '../../upkeep/erasure/schema.js';
import { erasureEvent, showErasure } from '../../upkeep/erasure/show-erasure.js';
import { putErasure } from '../../upkeep/stored/erasure-store.js';
import { targetKeyFrom } from '../../upkeep/stored/target.js';
import { requireMayShutOut } from '../tenancy/credential/administrator-store.js';
import { findCredential } from '../tenancy/credential/credential-store.js';
import { findTenant, removeTenant } from '../tenancy/tenant/tenant-store.js';

/** Decides and answers at once; the work follows in slices, beside everything else. */
export const startErasure = defineTenantOperation({
  name: 'startErasure',
  summary: 'Begin to erase a subject or a scope for good.',
  example: { document: { ...exampleVersion, target: { kind: 'subject', subject_id: 'user-9' } } },
  command: {
    name: 'erasures start',
    examples: [
      `agentkeep erasures start --target '{"kind":"subject","subject_id":"user-1"}' ` +
        '--profile dev-admin',
    ],
  },
  tag: 'Erasure',
  input: { document: ErasureRequest },
  whenFull: 'served',
  output: ErasureResponse,
  requires: { capability: 'credential_admin' },
  confirms: 'revision',
  checks: authorityFirstChecks,
  errors: ['revision_conflict'],
  handler: async (request) => {
    const { runtime, credential: actor, nowMs } = request;
    const { target } = request.input.document;
    const asked = { tenantId: actor.tenantId, target, requestedBy: actor.id, nowMs };
    const erasure = newErasure(runtime, asked);
    const newKey = targetKeyFrom((length) => runtime.entropy.bytes(length));
    await runtime.store.transact((tx) => {
      request.confirm(tx);
      if (target.kind === 'subject') requireMayErase(tx, request, target.subject_id);
      putErasure(tx, erasure);
      noteErasureTurn(tx, erasure.tenantId);
      // Nothing acts for the subject from this commit on. A block of it stays what it was.
      if (target.kind === 'subject') {
        const { tenantId } = erasure;
        putErasedSubject(tx, { tenantId, subjectId: target.subject_id }, newKey);
      }
      request.record(tx, erasureEvent(erasure, 'erasure_requested'));
    });
    continueErasures.of(runtime)();
    return {
      contract_version: CONTRACT_VERSION,
      erasure: showErasure(erasure, erasurePlan.of(runtime)),
    };
  },
});

/** The accounts that act with credentials of a subject go with it. */
function requireMayErase(
  tx: WriteTx,
  request: TenantRequest<InputSchemas>,
  subjectId: string,
): void {
  const { tenantId } = request.credential;
  requireMayShutOut(tx, request, request.principal, ({ credentialId }) => {
    if (credentialId === null) return false;
    return findCredential(tx, tenantId, credentialId)?.spec.subject_id === subjectId;
  });
}

/** The tenant leaves the directory at once; the work follows in slices. */
export const eraseTenant = defineInstallationOperation({
  name: 'eraseTenant',
  summary: 'Begin to erase a tenant for good, with everything that it has.',
  example: { id: 'acme', document: exampleVersion },
  command: {
    name: 'tenants erase',
    examples: ['agentkeep tenants erase acme --profile dev-master'],
  },
  tag: 'Erasure',
  input: { id: textId(), document: TenantErasureRequest },
  output: ErasureResponse,
  requires: 'master',
  checks: installationChecks,
  errors: ['tenant_not_found', 'revision_conflict'],
  handler: async (request) => {
    const { runtime, credential, nowMs } = request;
    const { id } = request.input;
    const target = { kind: 'tenant', tenant_id: id } as const;
    const asked = { tenantId: INSTALLATION, target, requestedBy: credential.id, nowMs };
    const erasure = newErasure(runtime, asked);
    await runtime.store.transact((tx) => {
      request.confirm(tx);
      if (findTenant(tx, id) === undefined) throw new AgentkeepError('tenant_not_found');
      removeTenant(tx, id);
      putErasureMark(tx, erasure.id, id, TENANT_MARK);
      putErasure(tx, erasure);
      request.record(tx, erasureEvent(erasure, 'erasure_requested'));
    });
    continueErasures.of(runtime)();
    return {
      contract_version: CONTRACT_VERSION,
      erasure: showErasure(erasure, erasurePlan.of(runtime)),
    };
  },
});
