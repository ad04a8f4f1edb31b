/** Says because of which record a batch was refused, and what can be done about it. */
import type { JSX } from 'preact';
import { RecordDifference } from '../differences/difference-view.js';
import { Link } from '../routing/link.js';
import type { ShownScope } from '../scopes/scope-query.js';
import { recordPath } from '../screens/record/record-path.js';
import { texts } from '../texts/en/english.js';
import { withNewer, withoutSelected } from './selection.js';
import type { BatchConflict } from './use-batch.js';
import type { RecordSelection } from './use-selection.js';

const words = texts.selection;

/** Shows the record, what happened to it, and ways on. */
export function ConflictNote(props: {
  readonly shown: ShownScope;
  readonly selection: RecordSelection;
  readonly conflict: BatchConflict;
}): JSX.Element {
  const { shown, selection, conflict } = props;
  const { kind, seen, now } = conflict;
  const { name, payload, record_id: id } = seen;
  return (
    <div class="note warned" role="alert">
      <h3>{words.nothingDone}</h3>
      <p>{words.conflicts[kind](now?.author.subject_id ?? '')}</p>
      <p class="conflict-record" dir="auto">
        {name === undefined ? undefined : <code>{name}</code>}{' '}
        {payload.content.primary || texts.memory.noText}
      </p>
      {kind === 'changed' ? (
        <RecordDifference before={seen} after={now} same={texts.record.nothingChanged} />
      ) : undefined}
      <div class="row">
        {now === undefined ? undefined : <Link to={recordPath(shown, seen)}>{words.look}</Link>}
        <button
          type="button"
          onClick={() => selection.change((before) => withoutSelected(before, [id]))}
        >
          {words.takeOut}
        </button>
        {now !== undefined && kind === 'changed' ? (
          <button
            type="button"
            onClick={() => selection.change((before) => withNewer(before, now))}
          >
            {words.takeNewer}
          </button>
        ) : undefined}
      </div>
    </div>
  );
}
