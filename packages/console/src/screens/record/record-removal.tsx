/** Dialogs that delete a record, or take the content of an old revision away. */
import type { MemoryRecord } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Confirm } from '../../parts/confirm.js';
import { pathOf } from '../../routing/address.js';
import { go } from '../../routing/router.js';
import { memoryOf } from '../../scopes/scope-agent.js';
import { scopeQuery, type ShownScope } from '../../scopes/scope-query.js';
import { type Caller, may } from '../../session/caller.js';
import { isRefusal } from '../../session/refusals.js';
import { useAction } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { deleteRecord } from './change-record.js';
import { ChangeWaits } from './change-waits.js';
import { RecordConflict } from './record-conflict.js';

const words = texts.record;

interface RemovalProps {
  readonly caller: Caller;
  readonly shown: ShownScope;
  readonly onLeave: () => void;
}

/** Asks whether to delete a record, and with what was derived from it. */
export function DeleteRecord(props: RemovalProps & { readonly record: MemoryRecord }): JSX.Element {
  const { caller, shown, record, onLeave } = props;
  const [cascades, setCascades] = useState(false);
  const [theirs, setTheirs] = useState<MemoryRecord>();
  const [waits, setWaits] = useState(false);
  const act = useAction(async (agent) => {
    try {
      const receipt = await deleteRecord(agent, props, { record: theirs ?? record, cascades });
      if (receipt.proposal === undefined) go(pathOf('scope', scopeQuery(shown)));
      else setWaits(true);
    } catch (error) {
      if (!isRefusal(error, 'revision_conflict')) throw error;
      const memory = memoryOf(agent, shown, caller.credential?.spec.subject_id);
      setTheirs(await memory.read(record.record_id));
    }
  });
  if (waits) return <ChangeWaits onLeave={onLeave} />;
  const verb = theirs === undefined ? words.delete : words.deleteChanged;
  return (
    <Confirm key="ask" {...{ title: words.deleteTitle, verb, act, onLeave }}>
      {theirs === undefined ? undefined : (
        <RecordConflict title={words.deleteConflict} began={record} theirs={theirs} />
      )}
      <p>{words.deleteText}</p>
      {may(caller, 'memory_write') ? (
        <label class="check">
          <input
            type="checkbox"
            checked={cascades}
            onChange={(event) => setCascades(event.currentTarget.checked)}
          />
          {words.cascade}
        </label>
      ) : undefined}
    </Confirm>
  );
}

/** Asks whether to take the content of an old revision away for good. */
export function RedactRevision(
  props: RemovalProps & { readonly id: string; readonly revision: { readonly revision: number } },
): JSX.Element {
  const { caller, shown, id: recordId, onLeave } = props;
  const { revision } = props.revision;
  const act = useAction(async (agent) => {
    const own = caller.credential?.spec.subject_id;
    await memoryOf(agent, shown, own).redact({ recordId, revision });
    onLeave();
  });
  return (
    <Confirm {...{ title: words.redactTitle(revision), verb: words.redact, act, onLeave }}>
      <p>{words.redactText}</p>
    </Confirm>
  );
}
