/** A hook that keeps the proposal that a person looks at. */
import { useEffect, useRef } from 'preact/hooks';
import { address, changeQuery } from '../../routing/router.js';
import type { Proposal } from './proposal.js';

/** The proposal that is looked at, and ways to another one. */
interface ChosenProposal {
  readonly chosen: Proposal | undefined;
  readonly choose: (id: string) => void;
  /** Goes on to the first one. */
  readonly leave: () => void;
}

/**
 * Returns the proposal that the address names, or else the first one, which the address then names.
 * One that leaves the list, because somebody else decided it, stays until the person goes on. So
 * no person decides about a proposal that took the place of the one that was read.
 */
export function useChosenProposal(proposals: readonly Proposal[]): ChosenProposal {
  const kept = useRef<Proposal>(undefined);
  const named = address.value.query.get('id') ?? undefined;
  const isKept = named !== undefined && kept.current?.id === named;
  const chosen = proposals.find(({ id }) => id === named) ?? (isKept ? kept.current : proposals[0]);
  kept.current = chosen;
  const id = chosen?.id;
  useEffect(() => {
    if (id !== undefined && id !== named) changeQuery({ id });
  }, [id, named]);
  return {
    chosen,
    choose: (other) => changeQuery({ id: other }),
    leave: () => changeQuery({ id: undefined }),
  };
}
