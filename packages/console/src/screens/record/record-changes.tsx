/** The buttons that change a record and delete it, with their dialogs. */
import type { MemoryRecord } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ShownScope } from '../../scopes/scope-query.js';
import { mayChange } from '../../scopes/scope-rights.js';
import type { Caller } from '../../session/caller.js';
import { texts } from '../../texts/en/english.js';
import { RecordForm } from './record-form.js';
import { DeleteRecord } from './record-removal.js';

const words = texts.record;

/** A dialog with the record that the person began with: the page behind it follows changes. */
interface Opened {
  readonly dialog: 'edit' | 'delete';
  readonly record: MemoryRecord;
}

/** Shows the buttons while the record is there. */
export function RecordChanges(props: {
  readonly caller: Caller;
  readonly shown: ShownScope;
  readonly record: MemoryRecord | undefined;
}): JSX.Element | null {
  const { caller, shown, record } = props;
  const [opened, setOpened] = useState<Opened>();
  const given = { caller, shown, onLeave: (): void => setOpened(undefined) };
  if (!mayChange(caller, shown)) return null;
  return (
    <>
      {record === undefined ? undefined : (
        <>
          <button type="button" onClick={() => setOpened({ dialog: 'edit', record })}>
            {words.edit}
          </button>
          <button
            type="button"
            class="danger"
            onClick={() => setOpened({ dialog: 'delete', record })}
          >
            {words.delete}
          </button>
        </>
      )}
      {opened?.dialog === 'edit' ? <RecordForm {...given} record={opened.record} /> : undefined}
      {opened?.dialog === 'delete' ? <DeleteRecord {...given} record={opened.record} /> : undefined}
    </>
  );
}
