/** Ids and text (docs/contract/conventions.md#con-139). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import type { Caller } from '../harness/caller.js';
import {
  badTexts,
  goodTexts,
  minimalRecord,
  openPolicy,
  scope,
  spec,
} from '../harness/documents.js';
import { testCase, type Fixture } from '../harness/fixture.js';

/** Each member that the text rule applies to; returns the outcome of using a text there. */
const places: readonly (readonly [string, (t: Fixture, text: string) => Promise<string>])[] = [
  ['subject_id', async ({ admin }, text) => outcome(await admin.issue(spec({ subject_id: text })))],
  ...(['project_id', 'mission_id', 'agent_id'] as const).map(
    (member) =>
      [
        `${member} of a grant`,
        async ({ admin }: Fixture, text: string) =>
          outcome(await admin.issue(spec({ grants: [{ ...scope, [member]: text }] }))),
      ] as const,
  ),
  ...(['projects', 'missions', 'agents'] as const).map(
    (member) =>
      [
        `${member} of a policy`,
        async ({ admin }: Fixture, text: string) => {
          const scope_policy = { ...openPolicy, [member]: { mode: 'only', ids: [text] } };
          return outcome(await admin.issue(spec({ scope_policy })));
        },
      ] as const,
  ),
  ...(['project_id', 'mission_id', 'agent_id'] as const).map(
    (member) =>
      [
        `${member} of a scope`,
        async (t: Fixture, text: string) => {
          const place = { ...scope, [member]: text };
          return outcome(await (await everywhere(t)).create(place));
        },
      ] as const,
  ),
  ...(['project_id', 'mission_id', 'agent_id'] as const).map(
    (member) =>
      [
        `${member} of a query string`,
        async (t: Fixture, text: string) => {
          const agent = await everywhere(t);
          const place = { ...scope, [member]: text };
          const id = member === 'mission_id' || text === '' ? null : text;
          if (id === null || !goodTexts.some(([, good]) => good === text)) {
            return outcome(await agent.read(place, 'malformed')).replace('404', '400');
          }
          return outcome(await agent.read(place, await agent.created(place)));
        },
      ] as const,
  ),
  [
    'idempotency_key',
    async (t, text) => outcome(await (await everywhere(t)).create(scope, minimalRecord, text)),
  ],
];

function everywhere({ admin }: Fixture): Promise<Caller> {
  const capabilities = ['memory_read', 'memory_write'];
  return admin.appoint(spec({ capabilities, scope_policy: openPolicy }));
}

describe('text rule', () => {
  for (const [place, use] of places) {
    testCase(`CON-141 texts that break the rule are refused: ${place}`, async (t) => {
      for (const [name, text] of badTexts) expect(await use(t, text), name).toBe(refused.invalid);
    });
  }

  for (const [place, use] of places.filter(([name]) => !name.includes('query string'))) {
    testCase(`texts at its limits are accepted: ${place}`, async (t) => {
      for (const [name, text] of goodTexts) expect(await use(t, text), name).toMatch(/^20[01]$/);
    });
  }

  testCase('CON-142 text is opaque', async (t) => {
    const spellings = ['a', 'A', 'a ', ' a', 'é', 'e\u0301', 'ａ', 'a\ufeff', 'a\u200b', '-', '*'];
    const agent = await everywhere(t);
    for (const project_id of spellings) await agent.created({ ...scope, project_id });
    for (const project_id of spellings) {
      const answer = result(await agent.query({ ...scope, project_id }));
      expect(answer.page.records).toHaveLength(1);
      expect(answer.scope.project_id).toBe(project_id);
      const own = await agent.read({ ...scope, project_id }, answer.page.records[0]?.record_id);
      expect(result(own).scope.project_id).toBe(project_id);
    }
    const { credential } = result(await t.admin.issue(spec({ subject_id: ' s ' })));
    expect(credential.spec.subject_id).toBe(' s ');
  });

  testCase('CON-142, CRD-29 grants and keys are compared exactly', async (t) => {
    const agent = await t.agent();
    for (const project_id of ['P', 'p ', ' p', 'p\u200b']) {
      expect(outcome(await agent.query({ ...scope, project_id }))).toBe(refused.forbidden);
    }
    const ids = new Set<string>();
    for (const key of ['k', 'K', 'k ', 'é', 'e\u0301']) {
      ids.add(result(await agent.create(scope, minimalRecord, key)).receipt.record_id);
    }
    expect(ids.size).toBe(5);
  });
});

describe('UUIDs', () => {
  const malformed = (id: string) => [
    id.replaceAll('-', ''),
    `{${id}}`,
    `urn:uuid:${id}`,
    id.slice(1),
    `${id}0`,
    id.replace(/[0-9a-f]$/, 'g'),
    id.replace('-', '_'),
    'x',
  ];

  testCase('CON-139 paths take either case, and no other spelling', async (t) => {
    const agent = await t.agent();
    const id = await agent.created(scope);
    const shown = result(await t.admin.inspect(agent.id.toUpperCase())).credential;
    expect(shown.id).toBe(agent.id);
    expect(result(await agent.read(scope, id.toUpperCase())).record.record_id).toBe(id);
    for (const bad of malformed(id)) {
      expect(outcome(await agent.read(scope, bad)), bad).toBe(refused.invalid);
      expect(outcome(await t.admin.inspect(bad)), bad).toBe(refused.invalid);
      expect(outcome(await t.admin.rotate(bad, 1)), bad).toBe(refused.invalid);
    }
    expect(result(await t.admin.rotate(agent.id.toUpperCase(), 1)).credential.id).toBe(agent.id);
  });

  testCase('CON-139 bodies take either case, and no other spelling', async (t) => {
    const agent = await t.agent();
    const id = await agent.created(scope);
    const { receipt } = result(await agent.update(scope, [id.toUpperCase(), 1]));
    expect(receipt.record_id).toBe(id);
    expect(await agent.found(scope, { after: id.toUpperCase() })).toEqual([]);
    for (const bad of [...malformed(id), '', null, 1]) {
      expect(outcome(await agent.update(scope, [bad, 2])), String(bad)).toBe(refused.invalid);
      if (bad === null) continue;
      const query = await agent.query(scope, { after: bad });
      expect(outcome(query), String(bad)).toBe(refused.invalid);
    }
  });

  testCase('CON-140 ids have version 7 and are in order of creation', async (t) => {
    const agent = await t.agent();
    const ids: string[] = [];
    for (let made = 0; made < 50; made += 1) {
      ids.push(await agent.created(scope));
      if (made === 25) t.clock.stepTo(t.clock.now() - 10_000);
      if (made === 35) t.clock.advance(1);
    }
    expect(ids).toEqual(ids.toSorted());
    expect(await agent.found(scope)).toEqual(ids);
    for (const id of [...ids, agent.id, t.admin.id]) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
  });
});
