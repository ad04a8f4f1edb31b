/**
 * Closed documents, required members and integers, on both transports
 * (docs/contract/conventions.md#con-114).
 */
import { describe, expect } from 'vitest';
import { type Answer, outcome, refused } from '../harness/answer.js';
import type { Caller } from '../harness/caller.js';
import { minimalRecord, minimalSpec, openPolicy, record, scope } from '../harness/documents.js';
import { unknownId } from '../harness/documents.js';
import { attempt, SHA } from '../experiences/experience-fixture.js';
import { testCase } from '../harness/fixture.js';
import { proposal, request } from '../tools/tool-fixture.js';

const capabilities = [
  ...['memory_write', 'memory_read', 'credential_admin', 'tool_develop', 'tool_report'],
  ...['experience_write', 'experience_report', 'experience_read'],
];

describe('documents', () => {
  type Call = (caller: Caller, document: unknown) => Promise<Answer>;
  const calls: readonly (readonly [string, Call, Record<string, unknown>])[] = [
    [
      'issue',
      (caller, document) => caller.call('issueCredential', { document }),
      { contract_version: 1, spec: { ...minimalSpec, grants: [scope] } },
    ],
    [
      'scope authority',
      (caller, document) => caller.call('changeScopeAuthority', { id: unknownId, document }),
      {
        contract_version: 1,
        expected_revision: 1,
        authority: { grants: [], scope_policy: openPolicy },
      },
    ],
    [
      'command',
      (caller, document) => caller.call('executeMemoryCommand', { document }),
      {
        contract_version: 1,
        idempotency_key: 'k',
        scope,
        operation: { type: 'create', record: record({ episode_type: { Custom: 'c' } }) },
      },
    ],
    [
      'query',
      (caller, document) => caller.call('queryMemory', { document }),
      { contract_version: 1, scope, filter: { limit: 1 } },
    ],
    [
      'search',
      (caller, document) => caller.call('searchMemory', { document }),
      {
        contract_version: 1,
        scopes: [scope],
        filter: {
          words: { text: 'x' },
          tags: { all: ['x'] },
          author: { subject_id: 'x' },
          event_time: { from_millis: 0 },
          members: [{ of: 'metadata', path: ['x'], exists: true }],
        },
        counts: { by: ['tag'] },
      },
    ],
    [
      'artifact',
      (caller, document) => caller.call('registerToolArtifact', { document }),
      { contract_version: 1, scope, artifact: { ...proposal, input_schema: true } },
    ],
    [
      'development',
      (caller, document) => caller.call('requestToolDevelopment', { document }),
      { contract_version: 1, scope, request },
    ],
    [
      'report',
      (caller, document) => caller.call('recordToolDevelopmentEvent', { document }),
      {
        contract_version: 1,
        scope,
        request_id: 'r1',
        command: {
          event_id: 'e1',
          expected_revision: 1,
          action: {
            type: 'report',
            report: {
              executor_profile_digest: 'x',
              outcome: 'succeeded',
              evidence_ref: 'log',
              artifact: { ...proposal, input_schema: true },
            },
          },
        },
      },
    ],
    [
      'attempt',
      (caller, document) => caller.call('registerExperience', { document }),
      {
        contract_version: 1,
        scope,
        request: { ...attempt, parent: { attempt_id: 'a0', event_id: 'e1' } },
      },
    ],
    [
      'observation',
      (caller, document) => caller.call('recordExperienceEvent', { document }),
      {
        contract_version: 1,
        scope,
        attempt_id: 'a1',
        command: {
          event_id: 'e1',
          expected_revision: 1,
          context_digest: SHA,
          outcome: 'unknown',
          evidence: { reference: 'log', sha256: SHA },
        },
      },
    ],
    [
      'history',
      (caller, document) => caller.call('readExperienceHistory', { document }),
      {
        contract_version: 1,
        scope,
        attempt_id: 'a1',
        query: {
          limit: 1,
          cursor: { receipt_digest: SHA, through_event_id: 'e1', after_event_id: 'e1' },
        },
      },
    ],
  ];

  /** Returns copies of a document, each broken at one object, with names. */
  function spoilt(
    document: unknown,
    spoil: (object: Record<string, unknown>) => unknown,
  ): readonly (readonly [where: string, document: unknown])[] {
    if (typeof document !== 'object' || document === null) return [];
    const inner = Object.entries(document).flatMap(([name, value]) =>
      spoilt(value, spoil).map(([where, copy]) => {
        const whole = Array.isArray(document)
          ? document.with(Number(name), copy)
          : { ...document, [name]: copy };
        return [`${name}.${where}`, whole] as const;
      }),
    );
    if (Array.isArray(document)) return inner;
    return [['', spoil(document as Record<string, unknown>)], ...inner];
  }

  for (const [name, call, document] of calls) {
    testCase(`CON-103 an unknown member of any object is refused: ${name}`, async (t) => {
      const agent = await t.agent({
        capabilities,
      });
      for (const stray of ['extra', 'Extra', '', 'constructor', 'toString', '__proto__']) {
        const copies = spoilt(document, (object) => {
          const pairs = [...Object.entries(object), [stray, null] as const];
          return JSON.parse(
            `{${pairs.map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v)}`).join()}}`,
          );
        });
        for (const [where, copy] of copies) {
          expect(outcome(await call(agent, copy)), `${where}${stray}`).toBe(refused.invalid);
        }
      }
      const stored = await agent.found(scope);
      expect(stored).toEqual([]);
    });

    testCase(
      `CON-108, CON-78 an array or text instead of any object is refused: ${name}`,
      async (t) => {
        const agent = await t.agent({
          capabilities,
        });
        const replacements = [[], [1], 'text', 1, true, [['a', 1]]];
        for (const replacement of replacements) {
          for (const [where, copy] of spoilt(document, () => replacement)) {
            expect(outcome(await call(agent, copy)), where).toBe(refused.invalid);
          }
        }
      },
    );
  }

  testCase('MEM-17, CON-104 a missing, null or mistyped required member is refused', async (t) => {
    const agent = await t.agent();
    const command: Record<string, unknown> = {
      contract_version: 1,
      idempotency_key: 'k',
      scope,
      operation: { type: 'create', record: minimalRecord },
    };
    for (const name of Object.keys(command)) {
      for (const value of [undefined, null, {}, [], true]) {
        const document = { ...command, [name]: value };
        const answer = await agent.call('executeMemoryCommand', { document });
        expect(outcome(answer), `${name} ${JSON.stringify(value)}`).toBe(refused.invalid);
      }
    }
    expect(outcome(await agent.call('executeMemoryCommand', {}))).toBe(refused.invalid);
  });

  testCase('CON-110 null is not accepted for members with defaults', async (t) => {
    const agent = await t.agent();
    for (const members of [{ tags: null }, { metadata: null }]) {
      expect(outcome(await agent.create(scope, record(members)))).toBe(refused.invalid);
    }
    for (const filter of [{ scan_limit: null }, { limit: null }, { tags: null }]) {
      expect(outcome(await agent.query(scope, filter))).toBe(refused.invalid);
    }
  });

  testCase('CON-149 integers have a range and no fraction', async (t) => {
    const id = (await t.agent()).id;
    for (const revision of [1.5, -1, 2 ** 53, '1', true, null, [1]]) {
      expect(outcome(await t.admin.rotate(id, revision))).toBe(refused.invalid);
    }
    for (const revision of [0, 2 ** 53 - 1]) {
      expect(outcome(await t.admin.rotate(id, revision))).toBe(refused.stale);
    }
  });

  testCase('CON-80 contract versions', async (t) => {
    const issue = (contract_version: unknown) =>
      t.admin.call('issueCredential', { document: { contract_version, spec: minimalSpec } });
    for (const version of [0, 2, 99, 2 ** 53 - 1]) {
      expect(outcome(await issue(version))).toBe(refused.version);
    }
    for (const version of [undefined, null, '1', 1.5, -1, 2 ** 53, true, [1]]) {
      expect(outcome(await issue(version))).toBe(refused.invalid);
    }
  });
});
