/** The screen of the audit log: what happened, newest first. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Empty, FailureNote, Loading } from '../../parts/notes.js';
import { Screen } from '../../parts/screen.js';
import { address } from '../../routing/router.js';
import { useAction, useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en.js';
import { AuditFilters } from './audit-filters.js';
import { type AuditEvent, eventResults, eventTypes } from './audit-names.js';
import { EventTable } from './event-table.js';

const words = texts.audit;
const PAGE = 50;

type Filter = NonNullable<Parameters<Agent['audit']['queryPage']>[0]>;

/** Shows the events that the filters of the address leave. */
export function AuditScreen(): JSX.Element {
  const { query } = address.value;
  return (
    <Screen title={words.title} about={words.about}>
      <AuditFilters />
      <Events key={query.toString()} filter={filterOf(query)} />
    </Screen>
  );
}

function filterOf(query: URLSearchParams): Filter {
  const text = (name: string): string | undefined => query.get(name) ?? undefined;
  const time = (name: string): number | undefined => {
    const millis = new Date(query.get(name) ?? '').getTime();
    return Number.isNaN(millis) ? undefined : millis;
  };
  const all = {
    eventType: eventTypes.find((each) => each === query.get('event')),
    result: eventResults.find((each) => each === query.get('result')),
    username: text('who'),
    action: text('did'),
    startTime: time('since'),
    endTime: time('until'),
    limit: PAGE,
  };
  const stated = Object.entries(all).filter(([, value]) => value !== undefined);
  return Object.fromEntries(stated);
}

function Events({ filter }: { readonly filter: Filter }): JSX.Element {
  const { value, failure } = useLoaded(
    (agent, signal) => agent.audit.queryPage({ ...filter, signal }),
    [],
  );
  const [more, setMore] = useState<readonly AuditEvent[]>([]);
  const [next, setNext] = useState<string | null>();
  const cursor = next === undefined ? (value?.next_cursor ?? null) : next;
  const load = useAction(async (agent) => {
    if (cursor === null) return;
    const page = await agent.audit.queryPage({ ...filter, cursor });
    setMore((before) => [...before, ...page.events]);
    setNext(page.next_cursor);
  });
  if (failure !== undefined) return <FailureNote failure={failure} />;
  if (value === undefined) return <Loading />;
  if (value.events.length === 0) return <Empty title={words.empty} text={words.emptyText} />;
  return (
    <>
      <EventTable events={[...value.events, ...more]} />
      <FailureNote failure={load.failure} />
      {cursor === null ? undefined : (
        <div class="row">
          <button type="button" disabled={load.isRunning} onClick={() => load.run()}>
            {texts.more}
          </button>
        </div>
      )}
    </>
  );
}
