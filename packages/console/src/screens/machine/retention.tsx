/** How long memory is kept: the setting of the tenant, or of the scope that the address names. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ChoiceField, TextField } from '../../parts/field.js';
import { FailureNote, Loading } from '../../parts/notes.js';
import { SettingCard } from '../../parts/setting-card.js';
import { type Setting, SettingDialog } from '../../parts/setting-dialog.js';
import { address } from '../../routing/router.js';
import { ScopeLink } from '../../scopes/scope-name.js';
import { scopeOfQuery, type ShownScope } from '../../scopes/scope-query.js';
import { useSetting } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import {
  memberNames,
  members,
  type Retention,
  retentionOf,
  retentionRisk,
  retentionRows,
  valueText,
} from './retention-facts.js';

const words = texts.retention;

/** Shows the setting, and lets an administrator change it. */
export function RetentionSettings(): JSX.Element {
  const shown = scopeOfQuery(address.value.query);
  const [isOpen, setOpen] = useState(false);
  const { value, failure, isSaved, onSaved } = useSetting(
    (agent, signal) => retentionIn(agent, shown, signal),
    [JSON.stringify(shown)],
  );
  if (value === undefined) {
    return failure === undefined ? <Loading /> : <FailureNote failure={failure} />;
  }
  return (
    <>
      {shown === undefined ? undefined : (
        <p>
          <ScopeLink {...shown} />
        </p>
      )}
      <SettingCard
        title={shown === undefined ? words.title : words.scopeTitle}
        about={shown === undefined ? words.about : words.scopeAbout}
        rows={retentionRows(value)}
        isSaved={isSaved}
      >
        <div class="row">
          <button type="button" onClick={() => setOpen(true)}>
            {words.change}
          </button>
        </div>
      </SettingCard>
      {isOpen ? (
        <ChangeRetention
          shown={shown}
          retention={value}
          onSaved={onSaved}
          onLeave={() => setOpen(false)}
        />
      ) : undefined}
    </>
  );
}

function retentionIn(
  { retention }: Agent,
  shown: ShownScope | undefined,
  signal?: AbortSignal,
): Promise<Retention> {
  const options = signal === undefined ? {} : { signal };
  return shown === undefined ? retention.get(options) : retention.getOf(shown.scope, options);
}

function ChangeRetention(props: {
  readonly shown: ShownScope | undefined;
  readonly retention: Retention;
  readonly onSaved: () => void;
  readonly onLeave: () => void;
}): JSX.Element {
  const { shown, retention, onSaved, onLeave } = props;
  const [review, setReview] = useState<string>(retention.review);
  const mayReview = shown?.scope.visibility !== 'private';
  const setting: Setting<Retention> = {
    shown: retention,
    load: ({ agent }) => retentionIn(agent, shown),
    rows: retentionRows,
    risk: retentionRisk,
    put: ({ agent }, { revision }, form) => {
      const reviewed = form['review'] === 'required' ? 'required' : 'none';
      const target = {
        scope: shown?.scope,
        expectedRevision: revision,
        ...(mayReview ? ({ review: reviewed } as const) : {}),
      };
      return agent.retention.set(target, retentionOf(form));
    },
  };
  return (
    <SettingDialog title={words.change} {...{ setting, onSaved, onLeave }}>
      {memberNames.map((name) => (
        <MemberField key={name} name={name} retention={retention} />
      ))}
      {mayReview ? (
        <ChoiceField
          label={words.review}
          name="review"
          value={review}
          choices={words.reviews}
          onChange={setReview}
        />
      ) : undefined}
    </SettingDialog>
  );
}

/** The hint names the unit, the bounds, and what holds while the field is empty. */
function MemberField(props: {
  readonly name: keyof typeof members;
  readonly retention: Retention;
}): JSX.Element {
  const { name, retention } = props;
  const { min, max, byDefault } = members[name];
  const empty = retention.scope === null ? valueText(name, byDefault) : words.asTenant;
  return (
    <TextField
      label={words.members[name]}
      name={name}
      type="number"
      value={retention.retention[name]?.toString() ?? ''}
      hint={words.hint(words.units[name], min, max, empty)}
      {...{ min, max }}
    />
  );
}
