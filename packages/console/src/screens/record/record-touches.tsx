/** Who touched a record: each change, by whom, with the way to its events in the audit log. */
import type { MemoryRevision } from '@agentkeep/client';
import type { JSX } from 'preact';
import { localValue, Time } from '../../parts/time.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { type Caller, isAdministrator } from '../../session/caller.js';
import { texts } from '../../texts/en/english.js';
import { type Touch, touchesOf } from './touches.js';

const words = texts.record.touches;
/** The span of the audit log before and after a change: its fields count in minutes. */
const AROUND_MS = 60_000;

/** Shows the changes of the newest revisions, the newest first. */
export function RecordTouches(props: {
  readonly caller: Caller;
  readonly id: string;
  readonly items: readonly MemoryRevision[];
  readonly hasMore: boolean;
}): JSX.Element {
  const { caller, id, items, hasMore } = props;
  return (
    <section class="card" aria-label={words.title}>
      <h2>{words.title}</h2>
      <ol class="plain-list stack-tight small">
        {touchesOf(items).map((touch) => (
          <li key={`${touch.deed} ${String(touch.revision)}`}>
            <strong>{touch.subjectId}</strong> {words.deeds[touch.deed](touch.revision)}{' '}
            <Moment touch={touch} isLinked={isAdministrator(caller)} />
          </li>
        ))}
      </ol>
      {hasMore ? <p class="soft small">{words.newest(items.length)}</p> : undefined}
      {isAdministrator(caller) ? (
        <p class="small">
          <Link to={pathOf('audit', { on: `record:${id}` })}>{words.audit}</Link>
        </p>
      ) : undefined}
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
