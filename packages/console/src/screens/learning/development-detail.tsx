/** One development of a tool: what it is about, and what happened to it, the newest first. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { agentOf } from '../../scopes/scope-agent.js';
import { scopeQuery } from '../../scopes/scope-query.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import type { ScopeProps } from '../memory/scope-props.js';
import { DetailFrame } from './detail-frame.js';
import { Facts } from './facts.js';
import { beginningOf, PAGE } from './learning-data.js';
import { EventTimeline, outcomeLooks, type TimelineEntry, tookTexts } from './timeline.js';

const { learning, timelines: words } = texts;

type Development = Awaited<ReturnType<Agent['tools']['readDevelopment']>>;
type DevelopmentEvent = Awaited<ReturnType<Agent['tools']['readDevelopmentEvent']>>;

/** Shows a state of a development. */
export function DevelopmentState({ state }: Pick<Development, 'state'>): JSX.Element {
  return <span class={`tag ${outcomeLooks[state]}`}>{words.states[state]}</span>;
}

/** Shows a development. */
export function DevelopmentDetail(props: ScopeProps & { readonly id: string }): JSX.Element {
  const { caller, shown, id } = props;
  const loaded = useLoaded(
    async (asked, signal) => {
      const { tools } = agentOf(asked, shown, caller.credential?.spec.subject_id);
      const list = tools.developmentEvents(shown.scope, id, { limit: PAGE, signal });
      const [development, events] = await Promise.all([
        tools.readDevelopment(shown.scope, id, { signal }),
        beginningOf(list, ({ record }) => record.revision),
      ]);
      return { development, events };
    },
    [JSON.stringify(shown), id],
  );
  const above = { to: { ...scopeQuery(shown), show: 'tools' }, text: words.allDevelopments };
  return (
    <DetailFrame
      title={id}
      above={above}
      loaded={loaded}
      about={({ development }) => <DevelopmentState state={development.state} />}
    >
      {({ development, events: { items, hasMore } }) => (
        <>
          <DevelopmentFacts development={development} />
          <EventTimeline
            hasMore={hasMore}
            entries={[...items.map(entryOf).toReversed(), requested(development)]}
          />
        </>
      )}
    </DetailFrame>
  );
}

function DevelopmentFacts({ development }: { readonly development: Development }): JSX.Element {
  const { receipt, artifact_id: made, cost_units: cost, latency_ms: latency } = development;
  const { objective, executor_id: executor } = receipt.request;
  const took = tookTexts(cost, latency);
  return (
    <Facts
      title={words.development}
      facts={[
        [learning.objective, objective],
        [learning.executor, executor],
        [words.tool, made ?? texts.none],
        [words.totals, took.length === 0 ? texts.none : took.join(', ')],
      ]}
    />
  );
}

function entryOf({ command, actor, record, recorded_at_millis: atMs }: DevelopmentEvent) {
  const { action } = command;
  const said =
    action.type === 'request_cancellation'
      ? [action.reason]
      : [
          ...tookTexts(action.report.cost_units, action.report.latency_ms),
          words.evidence(action.report.evidence_ref),
          ...(action.report.detail === null ? [] : [action.report.detail]),
        ];
  return {
    key: `event ${command.event_id}`,
    title: command.event_id,
    tag: { text: words.states[record.state], look: outcomeLooks[record.state] },
    atMs,
    about: [words.by(actor.subject_id), words.reasons[record.reason], ...said],
  };
}

function requested({ receipt }: Development): TimelineEntry {
  return {
    key: 'requested',
    title: words.requested,
    atMs: receipt.recorded_at_millis,
    about: [words.by(receipt.actor.subject_id)],
  };
}
