/** Who read a record, where reads are counted. */
import type { JSX } from 'preact';
import { Time } from '../../parts/time.js';
import { memoryOf } from '../../scopes/scope-agent.js';
import type { ShownScope } from '../../scopes/scope-query.js';
import { type Caller, may } from '../../session/caller.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';

const words = texts.record.touches;
const READERS_MAX = 100;

/** Shows the readers to who administers credentials, and those of private memory to its subject. */
export function RecordReaders(props: {
  readonly caller: Caller;
  readonly shown: ShownScope;
  readonly id: string;
}): JSX.Element | undefined {
  const { caller, shown, id } = props;
  const own = caller.credential?.spec.subject_id;
  const mayAsk = shown.scope.visibility === 'private' || may(caller, 'credential_admin');
  // A refusal shows nothing: it is a part of the page that others don't have.
  const { value: page } = useLoaded(
    (agent, signal) =>
      mayAsk
        ? memoryOf(agent, shown, own).readersPage(id, { limit: READERS_MAX, signal })
        : Promise.resolve(undefined),
    [JSON.stringify(shown), id],
  );
  if (page === undefined || page.read_days === 0) return undefined;
  const { items, read_days: days, next_cursor: next } = page;
  return (
    <section class="card" aria-label={words.readBy}>
      <h2>{words.readBy}</h2>
      {items.length === 0 ? <p class="soft small">{words.unread(days)}</p> : undefined}
      <ul class="plain-list stack-tight small">
        {items.map(({ subject_id: reader, reads, last_at_millis: last }) => (
          <li key={reader}>
            <strong>{reader}</strong> {words.reads(reads)} <Time millis={last} />
          </li>
        ))}
      </ul>
      {next === null ? undefined : <p class="soft small">{words.moreReaders}</p>}
    </section>
  );
}
