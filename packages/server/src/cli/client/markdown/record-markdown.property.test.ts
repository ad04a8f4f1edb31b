/** Any record comes back from its Markdown as the same record. */
import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { readFrontMatter } from './front-matter.js';
import { isRecordMarkdown, recordMarkdown, recordOfMarkdown } from './record-markdown.js';

const EVENT_TIME_MILLIS_MIN = -8_334_601_228_800_000;
const EVENT_TIME_MILLIS_MAX = 8_210_266_876_799_999;

/** Texts of people, and what YAML, Markdown and editors treat in their own way. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }).map((each) => each.toWellFormed()),
  fc.constantFrom(
    '---\nhead: x\n---\nbody',
    '\u{feff}mark',
    ' leading and trailing \n\n',
    'line\r\nof Windows\r',
    '"quotes" and \\ backslashes: # no comment',
    'null',
    '0123',
    '1e400',
    '- item',
    '~',
    '<<',
    '\u0085\u2028\u2029',
    'a: b\n  c: d',
    '2026-01-31',
    '',
  ),
);

const json = fc.jsonValue({ stringUnit: 'binary', maxDepth: 3 }).map((value) => {
  // No store has half a surrogate pair, and JSON has no -0.
  return JSON.parse(
    JSON.stringify(value)
      .toWellFormed()
      .replaceAll(/\\ud[89a-f]../g, 'x'),
  ) as unknown;
});

const memberName = fc.oneof(text, fc.constantFrom('__proto__', '<<', 'name', '1'));
const object = fc.dictionary(memberName, json, { noNullPrototype: true });

const time = fc.oneof(
  fc.integer({ min: EVENT_TIME_MILLIS_MIN, max: EVENT_TIME_MILLIS_MAX }),
  fc.date({ noInvalidDate: true }).map((date) => date.getTime()),
);

const payload = fc.record({
  episode_type: fc.oneof(
    fc.constantFrom('Conversation' as const, 'Observation' as const, 'Error' as const),
    text.map((Custom) => ({ Custom })),
  ),
  content: fc.record({
    primary: text,
    secondary: fc.option(text),
    context: fc.option(text),
    data: fc.option(fc.oneof(json, object)),
    embedding: fc.constant(null),
  }),
  event_time_millis: time,
  valid_until_millis: fc.option(time),
  tags: fc.array(text, { maxLength: 4 }),
  metadata: object,
  source: fc.option(fc.constantFrom('user' as const, 'import' as const), { nil: undefined }),
});

test('CMD-29 any record is the same after Markdown', () => {
  fc.assert(
    fc.property(payload, fc.option(text, { nil: undefined }), (given, name) => {
      const written = recordMarkdown({ record_id: 'id', name, revision: 1, payload: given });
      const { members = {}, body } = readFrontMatter(written);
      expect(isRecordMarkdown(members)).toBe(true);
      const back = recordOfMarkdown(members, body);
      expect(back.name).toBe(name);
      const { primary, secondary, context, data } = given.content;
      const content = { primary, secondary, context, data };
      const { source, ...others } = given;
      const wanted = { ...others, content, ...(source === undefined ? {} : { source }) };
      const defaults = {
        episode_type: 'Observation',
        valid_until_millis: null,
        tags: [],
        metadata: {},
      };
      expect({ ...defaults, ...back.record }).toStrictEqual(wanted);
    }),
    { seed: inject('seed'), numRuns: 500 },
  );
});
