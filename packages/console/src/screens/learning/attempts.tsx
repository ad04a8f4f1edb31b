/** The attempts of a scope as a timeline, the newest first. */
import type { JSX } from 'preact';
import { Empty, FailureNote, Loading } from '../../parts/notes.js';
import { Time } from '../../parts/time.js';
import { agentOf } from '../../scopes/scope-agent.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en.js';
import type { ScopeProps } from '../memory/scope-props.js';
import { type Attempt, beginningOf, PAGE } from './learning-data.js';

const words = texts.learning;

const looks = { succeeded: 'good', failed: 'bad', cancelled: 'warned', unknown: '' } as const;

/** Shows them. */
export function Attempts({ caller, shown }: ScopeProps): JSX.Element {
  const { value, failure } = useLoaded(
    (agent, signal) => {
      const { experiences } = agentOf(agent, shown, caller.credential?.spec.subject_id);
      const list = experiences.list(shown.scope, { limit: PAGE, signal });
      return beginningOf(list, ({ receipt }) => receipt.recorded_at_millis);
    },
    [JSON.stringify(shown)],
  );
  if (failure !== undefined) return <FailureNote failure={failure} />;
  if (value === undefined) return <Loading />;
  const { items, hasMore } = value;
  if (items.length === 0) return <Empty title={words.noAttempts} text={words.noAttemptsText} />;
  return (
    <>
      {hasMore ? <p class="note">{words.partOfAttempts(items.length)}</p> : undefined}
      <ol class="history plain-list" aria-label={words.attempts}>
        {items.toReversed().map((each) => (
          <li key={each.receipt.request.id}>
            <AttemptEntry attempt={each} />
          </li>
        ))}
      </ol>
    </>
  );
}

function AttemptEntry({ attempt }: { readonly attempt: Attempt }): JSX.Element {
  const { receipt, outcome, revision } = attempt;
  const { id, context_id: context, reporter_subject_id: reporter } = receipt.request;
  return (
    <>
      <div class="history-head">
        <strong>{id}</strong>
        <span class={`tag ${outcome === null ? '' : looks[outcome]}`}>
          {outcome === null ? words.open : words.outcomes[outcome]}
        </span>
        <span class="soft small">
          <Time millis={receipt.recorded_at_millis} />
        </span>
      </div>
      <p class="soft small">
        {context} · {words.reporter(reporter)} · {words.observations(revision - 1)}
      </p>
    </>
  );
}
