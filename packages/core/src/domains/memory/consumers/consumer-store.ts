/** Stores consumers, within their bounds. */
import type { Scope } from '../../../kernel/access/scope.js';
import { defineFamily } from '../../../storage/store/family.js';
import {
  coded,
  fieldsLayout,
  json,
  nested,
  number,
  orNull,
  text,
} from '../../../storage/store/fields.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { Lease } from '../journal/lease-policy.js';

/** A page that was read and is not committed: it is read again with the same changes. */
interface PinnedPage {
  /** The position before which it ends. */
  readonly to: Uint8Array;
  readonly limit: number;
}

/** A consumer. */
export interface StoredConsumer {
  readonly name: string;
  readonly scope: Scope | null;
  readonly position: Uint8Array;
  readonly createdAtMillis: number;
  readonly committedAtMillis: number | null;
  readonly lease: Lease | null;
  readonly page: PinnedPage | null;
}

const position = coded<Uint8Array, string>(
  (bytes) => Buffer.from(bytes).toString('base64url'),
  (stored) => Uint8Array.from(Buffer.from(stored, 'base64url')),
);

/** Positions in the change feed that subjects keep: subject, name. */
export const memoryConsumers = defineFamily({
  name: 'memoryConsumers',
  number: 95,
  key: ['text', 'text'],
  layout: fieldsLayout<StoredConsumer>(1, {
    name: text,
    scope: json<Scope | null>(),
    position,
    createdAtMillis: number,
    committedAtMillis: orNull(number),
    lease: orNull(nested<Lease>({ holder: text, untilMillis: number })),
    page: orNull(nested<PinnedPage>({ to: position, limit: number })),
  }),
  sealedBy: 'tenant',
  owner: 'subject',
  exported: { not: 'working' },
  erased: 'removed',
  counts: null,
});

/** Whose consumer it is. */
export interface ConsumerOwner {
  readonly tenantId: string;
  readonly subjectId: string;
}

/** Returns a consumer, or `undefined`. */
export function findConsumer(
  tx: ReadTx,
  { tenantId, subjectId }: ConsumerOwner,
  name: string,
): StoredConsumer | undefined {
  return memoryConsumers.get(tx, tenantId, subjectId, name);
}

/** Stores a consumer. */
export function putConsumer(
  tx: WriteTx,
  { tenantId, subjectId }: ConsumerOwner,
  consumer: StoredConsumer,
): void {
  memoryConsumers.put(tx, consumer, tenantId, subjectId, consumer.name);
}

/** Removes a consumer. */
export function removeConsumer(
  tx: WriteTx,
  { tenantId, subjectId }: ConsumerOwner,
  name: string,
): void {
  tx.remove(memoryConsumers.keyOf(tenantId, subjectId, name));
}

/** Returns the consumers of a subject, by name. */
export function consumersOf(
  tx: ReadTx,
  { tenantId, subjectId }: ConsumerOwner,
): readonly StoredConsumer[] {
  return memoryConsumers.values(tx, tenantId, {
    prefix: [subjectId],
    limit: CONSUMERS_OF_SUBJECT_MAX,
  });
}

/** Returns the positions of all consumers of a tenant: each has committed what lies before. */
export function positionsOf(tx: ReadTx, tenantId: string): readonly Uint8Array[] {
  const all = memoryConsumers.values(tx, tenantId, { prefix: [], limit: CONSUMERS_OF_TENANT_MAX });
  return all.map(({ position }) => position);
}

/** Returns whether a subject may have another consumer. */
export function hasRoom(tx: ReadTx, owner: ConsumerOwner): boolean {
  const limit = CONSUMERS_OF_TENANT_MAX;
  const all = memoryConsumers.entriesFrom(tx, owner.tenantId, { from: undefined, limit });
  return (
    consumersOf(tx, owner).length < CONSUMERS_OF_SUBJECT_MAX &&
    Array.from(all, () => null).length < CONSUMERS_OF_TENANT_MAX
  );
}

/** Most consumers of a subject. */
export const CONSUMERS_OF_SUBJECT_MAX = 32;
/** Most consumers of a tenant. */
export const CONSUMERS_OF_TENANT_MAX = 256;
/** Longest lease, in seconds. */
export const LEASE_SECONDS_MAX = 3_600;
/** A lease that states no length, in seconds. */
export const LEASE_SECONDS_DEFAULT = 60;
