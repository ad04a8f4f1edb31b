/** The revisions of a record, each as its difference from the one before. */
import type { MemoryRevision } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { RecordDifference } from '../../differences/difference-view.js';
import type { RecordState } from '../../differences/record-difference.js';
import { FailureNote } from '../../parts/notes.js';
import { Time } from '../../parts/time.js';
import { memoryOf } from '../../scopes/scope-agent.js';
import type { ShownScope } from '../../scopes/scope-query.js';
import { type Caller, may } from '../../session/caller.js';
import { useAction } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { RedactRevision } from './record-removal.js';

const words = texts.record;
const STEP = 25;

/** A record with its newest revisions, and who looks at it. */
interface HistoryProps {
  readonly caller: Caller;
  readonly shown: ShownScope;
  readonly id: string;
  readonly items: readonly MemoryRevision[];
}

/** Shows the revisions, the newest first, and at the beginning a few of them. */
export function RecordHistory(props: HistoryProps): JSX.Element {
  const { items } = props;
  const [limit, setLimit] = useState(STEP);
  return (
    <section class="card" aria-label={words.history}>
      <h2>{words.history}</h2>
      <ol class="history plain-list">
        {items.slice(0, limit).map((revision, at) => (
          <Revision
            key={revision.revision}
            {...props}
            revision={revision}
            before={items[at + 1]}
            current={items[0]}
          />
        ))}
      </ol>
      {items.length <= limit ? undefined : (
        <div class="row">
          <button type="button" onClick={() => setLimit(items.length)}>
            {texts.more}
          </button>
        </div>
      )}
    </section>
  );
}

interface RevisionProps extends HistoryProps {
  readonly revision: MemoryRevision;
  readonly before: MemoryRevision | undefined;
  readonly current: MemoryRevision | undefined;
}

function Revision(props: RevisionProps): JSX.Element {
  const { revision, before, current } = props;
  const isCurrent = revision.superseded_at_millis === null;
  return (
    <li>
      <div class="history-head">
        <h3>{words.revisions(revision.revision)}</h3>
        {isCurrent ? <span class="tag good">{words.isCurrent}</span> : undefined}
        <span class="soft small">
          <Time millis={revision.modified_at_millis} /> {words.by(revision.author.subject_id)}
        </span>
        {isCurrent || current === undefined || revision.payload === null ? undefined : (
          <OldRevision {...props} current={current} />
        )}
      </div>
      <Difference revision={revision} before={before} />
    </li>
  );
}

function Difference({ revision, before }: Pick<RevisionProps, 'revision' | 'before'>): JSX.Element {
  if (revision.redacted !== null) return <p class="soft">{words.wasRedacted}</p>;
  const after = stateOf(revision);
  if (after === undefined) return <p class="soft">{words.wasDeleted}</p>;
  if (before === undefined) return <p class="soft">{words.first}</p>;
  return <RecordDifference before={stateOf(before)} after={after} same={words.nothingChanged} />;
}

function stateOf({ payload, name }: MemoryRevision): RecordState | undefined {
  return payload === null ? undefined : { payload, name };
}

/** What can be done with an old revision. */
function OldRevision(
  props: RevisionProps & { readonly current: MemoryRevision },
): JSX.Element | null {
  const { caller, shown, id, revision, current } = props;
  const [isRedacting, setRedacting] = useState(false);
  const own = caller.credential?.spec.subject_id;
  const restore = useAction(async (agent) => {
    const target = { recordId: id, revision: revision.revision };
    const expected = { ...target, expectedRevision: current.revision };
    await memoryOf(agent, shown, own).restore(expected);
  });
  if (!may(caller, 'memory_write')) return null;
  return (
    <span class="row small">
      <button type="button" class="plain" onClick={() => restore.run()}>
        {words.restore}
      </button>
      <button type="button" class="plain" onClick={() => setRedacting(true)}>
        {words.redact}
      </button>
      <FailureNote failure={restore.failure} />
      {isRedacting ? <RedactRevision {...props} onLeave={() => setRedacting(false)} /> : undefined}
    </span>
  );
}
