/**
 * Order of checks of the operations on tools (docs/contract/tools.md): the earlier of two faults
 * decides the response.
 */
import { describe } from 'vitest';
import { refused, result } from '../harness/answer.js';
import { sharedScope } from '../harness/documents.js';
import {
  as,
  expectOrder,
  type Fault,
  noProof,
  otherVersion,
  unknownMember,
} from '../harness/faults.js';
import { bothWays } from '../harness/fixture.js';
import { profile, proposal, request, toolParty, workshop } from '../tools/tool-fixture.js';

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

/** Sets members below a path of the document. */
const set =
  (path: readonly string[]) =>
  (name: string, expected: string, members: Record<string, unknown>): Fault => [
    name,
    expected,
    ({ document }) => {
      let place = document as Record<string, unknown>;
      for (const member of path) place = place[member] as Record<string, unknown>;
      Object.assign(place, members);
    },
  ];

const long = 'a'.repeat(513);

describe('executors', () => {
  bothWays('register', async (t) => {
    const { registrar, developer } = await workshop(t);
    const member = set(['profile']);
    await expectOrder(t, {
      operation: 'registerToolExecutor',
      valid: {
        token: registrar.caller.token,
        document: { contract_version: 1, profile: { ...profile } },
      },
      faults: [
        noProof,
        as(developer.caller),
        unknownMember,
        otherVersion,
        member('bounds', refused.invalid, { environment_revision: ' ' }),
        member('other content', refused.otherCommand, { permissions_revision: 'p2' }),
      ],
    });
  });

  bothWays('read', async (t) => {
    const { registrar, developer } = await workshop(t);
    await expectOrder(t, {
      operation: 'readToolExecutor',
      valid: { token: registrar.caller.token, id: 'w1' },
      faults: [
        noProof,
        as(developer.caller),
        ['id', refused.invalid, (draft) => (draft.id = long)],
        ['unknown', refused.noRecord, (draft) => (draft.id = 'w2')],
      ],
    });
  });
});

describe('artifacts', () => {
  bothWays('register', async (t) => {
    const { developer, worker } = await workshop(t);
    result(await developer.registerArtifact());
    const member = set(['artifact']);
    await expectOrder(t, {
      operation: 'registerToolArtifact',
      valid: {
        token: developer.caller.token,
        document: {
          contract_version: 1,
          scope: { ...sharedScope },
          artifact: { ...proposal, id: 'new' },
        },
      },
      faults: [
        noProof,
        unknownMember,
        member('schema', refused.invalid, { input_schema: [] }),
        otherVersion,
        scopeText,
        as(worker.caller),
        grant,
        member('bounds', refused.invalid, { entrypoint: long }),
        member('other content', refused.otherCommand, { id: 't1', source: 'other' }),
        member('parent', refused.noRecord, {
          parent_artifact_id: 't0',
          repair_evidence_ref: 'log',
        }),
      ],
    });
  });

  bothWays('TOOL-75 reads', async (t) => {
    const shop = await workshop(t);
    const reader = await toolParty(t, 'reader', ['tool_read']);
    const silent = await toolParty(t, 'silent', ['tool_develop', 'tool_report']);
    result(await shop.developer.request());
    result(await shop.report(['e1', 1]));
    const reads = [
      ['readToolArtifact', { artifact_id: 't1' }],
      ['readToolDevelopment', { request_id: 'r1' }],
      ['readToolDevelopmentEvent', { request_id: 'r1', event_id: 'e1' }],
    ] as const;
    for (const [operation, ids] of reads) {
      const last = Object.keys(ids).at(-1)!;
      await expectOrder(t, {
        operation,
        valid: {
          token: reader.caller.token,
          document: { contract_version: 1, scope: { ...sharedScope }, ...ids },
        },
        faults: [
          noProof,
          unknownMember,
          otherVersion,
          scopeText,
          as(silent.caller),
          grant,
          set([])('bounds', refused.invalid, { [last]: long }),
          set([])('unknown', refused.noRecord, { [last]: 'x' }),
        ],
      });
    }
  });
});

describe('developments', () => {
  bothWays('TOOL-76 request', async (t) => {
    const { developer, worker } = await workshop(t);
    result(await developer.request());
    const member = set(['request']);
    await expectOrder(t, {
      operation: 'requestToolDevelopment',
      valid: {
        token: developer.caller.token,
        document: {
          contract_version: 1,
          scope: { ...sharedScope },
          request: { ...request, id: 'new' },
        },
      },
      faults: [
        noProof,
        unknownMember,
        member('type', refused.invalid, { executor_id: 7 }),
        otherVersion,
        scopeText,
        as(worker.caller),
        grant,
        member('objective', refused.invalid, { objective: ' ' }),
        member('used id', refused.otherCommand, { id: 'r1', repair_evidence_ref: 'x' }),
        member('executor text', refused.invalid, { executor_id: long }),
        member('executor', refused.noRecord, { executor_id: 'w2' }),
        member('pair', refused.invalid, { parent_artifact_id: 't0', repair_evidence_ref: null }),
        member('parent', refused.noRecord, {
          parent_artifact_id: 't0',
          repair_evidence_ref: 'log',
        }),
      ],
    });
  });

  bothWays('LRN-37, CON-83, TOOL-77, TOOL-78 command', async (t) => {
    const shop = await workshop(t);
    const other = await toolParty(t, 'other', ['tool_report', 'tool_develop']);
    for (const id of ['r1', 'r2', 'r3']) result(await shop.developer.request({ ...request, id }));
    const pending = shop.reportOf({ outcome: 'pending_or_unknown', cost_units: 9 });
    const action = { type: 'report', report: pending };
    for (const request_id of ['r1', 'r2']) {
      result(await shop.worker.command(['e1', 1], action, { request_id }));
    }
    const failed = { type: 'report', report: shop.reportOf({ outcome: 'failed', cost_units: 9 }) };
    result(await shop.worker.command(['e2', 2], failed, { request_id: 'r2' }));
    const command = set(['command']);
    const report = set(['command', 'action', 'report']);
    const top = set([]);
    const good = shop.reportOf({ cost_units: 9 });
    const valid = {
      token: shop.worker.caller.token,
      document: {
        contract_version: 1,
        scope: { ...sharedScope },
        request_id: 'r1',
        command: {
          event_id: 'new',
          expected_revision: 2,
          action: { type: 'report', report: { ...good } },
        },
      },
    };
    await expectOrder(t, {
      operation: 'recordToolDevelopmentEvent',
      valid,
      faults: [
        noProof,
        unknownMember,
        report('type', refused.invalid, { outcome: 'done' }),
        otherVersion,
        scopeText,
        as(shop.developer.caller),
        grant,
        command('event id', refused.invalid, { event_id: ' ' }),
        top('unknown request', refused.noRecord, { request_id: 'r9' }),
        ['subject', refused.forbidden, (draft) => (draft.token = other.caller.token)],
        command('used event', refused.otherCommand, { event_id: 'e1' }),
        command('revision', refused.stale, { expected_revision: 0 }),
      ],
    });
    await expectOrder(t, {
      operation: 'recordToolDevelopmentEvent',
      valid,
      faults: [
        command('revision', refused.stale, { expected_revision: 1 }),
        [
          'terminal',
          refused.otherCommand,
          ({ document }) => {
            document!['request_id'] = 'r2';
            Object.assign(document!['command'] as object, { expected_revision: 3 });
          },
        ],
        report('bounds', refused.invalid, { detail: '' }),
        report('total', refused.invalid, { cost_units: 8 }),
        report('profile', refused.otherCommand, { executor_profile_digest: 'x' }),
      ],
    });
  });
});
