/** The box that selects a record, and the keys that do it. */
import type { MemoryRecord } from '@agentkeep/client';
import type { ComponentChildren, JSX, TargetedKeyboardEvent } from 'preact';
import { texts } from '../texts/en/english.js';
import { SELECTED_MAX, toggled } from './selection.js';
import type { RecordSelection } from './use-selection.js';

/** Shows a record with its box. Shift selects all from the one that was chosen before. */
export function SelectableRecord(props: {
  readonly record: MemoryRecord;
  readonly rows: () => readonly MemoryRecord[];
  readonly selection: RecordSelection | undefined;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { record, rows, selection, children } = props;
  if (selection === undefined) return <>{children}</>;
  const { record_id: id, payload } = record;
  const isSelected = selection.records.has(id);
  const toggle = (isRange: boolean): void => {
    selection.change((before) => toggled(before, rows(), { record, isRange }));
  };
  return (
    <div
      class="selectable"
      data-selected={isSelected}
      onKeyDown={(event) => {
        if (event.key !== ' ' || !(event.target instanceof HTMLAnchorElement)) return;
        event.preventDefault();
        toggle(event.shiftKey);
      }}
    >
      <label class="select-box">
        <input
          type="checkbox"
          checked={isSelected}
          disabled={!isSelected && selection.records.size >= SELECTED_MAX}
          aria-label={texts.selection.select(payload.content.primary || texts.memory.noText)}
          onClick={(event) => {
            toggle(event.shiftKey);
            // A range ends where nothing more can be selected, perhaps before this one.
            event.currentTarget.checked = selection.has(id);
          }}
        />
      </label>
      {children}
    </div>
  );
}

/** Moves the focus to the same place in the row above or below, and with Escape to the bar. */
export function moveInRows(event: TargetedKeyboardEvent<HTMLElement>): void {
  const { target, key } = event;
  if (key === 'Escape') document.querySelector<HTMLElement>('.selection-bar button')?.focus();
  if ((key !== 'ArrowDown' && key !== 'ArrowUp') || !(target instanceof HTMLElement)) return;
  const row = target.closest('li');
  const next = key === 'ArrowDown' ? row?.nextElementSibling : row?.previousElementSibling;
  const same = next?.querySelector<HTMLElement>(target instanceof HTMLInputElement ? 'input' : 'a');
  if (same === undefined || same === null) return;
  event.preventDefault();
  same.focus();
}
