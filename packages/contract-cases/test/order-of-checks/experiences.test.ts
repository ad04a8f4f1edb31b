/**
 * Order of checks of the operations on experiences (docs/contract/experiences.md): the earlier of
 * two faults decides the response.
 */
import { describe } from 'vitest';
import { refused, result } from '../harness/answer.js';
import { sharedScope } from '../harness/documents.js';
import { attempt, attempted, experienceParty } from '../experiences/experience-fixture.js';
import {
  as,
  expectOrder,
  type Fault,
  noProof,
  otherVersion,
  unknownMember,
} from '../harness/faults.js';
import { bothWays } from '../harness/fixture.js';

const scopeText: Fault = [
  'scope text',
  refused.invalid,
  ({ document }) => (document!['scope'] = { ...sharedScope, agent_id: ' ' }),
];
const grant: Fault = [
  'grant',
  refused.forbidden,
  ({ document }) => (document!['scope'] = { ...sharedScope, agent_id: 'z' }),
];
const member = (
  part: string,
  name: string,
  expected: string,
  members: Record<string, unknown>,
): Fault => [name, expected, ({ document }) => Object.assign(document![part] as object, members)];
const long = 'a'.repeat(513);

describe('experiences', () => {
  bothWays('EXP-43 register', async (t) => {
    const { writer, reporter } = await attempted(t);
    const request = (name: string, expected: string, members: Record<string, unknown>) =>
      member('request', name, expected, members);
    await expectOrder(t, {
      operation: 'registerExperience',
      valid: {
        token: writer.caller.token,
        document: {
          contract_version: 1,
          scope: { ...sharedScope },
          request: { ...attempt, id: 'new' },
        },
      },
      faults: [
        noProof,
        unknownMember,
        request('type', refused.invalid, { input: null }),
        otherVersion,
        scopeText,
        as(reporter.caller),
        grant,
        request('bounds', refused.invalid, { accounting_unit: ' ' }),
        request('used id', refused.otherCommand, { id: 'a1', accounting_unit: 'other' }),
        request('context', refused.noRecord, { context_id: 'nowhere' }),
        request('parent', refused.noRecord, { parent: { attempt_id: 'a0', event_id: 'e1' } }),
      ],
    });
  });

  bothWays('EXP-44 reads', async (t) => {
    const at = await attempted(t);
    await at.observed('e1', 1);
    const silent = await experienceParty(t, 's', ['experience_write', 'experience_report']);
    const reads = [
      ['readExperience', { attempt_id: 'a1' }],
      ['readExperienceEvent', { attempt_id: 'a1', event_id: 'e1' }],
    ] as const;
    for (const [operation, ids] of reads) {
      const last = Object.keys(ids).at(-1)!;
      await expectOrder(t, {
        operation,
        valid: {
          token: at.writer.caller.token,
          document: { contract_version: 1, scope: { ...sharedScope }, ...ids },
        },
        faults: [
          noProof,
          unknownMember,
          otherVersion,
          scopeText,
          as(silent.caller),
          grant,
          ['bounds', refused.invalid, ({ document }) => (document![last] = long)],
          ['unknown', refused.noRecord, ({ document }) => (document![last] = 'x')],
        ],
      });
    }
  });

  bothWays('LRN-37, LRN-46, EXP-45 observe', async (t) => {
    const at = await attempted(t);
    await at.observed('e1', 1, { outcome: 'succeeded', cost_units: 9 });
    const other = await experienceParty(t, 'other', ['experience_report']);
    const command = (name: string, expected: string, members: Record<string, unknown>) =>
      member('command', name, expected, members);
    await expectOrder(t, {
      operation: 'recordExperienceEvent',
      valid: {
        token: at.reporter.caller.token,
        document: {
          contract_version: 1,
          scope: { ...sharedScope },
          attempt_id: 'a1',
          command: at.command('new', 2, { outcome: 'succeeded' }),
        },
      },
      faults: [
        noProof,
        unknownMember,
        command('type', refused.invalid, { outcome: 'done' }),
        otherVersion,
        scopeText,
        as(at.writer.caller),
        grant,
        command('digest form', refused.invalid, { context_digest: 'x' }),
        ['unknown', refused.noRecord, ({ document }) => (document!['attempt_id'] = 'a2')],
        ['subject', refused.forbidden, (draft) => (draft.token = other.caller.token)],
        command('used event', refused.otherCommand, { event_id: 'e1' }),
        command('revision', refused.stale, { expected_revision: 1 }),
        command('outcome', refused.otherCommand, { outcome: 'failed' }),
        command('context', refused.otherCommand, { context_digest: 'f'.repeat(64) }),
        command('total', refused.invalid, { cost_units: 8 }),
      ],
    });
  });

  bothWays('EXP-46 history', async (t) => {
    const at = await attempted(t);
    await at.observed('e1', 1);
    const silent = await experienceParty(t, 's', ['experience_write', 'experience_report']);
    const { receipt_digest } = at.receipt;
    const cursor = { receipt_digest, through_event_id: 'e1', after_event_id: 'e1' };
    const set = (name: string, expected: string, members: Record<string, unknown>): Fault => [
      name,
      expected,
      ({ document }) => {
        const query = document!['query'] as Record<string, unknown>;
        query['cursor'] = { ...(query['cursor'] as object), ...members };
      },
    ];
    await expectOrder(t, {
      operation: 'readExperienceHistory',
      valid: {
        token: at.writer.caller.token,
        document: {
          contract_version: 1,
          scope: { ...sharedScope },
          attempt_id: 'a1',
          query: { limit: 1, cursor },
        },
      },
      faults: [
        noProof,
        unknownMember,
        otherVersion,
        scopeText,
        as(silent.caller),
        grant,
        member('query', 'limit', refused.invalid, { limit: 65 }),
        ['unknown', refused.noRecord, ({ document }) => (document!['attempt_id'] = 'a2')],
        set('receipt', refused.otherCommand, { receipt_digest: 'f'.repeat(64) }),
        set('after', refused.invalid, { after_event_id: 'e2' }),
      ],
    });
    result(await at.writer.history({ limit: 1, cursor }));
  });
});
