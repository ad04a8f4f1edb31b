/** Who touched a record: each change, by whom, with the way to its events. */
import type { JSX } from 'preact';
import { FailureNote } from '../../parts/notes.js';
import { localValue, Time } from '../../parts/time.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { memoryOf } from '../../scopes/scope-agent.js';
import type { ShownScope } from '../../scopes/scope-query.js';
import { type Caller, isAdministrator } from '../../session/caller.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en.js';
import { type Touch, touchesOf } from './touches.js';

const words = texts.record.touches;
const REVISIONS_MAX = 100;
/** The span of the audit log before and after a change: its fields count in minutes. */
const AROUND_MS = 60_000;

/** Shows the changes of the newest revisions, the newest first. */
export function RecordTouches(props: {
  readonly caller: Caller;
  readonly shown: ShownScope;
  readonly id: string;
  readonly changes: number;
}): JSX.Element | null {
  const { caller, shown, id, changes } = props;
  const own = caller.credential?.spec.subject_id;
  const { value, failure } = useLoaded(
    (agent, signal) =>
      memoryOf(agent, shown, own).historyPage(id, { limit: REVISIONS_MAX, signal }),
    [JSON.stringify(shown), id, changes],
  );
  if (failure !== undefined) {
    return failure.code === 'record_not_found' ? null : <FailureNote failure={failure} />;
  }
  if (value === undefined) return null;
  return (
    <section class="card" aria-label={words.title}>
      <h2>{words.title}</h2>
      <ol class="plain-list stack-tight small">
        {touchesOf(value.items).map((touch) => (
          <li key={`${touch.deed} ${String(touch.revision)}`}>
            <strong>{touch.subjectId}</strong> {words.deeds[touch.deed](touch.revision)}{' '}
            <Moment touch={touch} isLinked={isAdministrator(caller)} />
          </li>
        ))}
      </ol>
      {value.next_cursor === null ? undefined : (
        <p class="soft small">{words.newest(REVISIONS_MAX)}</p>
      )}
    </section>
  );
}

/** When it was, which leads administrators to what the audit log has of that moment. */
function Moment(props: { readonly touch: Touch; readonly isLinked: boolean }): JSX.Element {
  const { atMillis } = props.touch;
  const time = <Time millis={atMillis} />;
  if (!props.isLinked) return time;
  const since = localValue(atMillis - AROUND_MS);
  const until = localValue(atMillis + AROUND_MS);
  return <Link to={pathOf('audit', { event: 'access_granted', since, until })}>{time}</Link>;
}
