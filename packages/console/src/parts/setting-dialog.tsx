/** A dialog that changes a setting: it overwrites nothing unseen, and asks before a lockout. */
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isRefusal } from '../session/refusals.js';
import type { Work } from '../session/session.js';
import { useWork } from '../session/use-loaded.js';
import { texts } from '../texts/en/english.js';
import { Confirm } from './confirm.js';
import { Dialog } from './dialog.js';
import { FieldProblems } from './field-problems.js';
import { textsOf } from './field.js';
import { FormEnd } from './form-end.js';

const words = texts.settings;

/** What a setting says: a label and its value in words. */
export type SettingRow = readonly [label: string, text: string];

/** The texts of a form that was sent, by the names of its fields. */
export type SentForm = Readonly<Record<string, string>>;

/** A setting, as a screen shows it, and how it is read and stored. */
export interface Setting<T> {
  readonly shown: T;
  readonly load: (work: Work) => Promise<T>;
  readonly rows: (value: T) => readonly SettingRow[];
  /** Stores a form over `present`, which is what the person has seen. */
  readonly put: (work: Work, present: T, form: SentForm) => Promise<unknown>;
  /** Returns what a form would break for people, who are then asked. */
  readonly risk?: (present: T, form: SentForm) => string | undefined;
}

/**
 * Shows the fields. Before it stores them it reads the setting again: if that says something else
 * than the person has seen, it shows what, and stores only when it is asked again.
 */
export function SettingDialog<T>(props: {
  readonly title: string;
  readonly verb?: string;
  readonly look?: 'main' | 'danger';
  readonly setting: Setting<T>;
  readonly onSaved: () => void;
  readonly onLeave: () => void;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { title, verb = texts.save, look = 'main', setting, onSaved, onLeave, children } = props;
  const [present, setPresent] = useState(setting.shown);
  const [differences, setDifferences] = useState<readonly string[]>();
  const [asked, setAsked] = useState<{ readonly form: SentForm; readonly risk: string }>();
  const act = useWork(async (work, form: SentForm) => {
    const stored = await storedUnlessChanged(work, setting, present, form);
    if (stored === undefined) {
      onSaved();
      onLeave();
      return;
    }
    setDifferences(differencesOf(setting.rows(present), setting.rows(stored)));
    setPresent(stored);
  });
  const send = (form: SentForm): void => {
    const risk = setting.risk?.(present, form);
    if (risk === undefined) act.run(form);
    else setAsked({ form, risk });
  };
  return (
    <Dialog title={title} onLeave={onLeave}>
      <FieldProblems.Provider value={act.failure?.members ?? []}>
        <form class="stack" onSubmit={(event) => send(textsOf(event))}>
          {children}
          <Meanwhile differences={differences} />
          <FormEnd verb={verb} look={look} act={act} onLeave={onLeave} />
        </form>
      </FieldProblems.Provider>
      {asked === undefined ? undefined : (
        <Confirm
          title={words.riskTitle}
          verb={words.riskGo}
          act={{
            ...act,
            run: () => {
              setAsked(undefined);
              act.run(asked.form);
            },
          }}
          onLeave={() => setAsked(undefined)}
        >
          <p>{asked.risk}</p>
        </Confirm>
      )}
    </Dialog>
  );
}

/** Stores a form; returns what is stored instead if that is not what the person has seen. */
async function storedUnlessChanged<T>(
  work: Work,
  { load, rows, put }: Setting<T>,
  present: T,
  form: SentForm,
): Promise<T | undefined> {
  const stored = await load(work);
  if (differencesOf(rows(present), rows(stored)).length > 0) return stored;
  try {
    await put(work, stored, form);
    return undefined;
  } catch (error) {
    if (!isRefusal(error, 'revision_conflict')) throw error;
    return load(work);
  }
}

/** Returns what two states of a setting differ in, in words. */
function differencesOf(
  before: readonly SettingRow[],
  now: readonly SettingRow[],
): readonly string[] {
  const [old, fresh] = [new Map(before), new Map(now)];
  const labels = [...new Set([...old.keys(), ...fresh.keys()])];
  return labels
    .filter((label) => old.get(label) !== fresh.get(label))
    .map((label) =>
      words.difference(label, old.get(label) ?? words.absent, fresh.get(label) ?? words.absent),
    );
}

function Meanwhile({
  differences,
}: {
  readonly differences: readonly string[] | undefined;
}): JSX.Element {
  return (
    <div role="alert">
      {differences === undefined ? undefined : (
        <div class="note warned">
          <p>{words.meanwhile}</p>
          <ul class="sentences">
            {differences.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
