/** Records of the scope that may contradict one, for a person to judge. */
import type { MemoryRecord } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { FailureNote, Loading } from '../../parts/notes.js';
import { Time } from '../../parts/time.js';
import { Link } from '../../routing/link.js';
import { memoryOf } from '../../scopes/scope-agent.js';
import type { ScopedMemory } from '../../scopes/scoped-memory.js';
import type { ShownScope } from '../../scopes/scope-query.js';
import { mayChange } from '../../scopes/scope-rights.js';
import type { Caller } from '../../session/caller.js';
import { useAction, useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { supersedeRecord } from './change-record.js';
import { recordPath } from './record-path.js';
import { titleOf } from './record-title.js';

const words = texts.conflicts;

type Conflict = Awaited<ReturnType<ScopedMemory['conflicts']>>[number];

interface ConflictProps {
  readonly caller: Caller;
  readonly shown: ShownScope;
  readonly record: MemoryRecord;
}

/** Looks for them when a person asks. */
export function Conflicts(props: ConflictProps): JSX.Element {
  const [isAsked, setAsked] = useState(false);
  const [done, setDone] = useState('');
  return (
    <section class="card" aria-label={words.title}>
      <div>
        <h2>{words.title}</h2>
        <p class="soft">{words.about}</p>
      </div>
      <p role="status">{done}</p>
      {isAsked ? (
        <Found {...props} onDone={setDone} />
      ) : (
        <div class="row">
          <button type="button" onClick={() => setAsked(true)}>
            {words.look}
          </button>
        </div>
      )}
    </section>
  );
}

function Found(props: ConflictProps & { readonly onDone: (text: string) => void }): JSX.Element {
  const { caller, shown, record, onDone } = props;
  const [count, setCount] = useState(0);
  const own = caller.credential?.spec.subject_id;
  const { value, failure } = useLoaded(
    (agent, signal) => memoryOf(agent, shown, own).conflicts(record, { signal }),
    [JSON.stringify(shown), record.record_id, record.revision, count],
  );
  const act = useAction(async (agent, kept: MemoryRecord, ended: MemoryRecord) => {
    const { proposal } = await supersedeRecord(agent, { caller, shown }, { kept, ended });
    setCount(count + 1);
    onDone(proposal === undefined ? words.done(titleOf(ended)) : texts.record.waits);
  });
  if (value === undefined) {
    return failure === undefined ? <Loading /> : <FailureNote failure={failure} />;
  }
  return (
    <>
      <FailureNote failure={act.failure} />
      <p role="status" class={value.length === 0 ? undefined : 'only-read'}>
        {value.length === 0 ? words.none : words.found(value.length)}
      </p>
      <ul class="plain-list stack">
        {value.map((conflict) => (
          <ConflictItem
            key={conflict.record.record_id}
            shown={shown}
            conflict={conflict}
            isBusy={act.isRunning}
            onKeep={
              mayChange(caller, shown)
                ? (isThis) =>
                    isThis ? act.run(record, conflict.record) : act.run(conflict.record, record)
                : undefined
            }
          />
        ))}
      </ul>
    </>
  );
}

function ConflictItem(props: {
  readonly shown: ShownScope;
  readonly conflict: Conflict;
  readonly isBusy: boolean;
  /** Keeps the record of the page, or the other one; absent for who may not change them. */
  readonly onKeep: ((isThis: boolean) => void) | undefined;
}): JSX.Element {
  const { shown, isBusy, onKeep } = props;
  const { record, overlap, terms } = props.conflict;
  const title = titleOf(record);
  return (
    <li class="stack-tight">
      <Link to={recordPath(shown, record)} dir="auto">
        {title}
      </Link>
      <p class="soft small">
        {words.shares(overlap, terms.map(({ text }) => text).join(', '))}{' '}
        <Time millis={record.modified_at_millis} />
      </p>
      {onKeep === undefined ? undefined : (
        <div class="row">
          <button
            type="button"
            disabled={isBusy}
            aria-label={words.keepThisName(title)}
            onClick={() => onKeep(true)}
          >
            {words.keepThis}
          </button>
          <button
            type="button"
            disabled={isBusy}
            aria-label={words.keepOtherName(title)}
            onClick={() => onKeep(false)}
          >
            {words.keepOther}
          </button>
        </div>
      )}
    </li>
  );
}
