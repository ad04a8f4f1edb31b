/** Texts of the search over all scopes, in English. */
import { counted } from '../counted.js';

/** The texts. */
export const findTexts = {
  find: {
    title: 'Search all scopes',
    about:
      'Finds records in all scopes that you can read, newest first. Deleted records, earlier ' +
      'revisions, branches and proposals are not searched.',
    open: 'Search all scopes',
    person: 'About',
    personHint:
      'A person or an agent: their private memory, what they wrote, and texts that name them',
    words: 'Words',
    wordsHint: 'All words must match. tea* matches beginnings, "green tea" a phrase.',
    subject: 'Private to',
    author: 'Author',
    types: 'Types',
    custom: 'Custom types',
    tags: 'All of these tags',
    from: 'Created from',
    before: 'Created before',
    go: 'Search',
    clear: 'Clear',
    begin: 'Enter a search',
    beginText:
      'Search for a person or for words, and narrow the results by subject, author, type and time.',
    empty: 'No matching records',
    emptyText: 'No record that you can read matches. Use fewer words or filters.',
    list: 'Records found',
    found: (count: number, isAll: boolean, scopes: number) =>
      `${counted(count, 'record', 'records')}${isAll ? '' : ' so far'}, from ` +
      `${counted(scopes, 'scope', 'scopes')} searched`,
    unread: (scopes: number, records: number) =>
      `Not searched: ${counted(scopes, 'scope', 'scopes')} with ` +
      `${counted(records, 'record', 'records')} that you can see in the list of scopes but cannot ` +
      'read.',
    export: (name: string) => `Export the private memory of ${name}…`,
    erase: (name: string) => `Erase ${name}…`,
    expired: 'expired',
  },
} as const;
