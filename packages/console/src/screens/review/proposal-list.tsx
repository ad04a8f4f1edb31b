/** The list of proposals of a state. */
import type { JSX, TargetedKeyboardEvent } from 'preact';
import { Name } from '../../parts/name.js';
import { ageText } from '../../parts/time.js';
import { scopeText } from '../../scopes/scope-query.js';
import { texts } from '../../texts/en/english.js';
import type { Proposal } from './proposal.js';

const words = texts.review;

/** Shows proposals to choose from. */
export function ProposalList(props: {
  readonly proposals: readonly Proposal[];
  readonly chosen: string | undefined;
  readonly hasMore: boolean;
  readonly onChoose: (id: string) => void;
  readonly onMore: () => void;
  readonly onKeyDown: (event: TargetedKeyboardEvent<HTMLElement>) => void;
}): JSX.Element {
  const { proposals, chosen, hasMore, onChoose, onMore, onKeyDown } = props;
  return (
    <>
      <p class="soft small">{words.count(proposals.length, hasMore)}</p>
      {proposals.length === 0 ? undefined : (
        <ul class="choices plain-list" aria-label={words.list} onKeyDown={onKeyDown}>
          {proposals.map((proposal) => (
            <li key={proposal.id}>
              <button
                type="button"
                aria-current={proposal.id === chosen ? 'true' : undefined}
                onClick={() => onChoose(proposal.id)}
              >
                <strong>
                  <Name of={proposal.author.subject_id} />
                </strong>
                <span class="soft small">{ageText(proposal.age_millis)}</span>
                <span class="choice-about soft small">
                  {proposal.purpose ?? proposal.scopes.map(scopeText).join(', ')}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {hasMore ? (
        <button type="button" onClick={onMore}>
          {texts.more}
        </button>
      ) : undefined}
    </>
  );
}
