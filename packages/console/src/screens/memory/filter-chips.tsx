/** The filters that are set, each with a button that removes it. */
import type { JSX } from 'preact';
import { timeText } from '../../parts/time.js';
import { changeQuery } from '../../routing/router.js';
import { texts } from '../../texts/en/english.js';
import { stated } from './filter-fields.js';
import { isTime } from './filter-form.js';
import { readConditions } from './member-conditions.js';
import { type FilterName, timeOf } from './search-filter.js';

const words = texts.filters;

/** Shows them. */
export function FilterChips({ names }: { readonly names: readonly FilterName[] }): JSX.Element {
  return (
    <div class="tags" role="group" aria-label={words.title}>
      {names.map((name) => {
        const text = `${words.fields[name]}: ${valueText(name)}`;
        return (
          <button
            key={name}
            type="button"
            class="chip"
            aria-label={words.remove(text)}
            onClick={() => changeQuery({ [name]: undefined })}
          >
            <span class="chip-text">{text}</span> <span aria-hidden="true">×</span>
          </button>
        );
      })}
    </div>
  );
}

/** What choices are called, by filter. */
const choices: Readonly<Partial<Record<FilterName, Readonly<Record<string, string>>>>> = {
  match: words.matches,
  marks: words.accents,
  forms: words.languages,
  expired: words.expiredOnes,
  embedded: words.embeddedOnes,
  metric: words.metrics,
};

function valueText(name: FilterName): string {
  const text = stated(name);
  const millis = isTime(name) ? timeOf(text) : null;
  if (millis !== null) return timeText(millis);
  if (name === 'where') return conditionsText(text);
  return choices[name]?.[text] ?? text.replaceAll(',', ', ');
}

function conditionsText(text: string): string {
  const { operators, parts } = words.condition;
  return readConditions(text)
    .map(({ of, path, operator, value }) =>
      [path === '' ? parts[of] : path, operators[operator], value].join(' ').trim(),
    )
    .join('; ');
}
