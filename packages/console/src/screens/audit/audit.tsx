/** The screen of the audit log: what happened, newest first. */
import type { JSX } from 'preact';
import { millisOfTime } from '../../parts/local-time.js';
import { Empty, FailureNote, Loading, ProblemNote } from '../../parts/notes.js';
import { Screen } from '../../parts/screen.js';
import { address } from '../../routing/router.js';
import { type Caller, isAdministrator } from '../../session/caller.js';
import { texts } from '../../texts/en/english.js';
import { AuditFilters } from './audit-filters.js';
import { eventResults, eventTypes } from './audit-names.js';
import { EventTable } from './event-table.js';
import { type Filter, useEvents } from './use-events.js';
import { VerifyChain } from './verify-chain.js';

const words = texts.audit;

/** Shows the events that the filters of the address leave. */
export function AuditScreen({ caller }: { readonly caller: Caller }): JSX.Element {
  const { query } = address.value;
  const wrong = wrongTime(query);
  const actions = isAdministrator(caller) ? <VerifyChain caller={caller} /> : undefined;
  return (
    <Screen title={words.title} about={words.about} actions={actions}>
      <AuditFilters />
      {wrong === undefined ? (
        <Events key={query.toString()} filter={filterOf(query)} />
      ) : (
        <ProblemNote problem={texts.noTime(wrong)} />
      )}
    </Screen>
  );
}

/** Returns the label of a time of the address that is none. */
function wrongTime(query: URLSearchParams): string | undefined {
  const isWrong = (name: string): boolean => {
    const text = query.get(name) ?? '';
    return text !== '' && millisOfTime(text) === undefined;
  };
  if (isWrong('since')) return words.from;
  return isWrong('until') ? words.until : undefined;
}

function filterOf(query: URLSearchParams): Filter {
  const text = (name: string): string | undefined => query.get(name) ?? undefined;
  const time = (name: string): number | undefined => millisOfTime(query.get(name) ?? '');
  const all = {
    eventType: eventTypes.find((each) => each === query.get('event')),
    result: eventResults.find((each) => each === query.get('result')),
    username: text('who'),
    action: text('did'),
    resource: text('on'),
    startTime: time('since'),
    endTime: time('until'),
  };
  const stated = Object.entries(all).filter(([, value]) => value !== undefined);
  return Object.fromEntries(stated);
}

function Events({ filter }: { readonly filter: Filter }): JSX.Element {
  const { events, failure, arrived, hasMore, more } = useEvents(filter);
  if (events === undefined) {
    return failure === undefined ? <Loading /> : <FailureNote failure={failure} />;
  }
  return (
    <>
      <p class="soft small" role="status">
        {arrived === 0 ? words.live : words.arrived(arrived)}
      </p>
      {events.length === 0 ? (
        <Empty title={words.empty} text={words.emptyText} />
      ) : (
        <EventTable events={events} />
      )}
      <FailureNote failure={more.failure ?? failure} />
      {hasMore ? (
        <div class="row">
          <button type="button" disabled={more.isRunning} onClick={() => more.run()}>
            {texts.more}
          </button>
        </div>
      ) : undefined}
    </>
  );
}
