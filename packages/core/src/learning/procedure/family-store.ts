/**
 * Families in the store: the candidates of a namespace that share a policy and a context and are
 * admitted together. An entry holds what the others need to know of a candidate.
 */
import { boolean, number, text } from '../../storage/store/fields.js';
import { keyspace } from '../../storage/store/keyspace.js';
import { fieldsLayout } from '../../storage/store/layouts.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import type { FamilyMember } from '../evidence/family-policy.js';
import type { SelectionRange } from './selection-store.js';

const memberLayout = fieldsLayout(1, { id: text, wealth: number, isAccepted: boolean });

const members = new Subspace(keyspace.learningFamilies, memberLayout);

/** The subspace of families, by its name in the key space. */
export const learningFamilySubspaces = { learningFamilies: members };

/** Returns the candidates of a family, in the order of their ids. */
export function membersOf(tx: ReadTx, range: SelectionRange): FamilyMember[] {
  const span = { prefix: prefixOf(range) };
  return Array.from(members.rows(tx, range.namespace.tenantId, span), ({ value }) => value);
}

/** Stores a candidate of a family. */
export function putMember(tx: WriteTx, range: SelectionRange, member: FamilyMember): void {
  members.put(tx, member, range.namespace.tenantId, ...prefixOf(range), member.id);
}

function prefixOf({ namespace, basis }: SelectionRange): [Uint8Array, Uint8Array] {
  return [namespace.digest, Buffer.from(basis, 'hex')];
}
