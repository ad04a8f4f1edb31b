/** A hook that keeps the proposal that a person looks at. */
import { useEffect, useRef } from 'preact/hooks';
import { proposalCount } from '../../live/changes.js';
import { address, changeQuery } from '../../routing/router.js';
import type { Failure } from '../../session/refusals.js';
import { useLoaded } from '../../session/use-loaded.js';
import type { Proposal } from './proposal.js';

/** The proposal that is looked at, and ways to another one. */
interface ChosenProposal {
  readonly chosen: Proposal | undefined;
  /** Whether the server has no proposal with the id of the address: it ended, or never was. */
  readonly isMissing: boolean;
  readonly failure: Failure | undefined;
  readonly choose: (id: string) => void;
  /** Goes on to the first one. */
  readonly leave: () => void;
}

/**
 * Returns the proposal that the address names, in whatever state it is; without a name the first of
 * the list, which the address then names. One that leaves the list, because somebody else decided
 * it, stays until the person goes on. So no person decides about a proposal that took the place of
 * the one that was read or linked to.
 */
export function useChosenProposal(
  proposals: readonly Proposal[],
  isListLoaded: boolean,
): ChosenProposal {
  const kept = useRef<Proposal>(undefined);
  const named = address.value.query.get('id') ?? undefined;
  const listed = proposals.find(({ id }) => id === named);
  const isUnlisted = isListLoaded && named !== undefined && listed === undefined;
  const { value, failure } = useLoaded(
    async (agent, signal) => {
      if (!isUnlisted) return undefined;
      const { items } = await agent.proposals.listPage({ id: named, signal });
      return { id: named, found: items[0] };
    },
    [isUnlisted, named, proposalCount.value],
  );
  const looked = value?.id === named ? value : undefined;
  const before = named !== undefined && kept.current?.id === named ? kept.current : undefined;
  const first = named === undefined ? proposals[0] : undefined;
  const chosen = listed ?? looked?.found ?? before ?? first;
  kept.current = chosen;
  const id = chosen?.id;
  useEffect(() => {
    if (id !== undefined && named === undefined) changeQuery({ id });
  }, [id, named]);
  return {
    chosen,
    isMissing: looked !== undefined && looked.found === undefined && listed === undefined,
    failure: isUnlisted ? failure : undefined,
    choose: (other) => changeQuery({ id: other }),
    leave: () => changeQuery({ id: undefined }),
  };
}
