/** How many records are selected, and what can be done with them. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ShownScope } from '../scopes/scope-query.js';
import { type Caller, may } from '../session/caller.js';
import { texts } from '../texts/en/english.js';
import type { SelectionDialogProps } from './batch-dialog.js';
import { recordsIn } from './batch-plan.js';
import { NOTHING_SELECTED, SELECTED_MAX } from './selection.js';
import { AddTags, DeleteSelected, RedactSelected, RemoveTag } from './selection-dialogs.js';
import type { ExecutedBatch } from './use-batch.js';
import type { RecordSelection } from './use-selection.js';

const words = texts.selection;

type Way = 'delete' | 'redact' | 'addTags' | 'removeTag';

const dialogs: Readonly<Record<Way, (props: SelectionDialogProps) => JSX.Element>> = {
  addTags: AddTags,
  removeTag: RemoveTag,
  redact: RedactSelected,
  delete: DeleteSelected,
};

/** Shows the bar while something is selected, and afterwards what was done. */
export function SelectionBar(props: {
  readonly caller: Caller;
  readonly shown: ShownScope;
  readonly selection: RecordSelection | undefined;
  readonly onDone: (done: ExecutedBatch) => void;
}): JSX.Element | null {
  const { caller, selection, onDone } = props;
  const [open, setOpen] = useState<Way>();
  const [done, setDone] = useState('');
  if (selection === undefined) return null;
  const { size } = selection.records;
  const Shown = open === undefined ? undefined : dialogs[open];
  const finish = (way: Way, batch: ExecutedBatch): void => {
    const { plan, receipt } = batch;
    setOpen(undefined);
    setDone(receipt.proposal === undefined ? words.done[way](recordsIn(plan)) : texts.record.waits);
    onDone(batch);
  };
  return (
    <>
      <p class="small" role="status">
        {size === 0 ? done : ''}
      </p>
      {size === 0 ? undefined : (
        <div class="selection-bar" role="group" aria-label={words.title}>
          <p role="status">
            <strong>{words.count(size)}</strong> {size < SELECTED_MAX ? '' : words.most}
          </p>
          <div class="row">
            {waysOf(caller).map((way) => (
              <button
                key={way}
                type="button"
                class={way === 'delete' ? 'danger' : ''}
                onClick={() => setOpen(way)}
              >
                {words.ways[way]}
              </button>
            ))}
            <button
              type="button"
              class="plain"
              onClick={() => selection.change(() => NOTHING_SELECTED)}
            >
              {words.clear}
            </button>
          </div>
        </div>
      )}
      {open === undefined || Shown === undefined ? undefined : (
        <Shown
          {...props}
          selection={selection}
          onDone={(batch) => finish(open, batch)}
          onLeave={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

/** A redaction can't be proposed: a review compares what records say now. */
function waysOf(caller: Caller): readonly Way[] {
  const all = Object.keys(dialogs) as Way[];
  return may(caller, 'memory_write') ? all : all.filter((way) => way !== 'redact');
}
