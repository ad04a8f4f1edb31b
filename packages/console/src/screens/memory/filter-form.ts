/** What the form of the filters says, as members of an address. */
import type { Query } from '../../routing/address.js';
import { type FilterName, filterNames, timeNames, timeOf } from './search-filter.js';

/** Returns all members; those that the form does not state are removed. */
export function queryOfForm(form: HTMLFormElement, conditions: string): Query {
  const sent = new FormData(form);
  const members = filterNames.map((name): [string, string | undefined] => {
    const all = sent.getAll(name).filter((each) => typeof each === 'string');
    const values = all.filter((each) => each !== '');
    const text = values.join(',');
    return [name, text === '' ? undefined : isTime(name) ? instantOf(text) : text];
  });
  return { ...Object.fromEntries(members), where: conditions === '' ? undefined : conditions };
}

/** Returns members that remove all filters. */
export function noFilters(): Query {
  return Object.fromEntries(filterNames.map((name) => [name, undefined]));
}

/** Returns whether a filter is a time. */
export function isTime(name: FilterName): boolean {
  return (timeNames as readonly string[]).includes(name);
}

/**
 * A field has the local time, an address the same instant for everybody. A text that is no time
 * stays, so that the page names the field.
 */
function instantOf(text: string): string {
  const millis = timeOf(text);
  return millis === null ? text : new Date(millis).toISOString();
}
