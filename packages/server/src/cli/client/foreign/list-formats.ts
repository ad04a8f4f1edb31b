/** Formats that are a list of memories: those of mem0, and items of a store of LangGraph. */
import {
  elementsOf,
  type ForeignItem,
  type ForeignPart,
  membersOf,
  nameFrom,
  partAt,
  shownText,
  textOf,
} from './foreign-item.js';
import { atTime, timeIn } from './foreign-time.js';

const DAY = /^\d{4}-\d\d-\d\d$/;
const DAY_MS = 86_400_000;

/** The memories of mem0, as `getAll()`, `get_all()` and the export of the platform return them. */
export function mem0Parts(place: string, value: unknown): ForeignPart[] {
  return listIn(value, 'results', 'memories').map((each, at) =>
    partAt(placeOf(place, at, each), () => mem0Item(each)),
  );
}

function mem0Item(value: unknown): ForeignItem {
  const members = membersOf(value);
  const metadata = membersOf(members['metadata']);
  const primary = textOf(members['memory'], members['text'], members['data']);
  const id = textOf(members['id'], members['hash']);
  if (primary === undefined) throw new TypeError('The memory has no text.');
  const owners = ['user_id', 'agent_id', 'run_id'].flatMap((member) => {
    const owner = textOf(members[member], members[camelCase(member)]);
    return owner === undefined ? [] : [`${member}:${owner}`];
  });
  const expires = ['expiration_date', 'expirationDate']
    .flatMap((member) => [members[member], metadata[member]])
    .find((each) => each !== undefined && each !== null);
  const { created_at, createdAt } = members;
  return {
    ...(id === undefined ? {} : { name: nameFrom('mem0', id) }),
    record: {
      content: { primary, data: metadata },
      ...atTime({ created_at, createdAt }),
      ...(expires === undefined ? {} : { valid_until_millis: endOf(expires) }),
      tags: ['mem0', ...owners, ...elementsOf(members['categories']).map(shownText)],
    },
  };
}

/** Returns the end of an expiry. A day is its whole day in UTC. */
function endOf(expires: unknown): number {
  const start = timeIn('expiration_date', expires);
  return typeof expires === 'string' && DAY.test(expires.trim()) ? start + DAY_MS : start;
}

/** Items of a store of LangGraph: namespace, key and value, as `search()` returns them. */
export function langgraphParts(place: string, value: unknown): ForeignPart[] {
  return listIn(value, 'items').map((each, at) =>
    partAt(placeOf(place, at, each), () => langgraphItem(membersOf(each))),
  );
}

const TEXTS = ['text', 'content', 'memory', 'data', 'value', 'summary'] as const;

function langgraphItem({ namespace, key, value, ...times }: Record<string, unknown>): ForeignItem {
  if (!Array.isArray(namespace) || typeof key !== 'string') {
    throw new TypeError('The item has no namespace or no key.');
  }
  const members = membersOf(value);
  const { updated_at, updatedAt, created_at, createdAt } = times;
  const path = namespace.map(String);
  return {
    name: nameFrom('langgraph', ...path, key),
    record: {
      content: {
        primary: textOf(...TEXTS.map((name) => members[name])) ?? JSON.stringify(value ?? null),
        data: value ?? null,
      },
      ...atTime({ updated_at, updatedAt, created_at, createdAt }),
      tags: ['langgraph', `namespace:${path.join('/')}`],
    },
  };
}

/** Names an item by its number, and by its id or key if it has one. */
function placeOf(place: string, at: number, value: unknown): string {
  const { id, key } = membersOf(value);
  const named = textOf(id, key);
  return named === undefined ? `${place}, item ${at + 1}` : `${place}, item ${at + 1} (${named})`;
}

/**
 * Returns the list that a value is, or that one of its members is.
 * @throws {TypeError} for a value that is neither.
 */
export function listIn(value: unknown, ...members: readonly string[]): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const found = members.map((name) => membersOf(value)[name]).find(Array.isArray);
  if (found !== undefined) return found as unknown[];
  // One of several lines.
  if (Object.keys(membersOf(value)).length > 0) return [value];
  throw new TypeError('The file is neither a list nor an object with one.');
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
