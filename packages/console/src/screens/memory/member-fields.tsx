/** The fields of the filters for conditions on metadata and data. */
import type { JSX } from 'preact';
import { ChoiceField, Field } from '../../parts/field.js';
import { texts } from '../../texts/en/english.js';
import { takesValue, type TypedCondition } from './member-conditions.js';

const words = texts.filters.condition;
const CONDITIONS_MAX = 16;
const EMPTY: TypedCondition = { of: 'metadata', path: '', operator: 'equals', value: '' };

/** Shows a row for each condition, and a button for one more. */
export function MemberFields(props: {
  readonly conditions: readonly TypedCondition[];
  readonly onChange: (conditions: readonly TypedCondition[]) => void;
}): JSX.Element {
  const { conditions, onChange } = props;
  return (
    <div class="stack">
      {conditions.map((condition, at) => (
        <ConditionRow
          key={at}
          condition={condition}
          onChange={(next) => onChange(conditions.with(at, next))}
          onRemove={() => onChange(conditions.toSpliced(at, 1))}
        />
      ))}
      {conditions.length < CONDITIONS_MAX ? (
        <div class="row">
          <button type="button" onClick={() => onChange([...conditions, EMPTY])}>
            {words.add}
          </button>
        </div>
      ) : undefined}
    </div>
  );
}

function ConditionRow(props: {
  readonly condition: TypedCondition;
  readonly onChange: (next: TypedCondition) => void;
  readonly onRemove: () => void;
}): JSX.Element {
  const { condition, onChange, onRemove } = props;
  const change = (changed: Readonly<Record<string, string>>): void => {
    onChange({ ...condition, ...changed });
  };
  return (
    <div class="condition">
      <ChoiceField
        label={words.of}
        name="condition_of"
        value={condition.of}
        choices={words.parts}
        onChange={(of) => change({ of })}
      />
      <Typed
        label={words.path}
        hint={words.pathHint}
        value={condition.path}
        onInput={(path) => change({ path })}
      />
      <ChoiceField
        label={words.operator}
        name="condition_operator"
        value={condition.operator}
        choices={words.operators}
        onChange={(operator) => change({ operator })}
      />
      {takesValue(condition.operator) ? (
        <Typed label={words.value} value={condition.value} onInput={(value) => change({ value })} />
      ) : (
        <span />
      )}
      <button type="button" aria-label={words.remove} title={words.remove} onClick={onRemove}>
        ×
      </button>
    </div>
  );
}

function Typed(props: {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
}): JSX.Element {
  const { label, hint = '', value, onInput } = props;
  return (
    <Field
      label={label}
      field={(id) => (
        <input
          id={id}
          value={value}
          placeholder={hint}
          autocomplete="off"
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    />
  );
}
