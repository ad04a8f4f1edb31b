/** Proposes one command, and shows its receipt; finds what an earlier call with its key did. */
import { inBranch, type Namespace, namespaceOf } from '../../../kernel/access/namespace.js';
import { ensureNamespace } from '../../../kernel/access/namespace-store.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import type { MemoryScope } from '../../../kernel/access/scope.js';
import { originalWith } from '../../../kernel/idempotency/original-of.js';
import type { InputSchemas } from '../../../kernel/input/input-rules.js';
import type { TenantRequest } from '../../../kernel/operation/requests.js';
import { BRANCH_SECONDS_DEFAULT } from '../branch/branch-policy.js';
import { authorOf } from '../documents/author-schema.js';
import { fingerprintOf } from '../documents/normal-form.js';
import type { MemoryChange, Receipt } from '../documents/schema.js';
import { refuseErasedCommand } from '../record/erased-receipt-store.js';
import { findReceipt, insertReceipt, type StoredReceipt } from '../record/receipt-store.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { auditedChange, auditedWaiting } from './audited-change.js';
import { writeOf } from './change-write.js';
import { endedWith, type Outcome, storeWrite } from './memory-write.js';
import { proposalIdOf, proposeChanges, requireReviewable } from './propose-changes.js';
import { requireSources } from './required-sources.js';
import { showReceipt } from './show-receipt.js';
import { differingMembers } from './differing-members.js';

/** A command to propose. */
export interface ProposedCommand {
  readonly idempotency_key: string;
  readonly scope: MemoryScope;
  readonly operation: MemoryChange;
  readonly purpose?: string | null;
  readonly expires_in_seconds?: number;
}

/**
 * Proposes a command.
 *
 * @throws {AgentkeepError} as `proposeChanges()` and the command do
 */
export async function proposeCommand(
  request: TenantRequest<InputSchemas>,
  command: ProposedCommand,
): Promise<Receipt> {
  const { runtime, credential, nowMs } = request;
  const { idempotency_key: idempotencyKey, scope, operation, purpose = null } = command;
  const { expires_in_seconds: seconds = BRANCH_SECONDS_DEFAULT } = command;
  requireReviewable({ scope, operation }, '');
  const outside = namespaceOf(credential, scope);
  const id = proposalIdOf(credential, outside.parts, idempotencyKey);
  const where = { ...scope, branch: id };
  const namespace = namespaceOf(credential, where);
  const { newId } = runtime;
  const author = authorOf(credential);
  const write = writeOf(operation, { namespace, author, idempotencyKey, newId, nowMs });
  const key = { subjectId: credential.spec.subject_id, idempotencyKey };
  const fingerprint = fingerprintOf(operation);
  let ended: readonly Outcome[] = [];
  const { receipt, proposal, isReplay } = await proposeChanges<StoredReceipt>(request, {
    id,
    changes: [{ namespace, operation }],
    purpose,
    seconds,
    find: (tx) => findOriginal(tx, { credential, outside, operation, ...key, nowMs }, fingerprint),
    run: (tx, writer) => {
      request.checkDeferred();
      const change = { namespace, operation, path: 'operation', nowMs };
      const sources = requireSources(tx, writer, change);
      const planned = write(tx);
      const outcome = storeWrite(tx, namespace, planned, sources);
      ended = endedWith(planned);
      const made = { fingerprint, credentialId: credential.id, ...outcome, isProposed: true };
      ensureNamespace(tx, outside);
      insertReceipt(tx, outside, key, made);
      return made;
    },
  });
  request.nameChanges(() => [
    ...[...(isReplay ? [] : ended), receipt].map((each) =>
      auditedChange(proposal === undefined ? scope : where, each, isReplay),
    ),
    ...auditedWaiting(proposal, isReplay),
  ]);
  return showReceipt({ ...key, proposal, nowMs }, receipt);
}

/** A command outside of branches, and its key. */
interface KeyedCommand {
  readonly credential: ActingCredential;
  readonly outside: Namespace;
  readonly operation: MemoryChange;
  readonly subjectId: string;
  readonly idempotencyKey: string;
  readonly nowMs: number;
}

/**
 * Returns the receipt of an earlier call with the key of a command, which took effect or waits.
 *
 * @throws {AgentkeepError} `idempotency_conflict`, `command_erased`
 */
export function findOriginal(
  tx: WriteTx,
  { credential, outside, operation, subjectId, idempotencyKey, nowMs }: KeyedCommand,
  fingerprint: string,
): StoredReceipt | undefined {
  const known = findReceipt(tx, outside, subjectId, idempotencyKey);
  const original = originalWith(known, fingerprint, (first) => {
    const namespace =
      first.isProposed === true
        ? inBranch(outside, proposalIdOf(credential, outside.parts, idempotencyKey))
        : outside;
    return differingMembers(tx, { namespace, operation }, first, nowMs);
  });
  if (original !== undefined) return original;
  const { tenantId, digest } = outside;
  refuseErasedCommand(tx, tenantId, { namespace: digest, subjectId, idempotencyKey });
  return undefined;
}
