/** The screen of proposals: what waits for a person to decide. */
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { proposalCount } from '../../live/changes.js';
import { Empty, FailureNote, Loading } from '../../parts/notes.js';
import { Screen } from '../../parts/screen.js';
import { ageText } from '../../parts/time.js';
import { address, changeQuery } from '../../routing/router.js';
import { scopeText } from '../../scopes/scope-query.js';
import { type Caller, may } from '../../session/caller.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en.js';
import { ProposalDetail } from './proposal-detail.js';
import type { Proposal } from './proposal.js';
import { useChosenProposal } from './use-chosen-proposal.js';
import { useReviewKeys } from './use-review-keys.js';

const words = texts.review;
const states = ['proposed', 'merged', 'rejected'] as const;
const SHOWN_MAX = 100;

/** Shows the proposals of one state, and the one that is chosen. */
export function ReviewScreen({ caller }: { readonly caller: Caller }): JSX.Element {
  const { query } = address.value;
  const state = states.find((each) => each === query.get('state')) ?? 'proposed';
  const { value, failure, isLoading } = useLoaded(
    async (agent, signal) =>
      (await agent.proposals.listPage({ state, limit: SHOWN_MAX, signal })).items,
    [state, proposalCount.value],
  );
  const decided = useRef(new Set<string>());
  const isShown = (it: Proposal): boolean =>
    it.state === state && (state !== 'proposed' || !decided.current.has(it.id));
  const shown = value?.filter(isShown) ?? [];
  const { chosen, choose, leave } = useChosenProposal(shown);
  const mayReview = may(caller, 'memory_review') && state === 'proposed';
  useReviewKeys(shown, chosen, choose);
  const onDecided = (id: string): void => {
    decided.current.add(id);
    leave();
    proposalCount.value += 1;
  };
  return (
    <Screen
      title={words.title}
      about={words.about}
      actions={
        <div class="switch" role="group" aria-label={words.state}>
          {states.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === state}
              onClick={() => changeQuery({ state: each, id: undefined })}
            >
              {words.states[each]}
            </button>
          ))}
        </div>
      }
    >
      {failure === undefined ? undefined : <FailureNote failure={failure} />}
      {value === undefined && failure === undefined ? <Loading /> : undefined}
      {value !== undefined && !isLoading && chosen === undefined ? (
        <Empty title={words.empty} text={words.emptyText} />
      ) : undefined}
      {chosen === undefined ? undefined : (
        <div class="review">
          <div class="stack-tight">
            <ProposalList proposals={shown} chosen={chosen.id} onChoose={choose} />
            {mayReview ? <p class="soft small wide-only">{words.keys}</p> : undefined}
          </div>
          <ProposalDetail
            key={chosen.id}
            caller={caller}
            proposal={chosen}
            isListed={shown.includes(chosen)}
            onDecided={() => onDecided(chosen.id)}
          />
        </div>
      )}
    </Screen>
  );
}

function ProposalList(props: {
  readonly proposals: readonly Proposal[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}): JSX.Element {
  const { proposals, chosen, onChoose } = props;
  return (
    <ul class="choices plain-list" aria-label={words.list}>
      {proposals.map((proposal) => (
        <li key={proposal.id}>
          <button
            type="button"
            aria-current={proposal.id === chosen ? 'true' : undefined}
            onClick={() => onChoose(proposal.id)}
          >
            <strong>{proposal.author.subject_id}</strong>
            <span class="soft small">{ageText(proposal.age_millis)}</span>
            <span class="choice-about soft small">
              {proposal.purpose ?? proposal.scopes.map(scopeText).join(', ')}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
