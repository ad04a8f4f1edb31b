/** The dialog that makes a rate limit, or changes one. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ChoiceField, TextField } from '../../parts/field.js';
import { type SentForm, type Setting, SettingDialog } from '../../parts/setting-dialog.js';
import { texts } from '../../texts/en/english.js';
import { type Limit, type LimitedPart, limitDefaults, limitText, riskOf } from './limit-facts.js';

const words = texts.limits;

/** Asks for the limit. What it is for stays as it was made. */
export function LimitForm(props: {
  /** Absent for a new one. */
  readonly limit?: Limit;
  readonly onPut: () => void;
  readonly onLeave: () => void;
}): JSX.Element {
  const { limit, onPut, onLeave } = props;
  const [part, setPart] = useState<LimitedPart>('GeneralApi');
  const limited = limit?.endpoint_type ?? part;
  const name = typeof limited === 'string' ? limited : 'Custom';
  const setting: Setting<Limit | undefined> = {
    shown: limit,
    load: ({ administrator }) =>
      limit === undefined ? Promise.resolve(limit) : administrator.rateLimits.get(limit.id),
    rows: (shown) =>
      shown === undefined
        ? []
        : [
            [words.name, shown.name],
            [words.limit, limitText(shown)],
          ],
    risk: (_present, form) => riskOf(name, countsOf(form)),
    put: ({ administrator: { rateLimits } }, present, form) => {
      const { name: title = '', path = '' } = form;
      const endpointType = part === 'Custom' ? { Custom: path } : part;
      const members = { name: title, ...countsOf(form) };
      return present === undefined
        ? rateLimits.create({ ...members, endpointType })
        : rateLimits.update(present.id, { ...members, expectedRevision: present.revision });
    },
  };
  const title = limit === undefined ? words.create : words.changeName(limit.name);
  const verb = limit === undefined ? words.go : texts.save;
  return (
    <SettingDialog {...{ title, verb, setting, onLeave }} onSaved={onPut}>
      <p class="soft">{limit === undefined ? words.about : words.changeText}</p>
      <TextField label={words.name} name="name" value={limit?.name ?? ''} required />
      {limit === undefined ? <PartFields part={part} onChoose={setPart} /> : undefined}
      <CountFields limit={limit} part={name} />
    </SettingDialog>
  );
}

function CountFields(props: {
  readonly limit: Limit | undefined;
  readonly part: LimitedPart;
}): JSX.Element {
  const { limit, part } = props;
  const usual = limitDefaults[part];
  return (
    <>
      <TextField
        label={words.requests}
        name="max_requests"
        type="number"
        min={1}
        max={1_000_000_000}
        value={limit?.max_requests.toString() ?? ''}
        hint={usual === undefined ? words.noDefault : words.byDefault(usual)}
        required
      />
      <TextField
        label={words.seconds}
        name="window_secs"
        type="number"
        min={1}
        max={86_400}
        value={limit?.window_secs.toString() ?? '60'}
        hint={words.secondsHint}
        required
      />
    </>
  );
}

function countsOf(form: SentForm) {
  return { maxRequests: Number(form['max_requests']), windowSecs: Number(form['window_secs']) };
}

function PartFields(props: {
  readonly part: LimitedPart;
  readonly onChoose: (part: LimitedPart) => void;
}): JSX.Element {
  const { part, onChoose } = props;
  return (
    <>
      <ChoiceField
        label={words.part}
        name="part"
        value={part}
        choices={words.parts}
        onChange={(value) => onChoose(value as LimitedPart)}
      />
      {part === 'Custom' ? (
        <TextField label={words.path} name="path" hint={words.pathHint} required />
      ) : undefined}
    </>
  );
}
