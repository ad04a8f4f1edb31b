/** The screen of proposals: what waits for a person to decide, and what was decided. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { proposalCount } from '../../live/changes.js';
import { Empty, FailureNote, Loading } from '../../parts/notes.js';
import { Screen } from '../../parts/screen.js';
import { address, changeQuery } from '../../routing/router.js';
import { type Caller, may } from '../../session/caller.js';
import { useWalk } from '../../session/use-walk.js';
import { texts } from '../../texts/en/english.js';
import { hiddenProposals } from './decisions.js';
import { ProposalDetail } from './proposal-detail.js';
import { ProposalList } from './proposal-list.js';
import type { Proposal } from './proposal.js';
import { useChosenProposal } from './use-chosen-proposal.js';
import { reviewKeys, useReviewKeys } from './use-review-keys.js';

const words = texts.review;
const states = ['proposed', 'merged', 'rejected'] as const;
const STEP = 100;

/** Shows the proposals of one state, and the one that is chosen. */
export function ReviewScreen({ caller }: { readonly caller: Caller }): JSX.Element {
  const { query } = address.value;
  const state = states.find((each) => each === query.get('state')) ?? 'proposed';
  const walked = useWalk(
    (agent, signal) => agent.proposals.list({ state, limit: STEP, signal }),
    [state, proposalCount.value],
  );
  const { items, failure } = walked;
  const isShown = (it: Proposal): boolean =>
    it.state === state && !(state === 'proposed' && hiddenProposals.value.has(it.id));
  const shown = items?.filter(isShown) ?? [];
  const { chosen, choose, leave, ...looked } = useChosenProposal(shown, items !== undefined);
  const mayReview = may(caller, 'memory_review') && state === 'proposed';
  const press = useReviewKeys(shown, chosen, choose);
  const focusList = useFocusAfterDecision(chosen?.id);
  const onDecided = (): void => {
    focusList();
    leave();
  };
  const isEmpty = items !== undefined && !walked.isLoading && chosen === undefined;
  return (
    <Screen title={words.title} about={words.about} actions={<States state={state} />}>
      {failure === undefined ? undefined : <FailureNote failure={failure} />}
      {looked.failure === undefined ? undefined : <FailureNote failure={looked.failure} />}
      {items === undefined && failure === undefined ? <Loading /> : undefined}
      {isEmpty && looked.isMissing ? (
        <Empty title={words.missingTitle} text={words.missing} />
      ) : undefined}
      {isEmpty && !looked.isMissing && shown.length === 0 ? (
        <Empty title={words.empty[state]} text={words.emptyText} />
      ) : undefined}
      {chosen === undefined && shown.length === 0 ? undefined : (
        <div class="review">
          <div class="stack-tight">
            <ProposalList
              proposals={shown}
              chosen={chosen?.id}
              hasMore={walked.hasMore}
              onChoose={choose}
              onMore={walked.more}
              onKeyDown={press}
            />
            {mayReview ? <KeySetting /> : undefined}
          </div>
          {chosen === undefined ? undefined : (
            <ProposalDetail
              key={chosen.id}
              caller={caller}
              proposal={chosen}
              isMissing={looked.isMissing}
              onDecided={onDecided}
            />
          )}
        </div>
      )}
    </Screen>
  );
}

function States({ state }: { readonly state: (typeof states)[number] }): JSX.Element {
  return (
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
  );
}

/** Turns single keys on and off, for those whose voice or hand would press them by accident. */
function KeySetting(): JSX.Element {
  const { value, set } = reviewKeys;
  return (
    <label class="check small">
      <input
        type="checkbox"
        checked={value.value}
        onChange={(event) => set(event.currentTarget.checked)}
      />
      {words.keys}
    </label>
  );
}

/** Returns a function that moves the focus to the next proposal, or to the screen without one. */
function useFocusAfterDecision(chosen: string | undefined): () => void {
  const isDue = useRef(false);
  useEffect(() => {
    if (!isDue.current) return;
    isDue.current = false;
    const next = document.querySelector<HTMLElement>('.choices [aria-current]');
    (next ?? document.getElementById('content'))?.focus();
  }, [chosen]);
  return () => {
    isDue.current = true;
  };
}
