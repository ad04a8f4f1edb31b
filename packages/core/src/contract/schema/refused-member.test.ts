/** What a refused value is said to be expected as: paths and words, never the value. */
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { closed, jsonObject, jsonValue, orNull } from './document.js';
import { DUPLICATE_MARK } from './json-duplicates.js';
import { boundedInteger, boundedNumber, integer } from './number.js';
import { memberNamed, refusedMember } from './refused-member.js';
import { hexDigest, textId, textMap, textOf } from './text.js';
import { uuid } from './uuid.js';

const VALUE = 'sent-secret-value';

const schema = closed({
  name: v.optional(textId()),
  id: v.optional(uuid()),
  count: v.optional(integer(1, 9)),
  share: v.optional(boundedNumber(0, 1, 'inclusive')),
  limit: v.optional(boundedInteger(1, 5)),
  on: v.optional(v.boolean()),
  mode: v.optional(v.picklist(['open', 'shut'])),
  list: v.optional(v.pipe(v.array(closed({ kind: v.literal('a') })), v.maxLength(2))),
  map: v.optional(textMap({ entriesMax: 1, bytesMax: 4 })),
  free: v.optional(v.record(v.string(), v.number())),
  digest: v.optional(hexDigest()),
  text: v.optional(textOf(4)),
  object: v.optional(jsonObject()),
  value: v.optional(jsonValue()),
  choice: v.optional(v.variant('type', [closed({ type: v.literal('x') })])),
  nullable: orNull(v.string()),
});

const members = (value: unknown) => {
  const { issues = [] } = v.safeParse(schema, value);
  return issues.map(refusedMember);
};

test.each<[unknown, string, string]>([
  [VALUE, '', 'an object'],
  [[], '', 'an object'],
  [{ name: 7 }, 'name', 'a string'],
  [{ name: '' }, 'name', '1 to 256 UTF-8 bytes, not blank, without control characters'],
  [{ id: VALUE }, 'id', 'a UUID with hyphens'],
  [{ count: VALUE }, 'count', 'an integer from 1 to 9'],
  [{ share: 2 }, 'share', 'a number from 0 to 1'],
  [{ share: VALUE }, 'share', 'a number'],
  [{ limit: 6 }, 'limit', 'an integer from 1 to 5'],
  [{ on: VALUE }, 'on', 'true or false'],
  [{ mode: VALUE }, 'mode', '"open" or "shut"'],
  [{ list: VALUE }, 'list', 'an array'],
  [{ list: [{ kind: 'a' }, { kind: VALUE }] }, 'list[1].kind', '"a"'],
  [{ list: [{}] }, 'list[0].kind', 'a value, since this member is required'],
  [{ list: Array(3).fill({ kind: 'a' }) }, 'list', 'at most 2 items'],
  [{ map: { a: 1 } }, 'map', 'an object with texts as members'],
  [
    { map: { a: VALUE } },
    'map',
    'at most 1 members, names and values of 1 to 4 UTF-8 bytes and not blank',
  ],
  [{ free: { known: VALUE } }, 'free.known', 'a number'],
  [{ free: { 'a strange\u0000 name': VALUE } }, 'free', 'in each member: a number'],
  [{ digest: VALUE }, 'digest', '64 lower-case hexadecimal digits'],
  [{ text: VALUE }, 'text', '1 to 4 UTF-8 bytes, not blank'],
  [{ object: [VALUE] }, 'object', 'a JSON object'],
  [{ choice: { type: VALUE } }, 'choice.type', '"x"'],
  [{ nullable: 5 }, 'nullable', 'a string'],
  [{ unknown: VALUE }, 'unknown', 'no such member'],
  [{ 'not plain': VALUE }, '', 'known members only'],
  [{ [`ak_live_${'a'.repeat(38)}`]: VALUE }, '', 'known members only'],
  [{ list: [{ kind: 'a', [DUPLICATE_MARK]: true }] }, 'list[0]', 'each member once'],
])('%j is refused at %j', (value, path, expected) => {
  expect(members(value)).toEqual([{ path, expected }]);
});

test('a name of the caller is repeated if it is plain', () => {
  expect(memberNamed('limit', 'x')).toEqual({ path: 'limit', expected: 'x' });
  for (const name of ['', 'a b', 'a\n', 'x'.repeat(65), 'é']) {
    expect(memberNamed(name, 'x')).toEqual({ path: '', expected: 'x' });
  }
});
