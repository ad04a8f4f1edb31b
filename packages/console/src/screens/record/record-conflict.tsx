/** Says that a record was changed behind a dialog, and how. */
import type { MemoryRecord } from '@agentkeep/client';
import type { JSX } from 'preact';
import { RecordDifference } from '../../differences/difference-view.js';
import { texts } from '../../texts/en/english.js';

const words = texts.record;

/** Shows who changed the record, and what differs from what the person began with. */
export function RecordConflict(props: {
  readonly title: string;
  readonly began: MemoryRecord;
  readonly theirs: MemoryRecord;
}): JSX.Element {
  const { title, began, theirs } = props;
  return (
    <div class="note warned" role="alert">
      <h3>{title}</h3>
      <p>{words.conflictText(theirs.revision, theirs.author.subject_id)}</p>
      <RecordDifference before={began} after={theirs} same={words.nothingChanged} />
    </div>
  );
}
