/** The filters of addresses, as the server takes them. */
import type { SearchFilterInput } from '@agentkeep/client';
import { millisOfTime } from '../../parts/local-time.js';
import { memberFilterOf, readConditions } from './member-conditions.js';

/** The types of records. */
export const episodeTypes = [
  ...(['Observation', 'Conversation', 'Decision', 'TaskExecution', 'Error'] as const),
] as const;

/** What records come from. */
export const sources = ['user', 'model', 'tool', 'document', 'import'] as const;

/** The names of times in addresses and forms. */
export const timeNames = [
  ...(['since', 'until', 'created_from', 'created_before'] as const),
  ...(['changed_from', 'changed_before', 'valid_at'] as const),
] as const;

/** The names of filters in addresses and forms. */
export const filterNames = [
  ...(['words', 'match', 'marks', 'forms', 'text', 'type', 'custom', 'source', 'expired'] as const),
  ...(['tags', 'any_tag', 'no_tag', 'by', 'by_credential', 'name', 'from', 'revision'] as const),
  ...timeNames,
  ...(['where', 'embedded', 'space', 'near', 'metric'] as const),
] as const;

/** The name of a filter. */
export type FilterName = (typeof filterNames)[number];

/** A query, of which only texts are read. */
export type ReadText = (name: string) => string;

const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns whether a text is the id of a record or a credential. */
export function isId(text: string): boolean {
  return ID.test(text);
}

/** Returns the filter of a query without its words. What it states wrongly is left out. */
export function filterOf(text: ReadText): Omit<SearchFilterInput, 'words'> {
  const expired = (['hidden', 'included', 'only'] as const).find(
    (each) => each === text('expired'),
  );
  const conditions = readConditions(text('where'));
  const embedded = text('embedded');
  return {
    ...(text('text') === '' ? {} : { text_contains: text('text') }),
    ...kindsOf(text),
    ...tagFilterOf(text),
    ...originOf(text),
    ...(text('name') === '' ? {} : { name_prefix: text('name') }),
    expired: expired ?? 'hidden',
    ...timesOf(text),
    ...(conditions.length === 0 ? {} : { members: conditions.map(memberFilterOf) }),
    ...(embedded === 'yes' || embedded === 'no' ? { embedded: embedded === 'yes' } : {}),
  };
}

function kindsOf(text: ReadText): Pick<SearchFilterInput, 'episode_types' | 'sources'> {
  const [typed, from] = [tagsOf(text('type')), tagsOf(text('source'))];
  const types = [
    ...episodeTypes.filter((each) => typed.includes(each)),
    ...tagsOf(text('custom')).map((name) => ({ Custom: name })),
  ];
  const chosen = sources.filter((each) => from.includes(each));
  return {
    ...(types.length === 0 ? {} : { episode_types: types }),
    ...(chosen.length === 0 ? {} : { sources: chosen }),
  };
}

function tagFilterOf(text: ReadText): Pick<SearchFilterInput, 'tags'> {
  const lists = { all: tagsOf(text('tags')), any: tagsOf(text('any_tag')) };
  const named = Object.entries({ ...lists, none: tagsOf(text('no_tag')) });
  const given = named.filter(([, tags]) => tags.length > 0);
  return given.length === 0 ? {} : { tags: Object.fromEntries(given) };
}

function originOf(text: ReadText): Pick<SearchFilterInput, 'author' | 'derived_from'> {
  const [subject, credential, source] = [text('by'), text('by_credential'), text('from')];
  const revision = Number(text('revision'));
  const author = {
    ...(subject === '' ? {} : { subject_id: subject }),
    ...(isId(credential) ? { credential_id: credential } : {}),
  };
  return {
    ...(Object.keys(author).length === 0 ? {} : { author }),
    ...(isId(source)
      ? {
          derived_from: {
            record_id: source,
            ...(Number.isSafeInteger(revision) && revision > 0 ? { revision } : {}),
          },
        }
      : {}),
  };
}

type Times = Pick<SearchFilterInput, 'event_time' | 'created' | 'modified' | 'valid_at_millis'>;

function timesOf(text: ReadText): Times {
  const between = (member: string, from: string, before: string) => {
    const span = { from_millis: timeOf(text(from)), before_millis: timeOf(text(before)) };
    return span.from_millis === null && span.before_millis === null ? {} : { [member]: span };
  };
  const valid = timeOf(text('valid_at'));
  return {
    ...between('event_time', 'since', 'until'),
    ...between('created', 'created_from', 'created_before'),
    ...between('modified', 'changed_from', 'changed_before'),
    ...(valid === null ? {} : { valid_at_millis: valid }),
  };
}

/** Returns the tags of a text in which commas separate them. */
export function tagsOf(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ''))];
}

/** Returns the times of an address that are none, which searches leave out. */
export function wrongTimes(query: URLSearchParams): readonly (typeof timeNames)[number][] {
  return timeNames.filter((name) => {
    const text = query.get(name)?.trim() ?? '';
    return text !== '' && timeOf(text) === null;
  });
}

/** Returns a time of an address or of a field; null for none. */
export function timeOf(text: string): number | null {
  return millisOfTime(text) ?? null;
}
