/** Dialogs that delete a record, or take the content of an old revision away. */
import type { MemoryRecord } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Confirm } from '../../parts/confirm.js';
import { pathOf } from '../../routing/address.js';
import { go } from '../../routing/router.js';
import { memoryOf } from '../../scopes/scope-agent.js';
import { scopeQuery, type ShownScope } from '../../scopes/scope-query.js';
import type { Caller } from '../../session/caller.js';
import { useAction } from '../../session/use-loaded.js';
import { texts } from '../../texts/en.js';

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
  const act = useAction(async (agent) => {
    const memory = memoryOf(agent, shown, caller.credential?.spec.subject_id);
    const { record_id: recordId, revision: expectedRevision } = record;
    const options = cascades ? ({ dependents: 'cascade' } as const) : {};
    const receipt = await memory.delete({ recordId, expectedRevision }, options);
    if (cascades && receipt.proposal === undefined) {
      const dependents = memory.dependents(receipt);
      while ((await dependents.next()).done !== true);
    }
    go(pathOf('scope', scopeQuery(shown)));
  });
  return (
    <Confirm {...{ title: words.deleteTitle, verb: words.delete, act, onLeave }}>
      <p>{words.deleteText}</p>
      <label class="check">
        <input
          type="checkbox"
          checked={cascades}
          onChange={(event) => setCascades(event.currentTarget.checked)}
        />
        {words.cascade}
      </label>
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
