/** The filters and the order of a list of records. */
import type { JSX } from 'preact';
import { ChoiceField, TextField, textsOf } from '../../parts/field.js';
import { changeQuery } from '../../routing/router.js';
import { address } from '../../routing/router.js';
import { texts } from '../../texts/en.js';
import { episodeTypes, filterNames, type MemorySearch, sources } from './search-query.js';

const words = texts.memory;

/** Shows the filters, closed as long as none is set. */
export function Filters({ search }: { readonly search: MemorySearch }): JSX.Element {
  const { query } = address.value;
  const clear = Object.fromEntries(filterNames.map((name) => [name, undefined]));
  return (
    <details class="filters" open={search.hasFilters}>
      <summary>{words.filters}</summary>
      <form
        class="fields"
        key={query.toString()}
        onSubmit={(event) => {
          const { order, ...sent } = textsOf(event);
          changeQuery({ ...clear, ...sent, order: order === 'newest' ? undefined : order });
        }}
      >
        <ChoiceField label={words.order} name="order" value={search.order} choices={words.orders} />
        <TextField label={words.words} name="words" value={query.get('words') ?? ''} />
        <TextField label={words.contains} name="text" value={query.get('text') ?? ''} />
        <TextField label={words.tags} name="tags" value={query.get('tags') ?? ''} />
        <Choice label={words.type} name="type" any={words.anyType} all={episodeTypes} />
        <Choice label={words.source} name="source" any={words.anySource} all={sources} />
        <TextField label={words.author} name="by" value={query.get('by') ?? ''} />
        <TextField label={words.namePrefix} name="name" value={query.get('name') ?? ''} />
        <ChoiceField
          label={words.expired}
          name="expired"
          value={query.get('expired') ?? 'hidden'}
          choices={words.expiredOnes}
        />
        <Moments />
        <div class="row fields-end">
          <button type="submit">{texts.apply}</button>
          {search.hasFilters ? (
            <button type="button" class="plain" onClick={() => changeQuery(clear)}>
              {words.clear}
            </button>
          ) : undefined}
        </div>
      </form>
    </details>
  );
}

function Moments(): JSX.Element {
  const value = (name: string): string => address.value.query.get(name) ?? '';
  const { eventFrom, eventBefore } = words;
  return (
    <>
      <TextField label={eventFrom} name="since" type="datetime-local" value={value('since')} />
      <TextField label={eventBefore} name="until" type="datetime-local" value={value('until')} />
    </>
  );
}

function Choice(props: {
  readonly label: string;
  readonly name: string;
  readonly any: string;
  readonly all: readonly string[];
}): JSX.Element {
  const { label, name, any, all } = props;
  const choices = { '': any, ...Object.fromEntries(all.map((each) => [each, each])) };
  const value = address.value.query.get(name) ?? '';
  return <ChoiceField label={label} name={name} value={value} choices={choices} />;
}
