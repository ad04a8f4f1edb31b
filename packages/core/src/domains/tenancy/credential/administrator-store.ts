/**
 * The accounts with rights over others, by the credential that they act with. Who can't manage one
 * of them can't take a way in from it either (docs/contract/users.md#usr-53).
 */
import { missingRight } from '../../../kernel/access/authorize.js';
import { keyOfAuthority, type Principal } from '../../../kernel/access/principal.js';
import { defineFamily, indexOf } from '../../../storage/store/family.js';
import { jsonLayout } from '../../../storage/store/fields.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';

/** Most administrators that one change is judged against. */
const ADMINISTRATORS_MAX = 256;

/** An account that isn't disabled for good and that a role alone can't manage. */
export interface Administrator {
  readonly id: string;
  readonly roles: readonly string[];
  readonly credentialId: string | null;
}

/** Accounts with rights over others: the credential that they act with, or an empty text; id. */
export const administrators = defineFamily({
  name: 'administrators',
  number: 104,
  key: ['text', 'uuid'],
  layout: jsonLayout<Administrator>(1),
  sealedBy: null,
  owner: 'value',
  accountIn: ({ id }: Administrator) => id,
  exported: 'derived',
  erased: 'derived',
  counts: null,
  derived: indexOf({ name: 'accounts' }),
});

/** Stores or replaces what is known of an administrator. */
export function putAdministrator(tx: WriteTx, authority: string, stated: Administrator): void {
  administrators.put(tx, stated, authority, stated.credentialId ?? '', stated.id);
}

/** Removes an administrator. */
export function removeAdministrator(
  tx: WriteTx,
  authority: string,
  { credentialId, id }: Pick<Administrator, 'credentialId' | 'id'>,
): void {
  tx.remove(administrators.keyOf(authority, credentialId ?? '', id));
}

/** A call that may shut administrators out. */
interface Refusing {
  /** Tenant part of the keys of the accounts. */
  readonly authority: string;
  deny(right: string): never;
}

/**
 * Refuses a caller that can't manage an account, other than itself, from which a change takes a way
 * in. Beyond {@link ADMINISTRATORS_MAX} administrators it needs the right to manage all.
 *
 * @throws {AgentkeepError} `forbidden`
 */
export function requireMayShutOut(
  tx: ReadTx,
  call: Refusing,
  caller: Principal,
  isShutOut: (account: Administrator) => boolean,
): void {
  const limit = ADMINISTRATORS_MAX + 1;
  const known = administrators.values(tx, call.authority, { prefix: [], limit });
  const lost = known.length < limit ? known.filter(isShutOut) : known;
  refuseFirst(call, caller, lost);
}

function refuseFirst(call: Refusing, caller: Principal, lost: readonly Administrator[]): void {
  const manager = { role: caller.role, isCredential: caller.kind === 'credential' };
  for (const { id, roles } of lost) {
    const isOwn = caller.id === id && keyOfAuthority(caller.authority) === call.authority;
    const right = isOwn ? undefined : missingRight(manager, { roles, isPrivileged: true });
    if (right !== undefined) call.deny(right);
  }
}
