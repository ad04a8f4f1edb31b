/**
 * Families in the store: the candidates of a namespace that share a policy and a context and are
 * admitted together. An entry holds what the others need to know of a candidate.
 */
import { boolean, fieldsLayout, number, text } from '../../../storage/store/fields.js';
import { defineFamily, indexOf } from '../../../storage/store/family.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { FamilyMember } from '../evidence/family-policy.js';
import type { SelectionRange } from './selection-store.js';

const memberLayout = fieldsLayout(1, { id: text, wealth: number, isAccepted: boolean });

/** Candidates that are admitted together: namespace, digest of policy and context, id. */
export const candidateFamilies = defineFamily({
  name: 'learningFamilies',
  number: 47,
  key: ['digest', 'digest', 'text'],
  layout: memberLayout,
  sealedBy: 'namespace',
  owner: 'scope',
  exported: { line: 'candidate' },
  erased: 'derived',
  counts: null,
  derived: indexOf({ name: 'learningProcedures' }),
});

/** Returns the candidates of a family, in the order of their ids. */
export function membersOf(tx: ReadTx, range: SelectionRange): FamilyMember[] {
  const span = { prefix: prefixOf(range) };
  return Array.from(
    candidateFamilies.rows(tx, range.namespace.tenantId, span),
    ({ value }) => value,
  );
}

/** Stores a candidate of a family. */
export function putMember(tx: WriteTx, range: SelectionRange, member: FamilyMember): void {
  candidateFamilies.put(tx, member, range.namespace.tenantId, ...prefixOf(range), member.id);
}

function prefixOf({ namespace, basis }: SelectionRange): [Uint8Array, Uint8Array] {
  return [namespace.digest, Buffer.from(basis, 'hex')];
}
