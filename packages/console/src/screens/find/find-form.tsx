/** The form of the search over all scopes. */
import type { JSX } from 'preact';
import { CheckGroup } from '../../parts/check-group.js';
import { TextField } from '../../parts/field.js';
import { localValue } from '../../parts/time.js';
import { pathOf, type Query } from '../../routing/address.js';
import { address, go } from '../../routing/router.js';
import { texts } from '../../texts/en/english.js';
import { episodeTypes, tagsOf, timeOf } from '../memory/search-filter.js';
import { asksAnything, findQueryOf } from './find-query.js';

const words = texts.find;

/** Shows what the address asks for, and asks for something else. */
export function FindForm(): JSX.Element {
  const { query } = address.value;
  const value = (name: string): string => query.get(name) ?? '';
  const isAsked = asksAnything(findQueryOf(query));
  return (
    <form
      class="card stack-tight"
      role="search"
      key={query.toString()}
      onSubmit={(event) => {
        event.preventDefault();
        go(pathOf('find', queryOfForm(new FormData(event.currentTarget))));
      }}
    >
      <div class="fields fields-top find-fields">
        <TextField
          {...{ label: words.person, name: 'about', hint: words.personHint }}
          value={value('about')}
        />
        <TextField
          {...{ label: words.words, name: 'words', hint: words.wordsHint }}
          value={value('words')}
        />
      </div>
      <div class="fields fields-top">
        <TextField label={words.subject} name="subject" value={value('subject')} />
        <TextField label={words.author} name="by" value={value('by')} />
        <TimeField label={words.from} name="created_from" />
        <TimeField label={words.before} name="created_before" />
        <TextField label={words.tags} name="tags" value={value('tags')} />
        <TextField label={words.custom} name="custom" value={value('custom')} />
      </div>
      <CheckGroup
        {...{ label: words.types, name: 'type', choices: episodeTypes }}
        values={tagsOf(value('type'))}
      />
      <div class="row">
        <button type="submit" class="main">
          {words.go}
        </button>
        {isAsked ? (
          <button type="button" onClick={() => go(pathOf('find'))}>
            {words.clear}
          </button>
        ) : undefined}
      </div>
    </form>
  );
}

function TimeField({ label, name }: { readonly label: string; readonly name: string }) {
  const millis = timeOf(address.value.query.get(name) ?? '');
  const value = millis === null ? '' : localValue(millis);
  return <TextField type="datetime-local" {...{ label, name, value }} />;
}

/** A field has the local time, an address the same instant for all readers. */
function queryOfForm(form: FormData): Query {
  const members = new Map<string, string>();
  for (const [name, value] of form) {
    if (typeof value !== 'string' || value.trim() === '') continue;
    const millis = name.startsWith('created_') ? timeOf(value) : null;
    const text = millis === null ? value.trim() : new Date(millis).toISOString();
    const before = members.get(name);
    members.set(name, before === undefined ? text : `${before},${text}`);
  }
  return Object.fromEntries(members);
}
