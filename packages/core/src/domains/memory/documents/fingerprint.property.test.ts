/** Changes that differ in one member have different fingerprints. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameDocument } from '../../../contract/schema/document-digest.js';
import { fingerprintOf } from './normal-form.js';
import type { MemoryChange, RecordPayload } from './schema.js';

type Content = RecordPayload['content'];

const textOrNull = fc.option(fc.string({ maxLength: 4 }));
const float = fc.float({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0);
const scope = {
  project_id: 'p',
  mission_id: null,
  agent_id: 'a',
  visibility: 'shared' as const,
};
const jsonMembers = fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 2 }));

/** Small values, so that equal ones in neighbouring members are common. */
const content: { [K in keyof Content]-?: fc.Arbitrary<Content[K]> } = {
  primary: fc.string({ maxLength: 4 }),
  secondary: textOrNull,
  context: textOrNull,
  data: fc.option(fc.jsonValue({ maxDepth: 2 })),
  embedding: fc.option(fc.array(float, { maxLength: 3 })),
};
const payload: { [K in keyof RecordPayload]-?: fc.Arbitrary<RecordPayload[K]> } = {
  episode_type: fc.oneof(
    fc.constantFrom('Conversation', 'TaskExecution', 'Observation', 'Decision', 'Error'),
    fc.record({ Custom: fc.oneof(fc.constant('Error'), fc.string({ maxLength: 4 })) }),
  ),
  content: fc.record<Content>(content),
  event_time_millis: fc.integer({ min: -3, max: 3 }),
  valid_until_millis: fc.option(fc.integer({ min: -3, max: 3 })),
  tags: fc.array(fc.string({ maxLength: 4 }), { maxLength: 3 }),
  metadata: jsonMembers,
  source: fc.option(fc.constantFrom('user' as const, 'model' as const), { nil: undefined }),
  derived_from: fc.option(
    fc.array(
      fc.record({
        scope: fc.option(fc.constant(scope)),
        record_id: fc.uuid(),
        revision: fc.integer({ min: 1, max: 2 }),
      }),
      { minLength: 1, maxLength: 2 },
    ),
    { nil: undefined },
  ),
  supersedes: fc.option(
    fc.array(fc.record({ record_id: fc.uuid(), revision: fc.integer({ min: 1, max: 2 }) }), {
      minLength: 1,
      maxLength: 2,
    }),
    { nil: undefined },
  ),
  // No command states it.
  superseded_by: fc.constant(undefined),
};
const record = fc.record<RecordPayload>(payload);
const target = { record_id: fc.uuid(), expected_revision: fc.nat({ max: 3 }) };

const dependents = fc.option(fc.constantFrom('report' as const, 'cascade' as const), {
  nil: undefined,
});

const revision = fc.integer({ min: 1, max: 4 });

const named = {
  name: fc.string({ maxLength: 4 }),
  expected_revision: fc.option(fc.nat({ max: 3 })),
};

type KindArbitraries = {
  [C in MemoryChange as C['type']]: { [K in Exclude<keyof C, 'type'>]: fc.Arbitrary<C[K]> };
};
const kinds: KindArbitraries = {
  create: { record },
  update: { ...target, record },
  delete: { ...target, dependents },
  put: { ...named, record },
  remove: { ...named, dependents },
  restore: { ...target, revision },
  redact: { record_id: target.record_id, revision, dependents },
};

/** Every member in which changes can differ, as a path. */
const paths = Object.entries(kinds).flatMap(([type, members]) =>
  Object.keys(members).flatMap((member) =>
    member === 'record' ? recordPaths(type) : [[type, member]],
  ),
);

function recordPaths(type: string): string[][] {
  return Object.keys(payload).flatMap((name) => {
    const path = [type, 'record', name];
    return name === 'content' ? Object.keys(content).map((each) => [...path, each]) : [path];
  });
}

/** Copies a document, with the value at a path taken from another one. */
function graft(document: unknown, other: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return other;
  const members = document as Record<string, unknown>;
  const others = other as Record<string, unknown>;
  return { ...members, [name]: graft(members[name], others[name], rest) };
}

function changeOf(type: string): fc.Arbitrary<MemoryChange> {
  const members = kinds[type as MemoryChange['type']] as Record<string, fc.Arbitrary<unknown>>;
  return fc.record({ type: fc.constant(type), ...members }) as fc.Arbitrary<MemoryChange>;
}

const titled = paths.map(([type = '', ...path]) => [type, path.join('.'), path] as const);

test.each(titled)(
  'two %s changes with different %s differ in fingerprint',
  (type, _title, path) => {
    fc.assert(
      fc.property(changeOf(type), changeOf(type), (one, other) => {
        const changed = graft(one, other, path) as MemoryChange;
        const isSame = isSameDocument(one, changed);
        expect(fingerprintOf(one) === fingerprintOf(changed)).toBe(isSame);
      }),
    );
  },
);

test('changes of different kinds have different fingerprints', () => {
  fc.assert(
    fc.property(fc.tuple(...Object.keys(kinds).map(changeOf)), (changes) => {
      const found = new Set(changes.map((change) => fingerprintOf(change)));
      expect(found.size).toBe(changes.length);
    }),
  );
});
