/** The fields of the filters: texts, origins, times and embeddings. */
import type { ComponentChildren, JSX } from 'preact';
import { ChoiceField, TextField } from '../../parts/field.js';
import { localValue } from '../../parts/time.js';
import { address } from '../../routing/router.js';
import { texts } from '../../texts/en/english.js';
import { type FilterName, timeNames, timeOf } from './search-filter.js';

const words = texts.filters;

/** Returns what the address says for a filter. */
export function stated(name: FilterName): string {
  return address.value.query.get(name) ?? '';
}

/** Shows a group of fields with its title. */
export function FieldGroup(props: {
  readonly title: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <fieldset class="filter-group">
      <legend>{props.title}</legend>
      <div class="fields">{props.children}</div>
    </fieldset>
  );
}

/** Shows a field for the text of a filter. */
export function FilterText(props: {
  readonly name: FilterName;
  readonly hint?: string;
}): JSX.Element {
  const { name } = props;
  return <TextField label={words.fields[name]} value={stated(name)} {...props} />;
}

function FilterChoice(props: {
  readonly name: FilterName;
  readonly choices: Readonly<Record<string, string>>;
}): JSX.Element {
  const { name } = props;
  return <ChoiceField label={words.fields[name]} value={stated(name)} {...props} />;
}

/** Shows the fields for texts. */
export function TextFields(): JSX.Element {
  return (
    <FieldGroup title={words.text}>
      <FilterText name="words" hint={words.hints.words} />
      <FilterChoice name="match" choices={words.matches} />
      <FilterChoice name="forms" choices={{ '': words.exactForms, ...words.languages }} />
      <FilterChoice name="marks" choices={words.accents} />
      <FilterText name="text" />
      <FilterText name="name" />
    </FieldGroup>
  );
}

/** Shows the fields for authors and sources. */
export function OriginFields(): JSX.Element {
  return (
    <FieldGroup title={words.origin}>
      <FilterText name="by" />
      <FilterText name="by_credential" />
      <FilterText name="from" hint={words.hints.id} />
      <FilterText name="revision" />
    </FieldGroup>
  );
}

/** Shows the fields for times. */
export function TimeFields(): JSX.Element {
  return (
    <div class="fields">
      {timeNames.map((name) => {
        const millis = timeOf(stated(name));
        const value = millis === null ? '' : localValue(millis);
        const label = words.fields[name];
        return <TextField key={name} type="datetime-local" {...{ label, name, value }} />;
      })}
    </div>
  );
}

/** Shows the fields for embeddings. */
export function MeaningFields(): JSX.Element {
  return (
    <div class="fields">
      <FilterChoice name="embedded" choices={words.embeddedOnes} />
      <FilterText name="space" hint={words.hints.space} />
      <FilterText name="near" hint={words.hints.near} />
      <FilterChoice name="metric" choices={words.metrics} />
    </div>
  );
}

/** Shows a field that chooses whether expired records are shown. */
export function ExpiredField(): JSX.Element {
  return <FilterChoice name="expired" choices={words.expiredOnes} />;
}
