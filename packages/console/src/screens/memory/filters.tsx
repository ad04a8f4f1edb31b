/** The filters of a list of records, folded away until they are wanted. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ProblemNote } from '../../parts/notes.js';
import { address, changeQuery } from '../../routing/router.js';
import { texts } from '../../texts/en/english.js';
import { FilterChips } from './filter-chips.js';
import { MeaningFields, OriginFields, TextFields, TimeFields } from './filter-fields.js';
import { noFilters, queryOfForm } from './filter-form.js';
import { KindFields } from './kind-fields.js';
import { MemberFields } from './member-fields.js';
import { readConditions, type TypedCondition, writeConditions } from './member-conditions.js';
import { filterNames, wrongTimes } from './search-filter.js';

const words = texts.filters;

/** Shows the filters, and which of them are set. */
export function Filters(): JSX.Element {
  const { query } = address.value;
  const set = filterNames.filter((name) => (query.get(name) ?? '') !== '');
  return (
    <div class="stack-tight">
      <details class="filters">
        <summary>
          {words.title}
          {set.length === 0 ? undefined : <span class="tag filter-count">{set.length}</span>}
        </summary>
        <FilterForm key={query.toString()} isSet={set.length > 0} />
      </details>
      <FilterChips names={set} />
      {wrongTimes(query).map((name) => (
        <ProblemNote key={name} problem={texts.noTime(words.fields[name])} />
      ))}
    </div>
  );
}

function FilterForm({ isSet }: { readonly isSet: boolean }): JSX.Element {
  const where = address.value.query.get('where') ?? '';
  const [conditions, setConditions] = useState<readonly TypedCondition[]>(readConditions(where));
  return (
    <form
      class="filter-form"
      onSubmit={(event) => {
        event.preventDefault();
        changeQuery(queryOfForm(event.currentTarget, writeConditions(conditions)));
      }}
    >
      <TextFields />
      <KindFields />
      <OriginFields />
      <Folded title={words.times} names={TIMES}>
        <TimeFields />
      </Folded>
      <Folded title={words.values} names={['where']}>
        <MemberFields conditions={conditions} onChange={setConditions} />
      </Folded>
      <Folded title={words.meaning} names={['embedded', 'space', 'near', 'metric']}>
        <MeaningFields />
      </Folded>
      <div class="row">
        <button type="submit" class="main">
          {texts.apply}
        </button>
        {isSet ? (
          <button type="button" onClick={() => changeQuery(noFilters())}>
            {words.clear}
          </button>
        ) : undefined}
      </div>
    </form>
  );
}

const TIMES = [
  ...['since', 'until', 'created_from', 'created_before', 'changed_from', 'changed_before'],
  'valid_at',
];

/** What is rarely needed is folded once more, unless it is set. */
function Folded(props: {
  readonly title: string;
  readonly names: readonly string[];
  readonly children: JSX.Element;
}): JSX.Element {
  const { title, names, children } = props;
  const [isOpen] = useState(names.some((name) => address.value.query.has(name)));
  return (
    <details class="filter-group" open={isOpen}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}
