/** A button that selects what a list shows. */
import type { MemoryRecord } from '@agentkeep/client';
import type { JSX } from 'preact';
import { texts } from '../texts/en/english.js';
import { SELECTED_MAX, withSelected } from './selection.js';
import type { RecordSelection } from './use-selection.js';

const words = texts.selection;

/** Shows the button, which also says how many there can be. */
export function SelectAll(props: {
  readonly selection: RecordSelection | undefined;
  readonly count: number;
  readonly records: () => readonly MemoryRecord[];
}): JSX.Element | null {
  const { selection, count, records } = props;
  if (selection === undefined) return null;
  return (
    <button
      type="button"
      class="plain small"
      onClick={() => selection.change((before) => withSelected(before, records()))}
    >
      {count > SELECTED_MAX ? words.selectFirst(SELECTED_MAX) : words.selectShown(count)}
    </button>
  );
}
