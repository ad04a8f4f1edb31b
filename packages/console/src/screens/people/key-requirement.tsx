/** Whether credentials of the tenant must prove keys, so that secrets no longer work. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { FailureNote, Loading } from '../../parts/notes.js';
import { SettingCard } from '../../parts/setting-card.js';
import { type Setting, SettingDialog, type SettingRow } from '../../parts/setting-dialog.js';
import { timeText } from '../../parts/time.js';
import type { Caller } from '../../session/caller.js';
import { useSetting } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';

const words = texts.keyRequirement;

type Requirement = Awaited<ReturnType<Agent['credentials']['keyRequirement']>>;

const rowsOf = ({ requires_keys: requires }: Requirement): readonly SettingRow[] => [
  [words.label, requires ? words.required : words.allowed],
];

/** Shows the requirement, and changes it. A secret can't require keys: it would end itself. */
export function KeyRequirement({ caller }: { readonly caller: Caller }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { value, failure, isSaved, onSaved } = useSetting(
    (agent, signal) => agent.credentials.keyRequirement({ signal }),
    [],
  );
  if (value === undefined) {
    return failure === undefined ? <Loading /> : <FailureNote failure={failure} />;
  }
  const { requires_keys: requires, updated_at_millis: at } = value;
  const setting: Setting<Requirement> = {
    shown: value,
    load: ({ agent }) => agent.credentials.keyRequirement(),
    rows: rowsOf,
    put: ({ agent }, { revision }) =>
      agent.credentials.setKeyRequirement({ requiresKeys: !requires }, revision),
  };
  const changed: SettingRow = [words.changed, at === null ? words.never : timeText(at)];
  const asked = requires
    ? { title: words.allowTitle, verb: words.allow }
    : ({ title: words.requireTitle, verb: words.require, look: 'danger' } as const);
  return (
    <SettingCard
      title={words.title}
      about={words.about}
      rows={[...rowsOf(value), changed]}
      isSaved={isSaved}
    >
      {caller.accountId === undefined ? (
        <p class="soft">{words.byAccount}</p>
      ) : (
        <div class="row">
          <button type="button" onClick={() => setOpen(true)}>
            {requires ? words.allow : words.require}
          </button>
        </div>
      )}
      {isOpen ? (
        <SettingDialog {...asked} {...{ setting, onSaved }} onLeave={() => setOpen(false)}>
          <p>{requires ? words.allowText : words.requireText}</p>
        </SettingDialog>
      ) : undefined}
    </SettingCard>
  );
}
