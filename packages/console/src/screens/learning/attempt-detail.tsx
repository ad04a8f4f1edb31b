/** One attempt: what it is about, and what was observed of it, the newest first. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { agentOf } from '../../scopes/scope-agent.js';
import { scopeQuery } from '../../scopes/scope-query.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import type { ScopeProps } from '../memory/scope-props.js';
import { DetailFrame } from './detail-frame.js';
import { Facts } from './facts.js';
import { type Attempt, beginningOf, HISTORY_PAGE } from './learning-data.js';
import { EventTimeline, outcomeLooks, type TimelineEntry, tookTexts } from './timeline.js';

const { learning, timelines: words } = texts;

type Observation = Awaited<ReturnType<Agent['experiences']['observe']>>;

/** Returns the tag of an outcome, which is open before the first observation. */
export function outcomeTag(outcome: Attempt['outcome']): NonNullable<TimelineEntry['tag']> {
  if (outcome === null) return { text: learning.open, look: '' };
  return { text: learning.outcomes[outcome], look: outcomeLooks[outcome] };
}

/** Shows an attempt. */
export function AttemptDetail(props: ScopeProps & { readonly id: string }): JSX.Element {
  const { caller, shown, id } = props;
  const loaded = useLoaded(
    async (asked, signal) => {
      const { experiences } = agentOf(asked, shown, caller.credential?.spec.subject_id);
      const history = experiences.history(shown.scope, id, { limit: HISTORY_PAGE, signal });
      const [attempt, observations] = await Promise.all([
        experiences.read(shown.scope, id, { signal }),
        beginningOf(history, ({ record }) => record.revision),
      ]);
      return { attempt, observations };
    },
    [JSON.stringify(shown), id],
  );
  const above = { to: { ...scopeQuery(shown), show: 'attempts' }, text: words.allAttempts };
  return (
    <DetailFrame
      title={id}
      above={above}
      loaded={loaded}
      about={({ attempt }) => {
        const { text, look } = outcomeTag(attempt.outcome);
        return <span class={`tag ${look}`}>{text}</span>;
      }}
    >
      {({ attempt, observations: { items, hasMore } }) => (
        <>
          <AttemptFacts attempt={attempt} />
          <EventTimeline
            hasMore={hasMore}
            entries={[...items.map(observed).toReversed(), registered(attempt)]}
          />
        </>
      )}
    </DetailFrame>
  );
}

function AttemptFacts({ attempt }: { readonly attempt: Attempt }): JSX.Element {
  const { receipt, reported_cost_units: cost, reported_latency_ms: latency } = attempt;
  const { context_id, reporter_subject_id, accounting_unit, input, parent } = receipt.request;
  const took = tookTexts(cost, latency);
  return (
    <Facts
      title={words.attempt}
      facts={[
        [words.context, context_id],
        [words.reporter, reporter_subject_id],
        [words.unit, accounting_unit],
        [words.input, input.reference],
        ...(parent === null
          ? []
          : [[words.follows, words.followed(parent.event_id, parent.attempt_id)] as const]),
        [words.totals, took.length === 0 ? texts.none : took.join(', ')],
      ]}
    />
  );
}

function observed({ command, actor, recorded_at_millis: atMs }: Observation): TimelineEntry {
  return {
    key: `event ${command.event_id}`,
    title: command.event_id,
    tag: outcomeTag(command.outcome),
    atMs,
    about: [
      words.by(actor.subject_id),
      ...tookTexts(command.cost_units, command.latency_ms),
      words.evidence(command.evidence.reference),
    ],
  };
}

function registered({ receipt }: Attempt): TimelineEntry {
  return {
    key: 'registered',
    title: words.registered,
    atMs: receipt.recorded_at_millis,
    about: [words.by(receipt.actor.subject_id)],
  };
}
