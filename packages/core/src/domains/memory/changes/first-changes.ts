/** The first changes of records and of proposals, in their common order. */
import { afterPosition } from '../../../storage/store/position.js';
import type { VisibleChange } from './visible-changes.js';
import type { VisibleProposal } from './visible-proposals.js';

/** A change, and where a page after it starts. */
export interface FoundChange extends VisibleChange {
  readonly after: Uint8Array;
}

/** What happened to a proposal, and where a page after it starts. */
export interface FoundProposal extends VisibleProposal {
  readonly after: Uint8Array;
}

/** Some changes. */
export interface FirstChanges {
  readonly changes: readonly FoundChange[];
  readonly proposals: readonly FoundProposal[];
  /** Where a page after the last of them starts; `undefined` for none. */
  readonly last: Uint8Array | undefined;
  /** Whether some were left out. */
  readonly isCut: boolean;
}

/** Returns the first changes of both kinds. */
export function firstOf(
  changes: readonly VisibleChange[],
  proposals: readonly VisibleProposal[],
  limit: number,
): FirstChanges {
  const all = [...changes, ...proposals].map(({ position }) => position);
  const end = all.sort((one, other) => Buffer.compare(one, other))[limit];
  const isFirst = ({ position }: Pick<VisibleChange, 'position'>): boolean =>
    end === undefined || Buffer.compare(position, end) < 0;
  const last = all.slice(0, limit).at(-1);
  return {
    changes: changes.filter(isFirst).map(withAfter),
    proposals: proposals.filter(isFirst).map(withAfter),
    last: last === undefined ? undefined : afterPosition(last),
    isCut: end !== undefined,
  };
}

function withAfter<C extends Pick<VisibleChange, 'position'>>(change: C) {
  return { ...change, after: afterPosition(change.position) };
}
