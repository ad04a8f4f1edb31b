/** The form that makes or changes a record. */
import type { MemoryRecord } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog, LeaveButton } from '../../parts/dialog.js';
import { textsOf } from '../../parts/field.js';
import { FailureNote, ProblemNote } from '../../parts/notes.js';
import { go } from '../../routing/router.js';
import { memoryOf } from '../../scopes/scope-agent.js';
import type { ShownScope } from '../../scopes/scope-query.js';
import type { Caller } from '../../session/caller.js';
import { isRefusal } from '../../session/refusals.js';
import { useAction } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { ChangeWaits } from './change-waits.js';
import { storeRecord } from './change-record.js';
import { recordOfForm } from './form-record.js';
import { RecordConflict } from './record-conflict.js';
import { RecordFields } from './record-fields.js';
import { recordPath } from './record-path.js';

const words = texts.record;

/** Shows the form in a dialog, empty or with a record. */
export function RecordForm(props: {
  readonly caller: Caller;
  readonly shown: ShownScope;
  readonly record: MemoryRecord | undefined;
  readonly onLeave: () => void;
}): JSX.Element {
  const { caller, shown, record, onLeave } = props;
  const [theirs, setTheirs] = useState<MemoryRecord>();
  const [problem, setProblem] = useState<string>();
  const [waits, setWaits] = useState(false);
  const act = useAction(async (agent, sent: Record<string, string>) => {
    const form = recordOfForm(sent, record);
    setProblem(form.problem);
    if (form.problem !== undefined) return;
    const stored = { base: theirs ?? record, record: form.input, name: sent['name'] };
    try {
      const receipt = await storeRecord(agent, props, stored);
      if (receipt.proposal !== undefined) setWaits(true);
      else if (record === undefined) go(recordPath(shown, receipt));
      else onLeave();
    } catch (error) {
      if (record === undefined || !isRefusal(error, 'revision_conflict')) throw error;
      const memory = memoryOf(agent, shown, caller.credential?.spec.subject_id);
      setTheirs(await memory.read(record.record_id));
    }
  });
  if (waits) return <ChangeWaits onLeave={onLeave} />;
  const title = record === undefined ? words.newTitle : words.editTitle;
  return (
    <Dialog key="form" title={title} onLeave={onLeave}>
      <form class="stack" onSubmit={(event) => act.run(textsOf(event))}>
        {record !== undefined && theirs !== undefined ? (
          <RecordConflict title={words.conflict} began={record} theirs={theirs} />
        ) : undefined}
        <RecordFields record={record} />
        <ProblemNote problem={problem} />
        <FailureNote failure={act.failure} />
        <div class="row">
          <button class="main" type="submit" disabled={act.isRunning}>
            {theirs === undefined ? texts.save : words.keepMine}
          </button>
          {theirs === undefined ? (
            <LeaveButton text={texts.cancel} onLeave={onLeave} />
          ) : (
            <button type="button" onClick={onLeave}>
              {words.takeTheirs}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
