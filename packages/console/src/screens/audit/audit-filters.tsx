/** The filters of the audit log. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ChoiceField, TextField, textsOf } from '../../parts/field.js';
import { pathOf } from '../../routing/address.js';
import { address, go } from '../../routing/router.js';
import { texts } from '../../texts/en/english.js';
import { resultNames, typeNames } from './audit-names.js';

const words = texts.audit;

/** Shows the filters of the address. */
export function AuditFilters(): JSX.Element {
  const { query } = address.value;
  const value = (name: string): string => query.get(name) ?? '';
  const { username, action, resource, resourceHint, from, until } = words;
  return (
    <form
      class="audit-filters"
      key={query.toString()}
      onSubmit={(event) => {
        go(pathOf('audit', textsOf(event)));
      }}
    >
      <Choice label={words.event} name="event" any={words.anyEvent} all={typeNames} />
      <Choice label={words.result} name="result" any={words.anyResult} all={resultNames} />
      <TextField label={username} name="who" value={value('who')} />
      <TextField label={action} name="did" value={value('did')} />
      <TextField label={resource} name="on" value={value('on')} hint={resourceHint} />
      <TextField label={from} name="since" type="datetime-local" value={value('since')} />
      <TextField label={until} name="until" type="datetime-local" value={value('until')} />
      <button type="submit">{texts.apply}</button>
    </form>
  );
}

function Choice(props: {
  readonly label: string;
  readonly name: string;
  readonly any: string;
  readonly all: Readonly<Record<string, string>>;
}): JSX.Element {
  const { label, name, any, all } = props;
  const [value, setValue] = useState(address.value.query.get(name) ?? '');
  const choices = { '': any, ...all };
  return (
    <ChoiceField label={label} name={name} value={value} choices={choices} onChange={setValue} />
  );
}
