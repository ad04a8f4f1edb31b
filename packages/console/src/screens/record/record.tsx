/** The screen of one record: what it says, where it comes from, and how it came to be. */
import type { MemoryRecord } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useChangeCount } from '../../live/use-changes.js';
import { Empty, FailureNote, Loading } from '../../parts/notes.js';
import { Screen } from '../../parts/screen.js';
import { timeText } from '../../parts/time.js';
import { address } from '../../routing/router.js';
import { memoryOf } from '../../scopes/scope-agent.js';
import { ScopeLink } from '../../scopes/scope-name.js';
import { scopeOfQuery, type ShownScope } from '../../scopes/scope-query.js';
import type { Caller } from '../../session/caller.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { Conflicts } from './conflicts.js';
import { readNewest } from './read-newest.js';
import { RecordChanges } from './record-changes.js';
import { RecordContent } from './record-content.js';
import { RecordFacts } from './record-facts.js';
import { RecordHistory } from './record-history.js';
import { RecordReaders } from './record-readers.js';
import { RecordTouches } from './record-touches.js';
import { RelatedRecords } from './related-records.js';
import { Superseding } from './superseding.js';

const words = texts.record;
const REVISIONS_MAX = 100;

/** Shows the record of the address. */
export function RecordScreen({ caller }: { readonly caller: Caller }): JSX.Element {
  const { query } = address.value;
  const shown = scopeOfQuery(query);
  const id = query.get('id');
  if (shown === undefined || id === null) {
    return (
      <Screen title={words.title}>
        <Empty title={texts.memory.noScope} text={texts.unknown.text} />
      </Screen>
    );
  }
  const at = Number(query.get('at') ?? '');
  const atMillis = Number.isSafeInteger(at) && at > 0 ? at : undefined;
  return <ShownRecord caller={caller} shown={shown} id={id} atMillis={atMillis} />;
}

function ShownRecord(props: {
  readonly caller: Caller;
  readonly shown: ShownScope;
  readonly id: string;
  readonly atMillis: number | undefined;
}): JSX.Element {
  const { caller, shown, id, atMillis } = props;
  const own = caller.credential?.spec.subject_id;
  const changes = useChangeCount(shown.scope);
  const { value: record, failure } = useLoaded(
    (agent, signal) => {
      const memory = memoryOf(agent, shown, own);
      return atMillis === undefined
        ? readNewest(memory, id, { signal })
        : memory.read(id, { asOfMillis: atMillis, signal });
    },
    [JSON.stringify(shown), id, atMillis, changes],
  );
  const history = useLoaded(
    (agent, signal) =>
      memoryOf(agent, shown, own).historyPage(id, { limit: REVISIONS_MAX, signal }),
    [JSON.stringify(shown), id, changes],
  );
  const isGone = failure?.code === 'record_not_found';
  const isUntold = history.failure !== undefined && history.failure.code !== 'record_not_found';
  return (
    <Screen
      title={record?.name ?? words.title}
      above={<ScopeLink {...shown} />}
      about={atMillis === undefined ? undefined : texts.memory.atText(timeText(atMillis))}
      actions={
        atMillis === undefined ? (
          <RecordChanges key={id} caller={caller} shown={shown} record={record} />
        ) : undefined
      }
    >
      {isGone ? <Empty title={words.gone} text={words.goneText} /> : undefined}
      {failure === undefined || isGone ? undefined : <FailureNote failure={failure} />}
      {record === undefined && failure === undefined ? <Loading /> : undefined}
      <div class="record-columns">
        <div class="stack">
          {record === undefined ? undefined : <RecordContent record={record} />}
          {isUntold ? <FailureNote failure={history.failure} /> : undefined}
          {history.value === undefined ? undefined : (
            <RecordHistory caller={caller} shown={shown} id={id} items={history.value.items} />
          )}
        </div>
        <div class="stack">
          {record === undefined ? undefined : (
            <BesideRecord {...{ caller, shown, record, changes }} isNow={atMillis === undefined} />
          )}
          {history.value === undefined ? undefined : (
            <RecordTouches
              caller={caller}
              id={id}
              items={history.value.items}
              hasMore={history.value.next_cursor !== null}
            />
          )}
          {history.value === undefined ? undefined : <RecordReaders {...{ caller, shown, id }} />}
        </div>
      </div>
    </Screen>
  );
}

/** What there is to know about a record, apart from what it says. */
function BesideRecord(props: {
  readonly caller: Caller;
  readonly shown: ShownScope;
  readonly record: MemoryRecord;
  readonly changes: number;
  readonly isNow: boolean;
}): JSX.Element {
  const { isNow, changes, ...about } = props;
  return (
    <>
      <RecordFacts record={about.record} />
      <Superseding {...about} />
      <RelatedRecords {...about} changes={changes} />
      {isNow ? <Conflicts key={about.record.record_id} {...about} /> : undefined}
    </>
  );
}
