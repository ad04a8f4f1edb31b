/** The attempts of a scope as a timeline, the newest first. */
import type { JSX } from 'preact';
import { Empty, FailureNote, Loading } from '../../parts/notes.js';
import { pathOf, type Query } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { agentOf } from '../../scopes/scope-agent.js';
import { scopeQuery } from '../../scopes/scope-query.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import type { ScopeProps } from '../memory/scope-props.js';
import { outcomeTag } from './attempt-detail.js';
import { type Attempt, beginningOf, PAGE } from './learning-data.js';
import { Timeline, type TimelineEntry } from './timeline.js';

const words = texts.learning;

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
      <Timeline
        name={words.attempts}
        entries={items.toReversed().map((each) => entryOf(each, scopeQuery(shown)))}
      />
    </>
  );
}

function entryOf({ receipt, outcome, revision }: Attempt, scope: Query): TimelineEntry {
  const { id, context_id: context, reporter_subject_id: reporter } = receipt.request;
  return {
    key: id,
    title: <Link to={pathOf('learning', { ...scope, attempt: id })}>{id}</Link>,
    tag: outcomeTag(outcome),
    atMs: receipt.recorded_at_millis,
    about: [context, words.reporter(reporter), words.observations(revision - 1)],
  };
}
