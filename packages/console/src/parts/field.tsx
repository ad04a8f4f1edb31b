/** Labelled fields of forms. */
import type { JSX, TargetedEvent } from 'preact';
import { useId } from 'preact/hooks';
import { texts } from '../texts/en/english.js';
import { useFieldProblem } from './field-problems.js';
import { localZone } from './local-time.js';

/** What a field says of itself to assistive technology. */
interface Described {
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: 'true';
}

/** A label, a field with its id, a hint, and what was refused of it. */
export function Field(props: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
  readonly field: (id: string, described: Described) => JSX.Element;
}): JSX.Element {
  const { label, hint, problem, field } = props;
  const id = useId();
  const about = `${id}-about`;
  const described: Described = {
    ...(hint === undefined && problem === undefined ? {} : { 'aria-describedby': about }),
    ...(problem === undefined ? {} : { 'aria-invalid': 'true' }),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {field(id, described)}
      {hint === undefined && problem === undefined ? undefined : (
        <small class="soft" id={about}>
          {problem === undefined ? undefined : <strong class="problem">{problem} </strong>}
          {hint}
        </small>
      )}
    </div>
  );
}

/** A field for one line of text. */
export function TextField(props: {
  readonly label: string;
  readonly name: string;
  readonly hint?: string;
  readonly value?: string;
  readonly type?: 'text' | 'password' | 'search' | 'datetime-local' | 'number' | 'url';
  readonly autocomplete?: string;
  /** The least and the greatest number. */
  readonly min?: number;
  readonly max?: number;
  readonly required?: boolean;
}): JSX.Element {
  const { label, hint, value = '', type = 'text', autocomplete = 'off', ...rest } = props;
  const shared = { type, dir: 'auto', defaultValue: value, autocomplete, ...rest };
  return (
    <Field
      label={label}
      hint={type === 'datetime-local' ? timeHint(hint) : hint}
      problem={useFieldProblem(props.name)}
      field={(id, described) => (
        <input {...({ id, ...shared, ...described } as JSX.IntrinsicElements['input'])} />
      )}
    />
  );
}

/** A field for a time has no zone, so its hint names the one that is taken. */
function timeHint(hint: string | undefined): string {
  const zone = texts.zone(localZone());
  return hint === undefined ? zone : `${zone} ${hint}`;
}

/** A field that chooses one of a few values. */
export function ChoiceField(props: {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly choices: Readonly<Record<string, string>>;
  readonly onChange?: (value: string) => void;
}): JSX.Element {
  const { label, name, value, choices, onChange } = props;
  return (
    <Field
      label={label}
      field={(id) => (
        <select
          id={id}
          name={name}
          value={value}
          onChange={(event) => onChange?.(event.currentTarget.value)}
        >
          {Object.entries(choices).map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
      )}
    />
  );
}

/** Returns the texts of a form that was sent; fields that are empty are left out. */
export function textsOf(event: TargetedEvent<HTMLFormElement>): Record<string, string> {
  event.preventDefault();
  const members = [...new FormData(event.currentTarget)].filter(
    (each): each is [string, string] => typeof each[1] === 'string' && each[1] !== '',
  );
  return Object.fromEntries(members);
}
