/**
 * Property tests of strict JSON against models and the JSON of the runtime.
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertJson, canonicalJson, DUPLICATE_MARK, InvalidJsonError, parseJson } from './json.js';
import { type JsonObject, type JsonValue, setMember } from './json-value.js';

const encoder = new TextEncoder();
const names = fc.oneof(
  fc.constantFrom('a', 'b', '', ':', '1', '__proto__', 'constructor', 'toString', '"\\', '\uFFFF'),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const scalars = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, false, 0, -1, 1e300, 5e-324),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ unit: 'binary' }),
);
const space = fc.stringMatching(/^[ \t\r\n]{0,2}$/);

/** A JSON text before it is written: objects are lists, so that names may come twice. */
type Draft = { elements: Draft[] } | { members: [string, Draft][] } | { scalar: JsonValue };

const { draft } = fc.letrec<{ draft: Draft }>((tie) => ({
  draft: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    scalars.map((scalar) => ({ scalar })),
    fc.array(tie('draft'), { maxLength: 4 }).map((elements) => ({ elements })),
    fc.array(fc.tuple(names, tie('draft')), { maxLength: 5 }).map((members) => ({ members })),
  ),
}));

function write(node: Draft, gap: string, escapes: boolean): string {
  const text = (value: JsonValue) => {
    const written = JSON.stringify(value);
    return escapes && typeof value === 'string' ? escaped(value) : written;
  };
  if ('scalar' in node) return gap + text(node.scalar) + gap;
  if ('elements' in node) {
    return `[${gap}${node.elements.map((element) => write(element, gap, escapes)).join(',')}]`;
  }
  const members = node.members.map(
    ([name, value]) => `${gap}${text(name)}${gap}:${write(value, gap, escapes)}`,
  );
  return `{${members.join(',')}${gap}}`;
}

function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
}

function read(node: Draft, marks: boolean): JsonValue {
  if ('scalar' in node) return node.scalar;
  if ('elements' in node) return node.elements.map((element) => read(element, marks));
  const object: JsonObject = {};
  for (const [name, value] of node.members) setMember(object, name, read(value, marks));
  const hasDuplicate = Object.keys(object).length < node.members.length;
  if (hasDuplicate && marks) object[DUPLICATE_MARK] ??= true;
  return object;
}

function hasDuplicate(node: Draft): boolean {
  if ('scalar' in node) return false;
  if ('elements' in node) return node.elements.some(hasDuplicate);
  const own = new Set(node.members.map(([name]) => name)).size < node.members.length;
  return own || node.members.some(([, value]) => hasDuplicate(value));
}

test('texts with and without duplicate members read as the model says', () => {
  fc.assert(
    fc.property(draft, space, fc.boolean(), (node, gap, escapes) => {
      const parsed = parseJson(encoder.encode(write(node, gap, escapes)));
      expect(JSON.stringify(parsed.value)).toBe(JSON.stringify(read(node, false)));
      const marked = hasDuplicate(node) ? JSON.stringify(read(node, true)) : undefined;
      expect(JSON.stringify(parsed.withDuplicatesMarked)).toBe(marked);
    }),
    { numRuns: 2_000 },
  );
});

test('values round-trip, and are JSON in memory as well', () => {
  fc.assert(
    fc.property(draft, (node) => {
      const value = read(node, false);
      const { value: again } = parseJson(encoder.encode(JSON.stringify(value)));
      expect(JSON.stringify(again)).toBe(JSON.stringify(value));
      expect(assertJson(value)).toBe(value);
    }),
  );
});

test('mutated texts are read as the runtime reads them, or refused', () => {
  const edits = fc.array(
    fc.record({
      at: fc.nat(200),
      remove: fc.nat(2),
      insert: fc.constantFrom('', '"', ':', ',', '\\', '\\u', '{', ']', '1e400', '\\ud800', 'é'),
    }),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(draft, edits, fc.boolean(), (node, changes, escapes) => {
      let text = write(node, '', escapes);
      for (const { at, remove, insert } of changes) {
        text = text.slice(0, at) + insert + text.slice(at + remove);
      }
      try {
        const { value } = parseJson(encoder.encode(text));
        expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text.toWellFormed())));
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidJsonError);
      }
    }),
    { numRuns: 3_000 },
  );
});

test('arbitrary bytes are read or refused, and nothing else', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
      try {
        parseJson(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidJsonError);
      }
    }),
  );
});

test('the canonical text ignores the order of members, and loses nothing else', () => {
  const orders = fc
    .uniqueArray(fc.tuple(names, draft), { selector: ([name]) => name })
    .chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
  fc.assert(
    fc.property(orders, ([members, shuffled]) => {
      const value = read({ members }, false);
      const text = canonicalJson(value);
      expect(canonicalJson(read({ members: shuffled }, false))).toBe(text);
      const again = parseJson(encoder.encode(text));
      expect(again.withDuplicatesMarked).toBeUndefined();
      // Only the sign of zero is lost, as it is in the plain text.
      expect(isDeepStrictEqual(again.value, JSON.parse(JSON.stringify(value)))).toBe(true);
    }),
  );
});
