/** A dialog that says what a batch is going to do, and does it. */
import type { ComponentChildren, JSX } from 'preact';
import { Dialog, LeaveButton } from '../parts/dialog.js';
import { FormEnd } from '../parts/form-end.js';
import type { ShownScope } from '../scopes/scope-query.js';
import type { Caller } from '../session/caller.js';
import { texts } from '../texts/en/english.js';
import { type BatchPlan, problemOf } from './batch-plan.js';
import { ConflictNote } from './conflict-note.js';
import { NOTHING_SELECTED } from './selection.js';
import { type ExecutedBatch, useBatch } from './use-batch.js';
import type { RecordSelection } from './use-selection.js';

const words = texts.selection;

/** What the dialogs of a selection are given. */
export interface SelectionDialogProps {
  readonly caller: Caller;
  readonly shown: ShownScope;
  readonly selection: RecordSelection;
  readonly onDone: (done: ExecutedBatch) => void;
  readonly onLeave: () => void;
}

/** Shows the dialog. Without a plan, it can only be left. */
export function BatchDialog(
  props: SelectionDialogProps & {
    readonly title: string;
    readonly verb: string;
    readonly look: 'main' | 'danger';
    readonly plan: BatchPlan | undefined;
    readonly children: ComponentChildren;
  },
): JSX.Element {
  const { shown, selection, title, plan, children, onDone, onLeave } = props;
  const { act, conflict } = useBatch(props, (done) => {
    selection.change(() => NOTHING_SELECTED);
    onDone(done);
  });
  // What was taken out, or is selected as it is now, is no conflict any more.
  const id = conflict?.seen.record_id ?? '';
  const stands = conflict !== undefined && selection.records.get(id) === conflict.seen;
  const problem = plan === undefined ? undefined : problemOf(plan, shown.scope);
  const isPossible = plan !== undefined && problem === undefined && !stands;
  return (
    <Dialog title={title} onLeave={onLeave}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isPossible) act.run(plan);
        }}
      >
        {stands ? <ConflictNote {...{ shown, selection, conflict }} /> : undefined}
        {children}
        {problem === undefined || stands ? undefined : (
          <p class="note warned" role="status">
            {words.problems[problem]}
          </p>
        )}
        {isPossible ? (
          <FormEnd {...props} act={act} />
        ) : (
          <div class="row">
            <LeaveButton text={texts.cancel} onLeave={onLeave} />
          </div>
        )}
      </form>
    </Dialog>
  );
}
