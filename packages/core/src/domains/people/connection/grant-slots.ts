/**
 * Bounds what waits at the authorization server, by account, by tenant and in all. Each of these
 * owners numbers what it leaves; a new entry takes the slot of the one that is too many numbers
 * behind it, so nothing is counted.
 */
import { sha256 } from '../../../contract/digest.js';
import { defineFamily, indexOf } from '../../../storage/store/family.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import { tupleLayout } from '../../../storage/store/fields.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';

/** The newest entries of a kind that wait, for each owner. */
export const WAITING_GRANTS_MAX = { account: 16, tenant: 1_024, all: 4_096 } as const;

/** The account that left an entry. */
export interface WaitingOwner {
  /** Tenant id, or `INSTALLATION`. */
  readonly authority: string;
  readonly accountId: string;
}

/** Where an entry waits: the digest of an owner as base64url, and its number there. */
export type GrantSlot = readonly [owner: string, position: number];

/**
 * Installation: requests and approvals that wait, by the digest of whose they are and in order.
 * Values are the digest of the entry in base64url, and the position again.
 */
export const grantSlots = defineFamily({
  name: 'grantSlots',
  number: 69,
  key: ['digest', 'integer'],
  layout: tupleLayout<readonly [string, number]>(1),
  sealedBy: null,
  owner: 'value',
  exported: 'derived',
  erased: 'expires',
  counts: null,
  derived: indexOf({ name: 'grantEntries' }),
});

/** An entry that is about to wait. */
interface Arrival {
  readonly kind: string;
  /** As base64url. */
  readonly digest: string;
  readonly owner: WaitingOwner;
}

/**
 * Gives an entry its slots. Calls `leave` with the digest of each entry that gives way, which has
 * to be removed with its slots.
 */
export function takeSlots(
  tx: WriteTx,
  { kind, digest, owner }: Arrival,
  leave: (oldest: string) => void,
): GrantSlot[] {
  return ownersOf(kind, owner).map(([name, max]) => {
    const span = { prefix: [name] as [Uint8Array], reverse: true, limit: 1 };
    const [newest] = grantSlots.values(tx, INSTALLATION, span);
    const position = (newest?.[1] ?? 0) + 1;
    const [oldest] = grantSlots.get(tx, INSTALLATION, name, Math.max(0, position - max)) ?? [];
    if (oldest !== undefined) leave(oldest);
    grantSlots.put(tx, [digest, position], INSTALLATION, name, position);
    return [Buffer.from(name).toString('base64url'), position];
  });
}

/** Leaves slots. */
export function leaveSlots(tx: WriteTx, left: readonly GrantSlot[]): void {
  for (const [owner, position] of left) {
    tx.remove(grantSlots.keyOf(INSTALLATION, Buffer.from(owner, 'base64url'), position));
  }
}

/** Returns the digests of the entries of an account that wait. */
export function digestsOfOwner(
  tx: ReadTx,
  kind: string,
  { authority, accountId }: WaitingOwner,
): string[] {
  const prefix: [Uint8Array] = [ownerDigest(kind, authority, accountId)];
  const rows = grantSlots.values(tx, INSTALLATION, { prefix, limit: WAITING_GRANTS_MAX.account });
  return rows.map(([digest]) => digest);
}

function ownersOf(
  kind: string,
  { authority, accountId }: WaitingOwner,
): readonly (readonly [Uint8Array, number])[] {
  return [
    [ownerDigest(kind, authority, accountId), WAITING_GRANTS_MAX.account],
    [ownerDigest(kind, authority), WAITING_GRANTS_MAX.tenant],
    [ownerDigest(kind), WAITING_GRANTS_MAX.all],
  ];
}

function ownerDigest(kind: string, ...owner: readonly string[]): Uint8Array {
  return sha256(JSON.stringify(['agentkeep grant slot 1', kind, ...owner]));
}
