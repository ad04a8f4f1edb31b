/** The dialogs that delete the selected records, redact earlier revisions, and change tags. */
import type { MemoryRecord } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { ChoiceField, Field } from '../parts/field.js';
import { FailureNote, Loading } from '../parts/notes.js';
import { memoryOf } from '../scopes/scope-agent.js';
import { tagsOf } from '../screens/memory/search-filter.js';
import { useLoaded } from '../session/use-loaded.js';
import { texts } from '../texts/en/english.js';
import { BatchDialog, type SelectionDialogProps } from './batch-dialog.js';
import { deletionsOf, recordsIn, redactionsOf, tagAdditions, tagRemovals } from './batch-plan.js';
import { findEarlierRevisions } from './earlier-revisions.js';
import { SELECTED_MAX } from './selection.js';

const words = texts.selection;

/** Asks whether to delete the selected records. */
export function DeleteSelected(props: SelectionDialogProps): JSX.Element {
  const { records } = props.selection;
  const plan = useMemo(() => deletionsOf(records.values()), [records]);
  const title = words.deleteTitle(records.size);
  return (
    <BatchDialog {...props} {...{ title, verb: texts.record.delete, look: 'danger', plan }}>
      <p>{words.deleteText}</p>
    </BatchDialog>
  );
}

/** Finds the earlier revisions of the selected records, and asks whether to redact them. */
export function RedactSelected(props: SelectionDialogProps): JSX.Element {
  const { caller, shown, selection } = props;
  const { records } = selection;
  const { value, failure } = useLoaded(
    (agent, signal) => {
      const memory = memoryOf(agent, shown, caller.credential?.spec.subject_id);
      return findEarlierRevisions(memory, [...records.values()], { most: SELECTED_MAX, signal });
    },
    [records],
  );
  const plan = useMemo(() => value && redactionsOf(value), [value]);
  const title = words.redactTitle(records.size);
  return (
    <BatchDialog {...props} {...{ title, verb: texts.record.redact, look: 'danger', plan }}>
      <p>{words.redactText}</p>
      {plan === undefined && failure === undefined ? <Loading /> : undefined}
      {plan === undefined || plan.length === 0 || plan.length > SELECTED_MAX ? undefined : (
        <p role="status">{words.redactCount(plan.length, recordsIn(plan))}</p>
      )}
      <FailureNote failure={failure} />
    </BatchDialog>
  );
}

/** Asks for tags, and gives them to the selected records. */
export function AddTags(props: SelectionDialogProps): JSX.Element {
  const { records } = props.selection;
  const [text, setText] = useState('');
  const plan = useMemo(() => {
    const tags = tagsOf(text);
    return tags.length === 0 ? undefined : tagAdditions(records.values(), tags);
  }, [records, text]);
  const title = words.addTitle(records.size);
  return (
    <BatchDialog {...props} {...{ title, verb: words.addVerb, look: 'main', plan }}>
      <Field
        label={texts.memory.tags}
        field={(id) => (
          <input
            id={id}
            autocomplete="off"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
      />
      {plan === undefined ? undefined : <Affected count={plan.length} of={records.size} />}
    </BatchDialog>
  );
}

/** Asks for one of the tags of the selected records, and takes it from them. */
export function RemoveTag(props: SelectionDialogProps): JSX.Element {
  const { records } = props.selection;
  const counts = useMemo(() => countedTags(records.values()), [records]);
  const [chosen, setChosen] = useState<string>();
  const tag = chosen !== undefined && counts.has(chosen) ? chosen : [...counts.keys()][0];
  const plan = useMemo(
    () => (tag === undefined ? [] : tagRemovals(records.values(), tag)),
    [records, tag],
  );
  const title = words.removeTitle(records.size);
  const choices = Object.fromEntries(
    [...counts].map(([each, count]) => [each, words.tagOf(each, count)]),
  );
  return (
    <BatchDialog {...props} {...{ title, verb: words.removeVerb, look: 'main', plan }}>
      {tag === undefined ? undefined : (
        <>
          <ChoiceField
            {...{ label: words.tag, name: 'tag', value: tag, choices, onChange: setChosen }}
          />
          <Affected count={plan.length} of={records.size} />
        </>
      )}
    </BatchDialog>
  );
}

function Affected({ count, of }: { readonly count: number; readonly of: number }): JSX.Element {
  return (
    <p role="status">{count === 0 ? '' : `${words.affected(count, of)} ${words.embeddings}`}</p>
  );
}

/** Returns the tags of records with the numbers of records that have them, sorted by tag. */
function countedTags(records: Iterable<MemoryRecord>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { payload } of records) {
    for (const tag of new Set(payload.tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return new Map([...counts].toSorted(([one], [other]) => one.localeCompare(other)));
}
