/**
 * The operations on consumers: they claim, move, release, list and delete one, or read its next
 * page, the same one until it is committed.
 */
import { hmacSha256 } from '../../../contract/digest.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleVersion, inExampleScope } from '../../../contract/example-values.js';
import { textId } from '../../../contract/schema/text.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { isSameScope } from '../../../kernel/access/grant-policy.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { cursorSecret } from '../../../kernel/installation/cursor-secret.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { inputFirstChecks, scopedChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { TenantRequest } from '../../../kernel/operation/requests.js';
import { awaitChanges } from '../changes/await-changes.js';
import { shownPage } from '../changes/list-memory-changes.js';
import { type Found, isEmpty, positionAt, readChanges } from '../changes/read-changes.js';
import { cursorsOf } from '../journal/change-cursor.js';
import { floorOf } from '../journal/change-store.js';
import {
  consumersOf,
  findConsumer,
  hasRoom,
  putConsumer,
  removeConsumer,
  type StoredConsumer,
} from './consumer-store.js';
import {
  consumerAnswer,
  consumerChanged,
  ownerOf,
  refuseAnother,
  requireConsumer,
  requireHeld,
  showConsumer,
} from './held-consumer.js';
import {
  ClaimRequest,
  ConsumerCommitRequest,
  ConsumerPageResponse,
  ConsumerParameters,
  ConsumerReadRequest,
  ConsumerReleaseRequest,
  ConsumerResponse,
  ConsumersResponse,
  DeletedConsumerResponse,
} from './schema.js';

/** A repeat by the same holder renews its lease. */
export const claimConsumer = defineTenantOperation({
  name: 'claimConsumer',
  summary: 'Make a consumer of changes, or take it over once its lease has ended.',
  example: { id: 'nightly', document: { ...inExampleScope, holder: 'worker-1' } },
  tag: 'Memory',
  input: { id: textId(), document: ClaimRequest },
  output: ConsumerResponse,
  requires: {
    capability: 'memory_read',
    scope: ({ document }) => document.scope ?? undefined,
  },
  checks: scopedChecks,
  errors: ['consumer_held', 'consumer_limit', 'idempotency_conflict'],
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { id: name, document } = input;
    const { holder, scope, restart } = document;
    const lease = { holder, untilMillis: nowMs + document.lease_seconds * 1_000 };
    const owner = ownerOf(credential);
    const cursors = await cursorsOf(runtime, credential.tenantId);
    // Positions are read in a snapshot, which a body that writes doesn't have.
    const start = await runtime.store.read((tx) =>
      Uint8Array.from(
        positionAt(document.start, floorOf(tx, owner.tenantId), Uint8Array.from(tx.horizon())),
      ),
    );
    const claimed = await runtime.store.transact((tx): StoredConsumer => {
      request.confirm(tx);
      const found = findConsumer(tx, owner, name);
      refuseAnother(found?.lease ?? null, { holder, nowMs });
      if (found !== undefined && !isSame(found.scope, scope)) {
        const members = [{ path: 'scope', expected: 'the scope of the consumer' }];
        throw new AgentkeepError('idempotency_conflict', { members });
      }
      if (found === undefined && !hasRoom(tx, owner)) throw new AgentkeepError('consumer_limit');
      const made = { name, scope, position: start, createdAtMillis: nowMs };
      const fresh = { ...made, committedAtMillis: null, lease: null, page: null };
      const restarted = found && restart ? { ...found, position: start, page: null } : found;
      const claimedNow = { ...(restarted ?? fresh), lease };
      if (found === undefined) request.record(tx, consumerChanged('created', owner, name));
      else if (restart) request.record(tx, consumerChanged('restarted', owner, name));
      putConsumer(tx, owner, claimedNow);
      return claimedNow;
    });
    return consumerAnswer(claimed, cursors);
  },
});

function isSame(one: StoredConsumer['scope'], other: StoredConsumer['scope']): boolean {
  return one === null || other === null ? one === other : isSameScope(one, other);
}

const FOREIGN_CURSOR = { path: 'cursor', expected: 'a cursor of this feed' };

/** A position that was passed already stays passed, so a repeat changes nothing. */
export const commitConsumer = defineTenantOperation({
  name: 'commitConsumer',
  summary: 'Move a consumer that the caller holds on to a position, and renew its lease.',
  example: {
    id: 'nightly',
    document: {
      ...exampleVersion,
      holder: 'worker-1',
      cursor: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    },
  },
  tag: 'Memory',
  input: { id: textId(), document: ConsumerCommitRequest },
  output: ConsumerResponse,
  requires: { capability: 'memory_read' },
  checks: scopedChecks,
  errors: ['target_not_found', 'consumer_not_held'],
  whenFull: 'served',
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { holder, cursor, lease_seconds } = input.document;
    const owner = ownerOf(credential);
    const cursors = await cursorsOf(runtime, credential.tenantId);
    const lease = { holder, untilMillis: nowMs + lease_seconds * 1_000 };
    const committed = await runtime.store.transact((tx): StoredConsumer => {
      request.confirm(tx);
      const position = Uint8Array.from(cursors.open(cursor, FOREIGN_CURSOR));
      const present = requireHeld(tx, owner, input.id, holder);
      const isFurther = Buffer.compare(position, present.position) > 0;
      const moved = isFurther ? { position, committedAtMillis: nowMs, page: null } : {};
      const committedAtMillis = present.committedAtMillis ?? nowMs;
      const after = { ...present, committedAtMillis, ...moved, lease };
      putConsumer(tx, owner, after);
      return after;
    });
    return consumerAnswer(committed, cursors);
  },
});

/** A holder that doesn't hold it changes nothing. */
export const releaseConsumer = defineTenantOperation({
  name: 'releaseConsumer',
  summary: 'Let another worker claim a consumer at once.',
  example: { id: 'nightly', document: { ...exampleVersion, holder: 'worker-1' } },
  tag: 'Memory',
  input: { id: textId(), document: ConsumerReleaseRequest },
  output: ConsumerResponse,
  requires: { capability: 'memory_read' },
  checks: scopedChecks,
  errors: ['target_not_found'],
  whenFull: 'served',
  handler: async (request) => {
    const { runtime, credential, input } = request;
    const { holder } = input.document;
    const owner = ownerOf(credential);
    const cursors = await cursorsOf(runtime, credential.tenantId);
    const released = await runtime.store.transact((tx): StoredConsumer => {
      request.confirm(tx);
      const present = requireConsumer(tx, owner, input.id);
      if (present.lease?.holder !== holder) return present;
      const after = { ...present, lease: null };
      putConsumer(tx, owner, after);
      return after;
    });
    return consumerAnswer(released, cursors);
  },
});

/** By name. */
export const listConsumers = defineTenantOperation({
  name: 'listConsumers',
  summary: 'List the consumers of changes that the caller has.',
  example: { parameters: exampleVersion },
  command: {
    name: 'memory consumers',
    columns: ['name', 'lease.holder', 'lease.until_millis', 'committed_at_millis'],
  },
  tag: 'Memory',
  effect: 'read',
  input: { parameters: ConsumerParameters },
  output: ConsumersResponse,
  requires: { capability: 'memory_read' },
  checks: scopedChecks,
  handler: async ({ runtime, credential }) => {
    const cursors = await cursorsOf(runtime, credential.tenantId);
    const found = await runtime.store.read((tx) => consumersOf(tx, ownerOf(credential)));
    const consumers = found.map((each) => showConsumer(each, cursors));
    return { contract_version: CONTRACT_VERSION, consumers };
  },
});

/** Its holder notices at its next call. */
export const deleteConsumer = defineTenantOperation({
  name: 'deleteConsumer',
  summary: 'Delete a consumer of changes with its position.',
  example: { id: 'nightly', parameters: exampleVersion },
  command: { name: 'memory delete-consumer' },
  tag: 'Memory',
  input: { id: textId(), parameters: ConsumerParameters },
  output: DeletedConsumerResponse,
  requires: { capability: 'memory_read' },
  checks: inputFirstChecks,
  errors: ['target_not_found'],
  whenFull: 'served',
  handler: async (request) => {
    const { runtime, credential, input } = request;
    const owner = ownerOf(credential);
    await runtime.store.transact((tx) => {
      request.confirm(tx);
      requireConsumer(tx, owner, input.id);
      removeConsumer(tx, owner, input.id);
      request.record(tx, consumerChanged('deleted', owner, input.id));
    });
    return { contract_version: CONTRACT_VERSION, deleted: true as const };
  },
});

/** Characters of a page id: 132 bits. */
const PAGE_ID_CHARS = 22;

const inputs = { id: textId(), document: ConsumerReadRequest };
type Request = TenantRequest<typeof inputs>;

/** Each look reads with the authority of that moment, as the change feed does. */
export const readConsumer = defineTenantOperation({
  name: 'readConsumer',
  summary: 'Read the next changes of a consumer that the caller holds.',
  example: { id: 'nightly', document: { ...exampleVersion, holder: 'worker-1', limit: 50 } },
  tag: 'Memory',
  input: inputs,
  output: ConsumerPageResponse,
  requires: { capability: 'memory_read' },
  checks: scopedChecks,
  errors: ['target_not_found', 'consumer_not_held', 'position_expired', 'too_many_waits'],
  isHeavy: true,
  readsAgain: true,
  whenFull: 'served',
  handler: async (request) => {
    const { runtime, credential, input } = request;
    const { holder } = input.document;
    const owner = ownerOf(credential);
    const consumer = await runtime.store.read((tx) => requireHeld(tx, owner, input.id, holder));
    const secret = await cursorSecret.of(runtime)();
    const cursors = await cursorsOf(runtime, owner.tenantId);
    const found = await pageOf(request, consumer);
    if (consumer.page === null && found.changes.length > 0) {
      await pin(request, consumer, found);
    }
    const place = [owner.tenantId, owner.subjectId, consumer.name];
    const named = JSON.stringify([...place, Buffer.from(consumer.position).toString('hex')]);
    const page_id = hmacSha256(secret)(named, 'base64url').slice(0, PAGE_ID_CHARS);
    return { contract_version: CONTRACT_VERSION, page_id, page: shownPage(found, cursors) };
  },
});

async function pageOf(request: Request, consumer: StoredConsumer): Promise<Found> {
  const { limit, wait_millis: waitMs } = request.input.document;
  const { scope, page, position } = consumer;
  const wanted = scope === null ? undefined : namespaceOf(request.credential, scope);
  if (page !== null) {
    const found = await readChanges(request, position, { limit: page.limit, wanted });
    const changes = found.changes.filter(({ after }) => Buffer.compare(after, page.to) <= 0);
    return { changes, next: page.to, hasMore: true };
  }
  const found = await readChanges(request, position, { limit, wanted });
  if (waitMs === 0 || !isEmpty(found)) return found;
  return awaitChanges(request, found.next, { limit, wanted }, waitMs);
}

/** Keeps the end of a page, so that another worker reads the same one. */
async function pin(request: Request, consumer: StoredConsumer, found: Found): Promise<void> {
  const { runtime, input } = request;
  const { holder, limit } = input.document;
  await runtime.store.transact((tx) => {
    const owner = ownerOf(request.confirm(tx));
    const present = requireHeld(tx, owner, consumer.name, holder);
    const isSame = Buffer.compare(present.position, consumer.position) === 0;
    if (!isSame || present.page !== null) return;
    putConsumer(tx, owner, { ...present, page: { to: Uint8Array.from(found.next), limit } });
  });
}
