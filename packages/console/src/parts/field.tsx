/** Labelled fields of forms. */
import type { ComponentChildren, JSX, TargetedEvent } from 'preact';
import { useId } from 'preact/hooks';

/** A label, a field and a hint. */
export function Field(props: {
  readonly label: string;
  readonly hint?: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { label, hint, children } = props;
  return (
    <label class="field">
      <span>{label}</span>
      {children}
      {hint === undefined ? undefined : <small class="soft">{hint}</small>}
    </label>
  );
}

/** A field for one line of text. */
export function TextField(props: {
  readonly label: string;
  readonly name: string;
  readonly hint?: string;
  readonly value?: string;
  readonly type?: 'text' | 'password' | 'search' | 'datetime-local';
  readonly autocomplete?: string;
  readonly required?: boolean;
}): JSX.Element {
  const { label, hint, value = '', type = 'text', autocomplete = 'off', ...rest } = props;
  const shared = { defaultValue: value, autocomplete, ...rest };
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })}>
      <input {...({ type, ...shared } as JSX.IntrinsicElements['input'])} />
    </Field>
  );
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
  const id = useId();
  return (
    <div class="field">
      <span>
        <label for={id}>{label}</label>
      </span>
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
    </div>
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
