/** Lines of JSON of any kind, with a mapping from members of records to paths in the lines. */
import { UsageError } from '../../command/usage-error.js';
import { type ForeignItem, membersOf, nameFrom, shownText, tagsIn } from './foreign-item.js';
import { atTime } from './foreign-time.js';

/** Members of records that a mapping can fill. */
const targets = ['text', 'secondary', 'context', 'name', 'time', 'type', 'tags', 'data'] as const;
type Target = (typeof targets)[number];

/** Paths of names that are separated by dots, by the member that they fill. */
export type Mapping = ReadonlyMap<Target, string>;

/**
 * Reads a mapping from texts such as `text=body.message`.
 * @throws {UsageError} for anything else, and without `text`.
 */
export function mappingOf(given: readonly string[]): Mapping {
  const mapping = new Map<Target, string>();
  for (const each of given) {
    const [name, ...path] = each.split('=');
    const target = targets.find((one) => one === name);
    if (target === undefined || path.length === 0) {
      throw new UsageError(`--map takes <member>=<path>; members are ${targets.join(', ')}.`);
    }
    mapping.set(target, path.join('='));
  }
  if (!mapping.has('text')) throw new UsageError('--map text=<path> says where the text is.');
  return mapping;
}

/**
 * Returns the item of a line.
 * @throws {TypeError} for a line without a text.
 */
export function mappedItem(line: unknown, mapping: Mapping): ForeignItem {
  const at = (target: Target): unknown => valueAt(line, mapping.get(target));
  const primary = shown(at('text'));
  if (primary === undefined) throw new TypeError('The line has no text there.');
  const name = shown(at('name'));
  const type = shown(at('type'));
  return {
    ...(name === undefined ? {} : { name: nameFrom(name) }),
    record: {
      ...(type === undefined ? {} : { episode_type: { Custom: type } }),
      content: {
        primary,
        secondary: shown(at('secondary')) ?? null,
        context: shown(at('context')) ?? null,
        data: at('data') ?? null,
      },
      ...atTime({ time: at('time') }),
      tags: tagsIn(at('tags')),
    },
  };
}

function valueAt(value: unknown, path: string | undefined): unknown {
  if (path === undefined) return undefined;
  return path.split('.').reduce<unknown>((found, name) => {
    const members = membersOf(found);
    return Object.hasOwn(members, name) ? members[name] : undefined;
  }, value);
}

function shown(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return shownText(value);
}
