/**
 * Order of checks of the operations on learning (docs/contract/learning.md#lrn-122): the earlier of
 * two faults decides the response.
 */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import type { Members } from '../harness/caller.js';
import { missionScope, sharedScope } from '../harness/documents.js';
import {
  as,
  expectOrder,
  type Fault,
  noProof,
  otherVersion,
  unknownMember,
} from '../harness/faults.js';
import { type HttpFixture, overHttp } from '../harness/http-fixture.js';
import { context, definition, proposal, submission } from '../learning/learning-documents.js';
import { learner, lesson, place } from '../learning/learning-fixture.js';

const member = (name: string, expected: string, members: Members): Fault => [
  name,
  expected,
  ({ document }) => Object.assign(document!, members),
];
/** Puts members into an object of the document. */
const within = (object: string, name: string, expected: string, members: Members): Fault => [
  name,
  expected,
  ({ document }) => Object.assign(document![object] as object, members),
];

const scopeText = within('scope', 'scope text', refused.invalid, { agent_id: ' ' });
const grant = within('scope', 'grant', refused.forbidden, { agent_id: 'z' });
const scope = () => ({ ...place });

describe('tenant-wide', () => {
  lesson('LRN-122, LRN-36, LRN-83 policy', async ({ t, author, registrar }) => {
    const document = { contract_version: 1, id: 'pol', definition: definition() };
    const inDefinition = (name: string, expected: string, members: Members): Fault =>
      within('definition', name, expected, { parameters: definition(members)['parameters'] });
    await expectOrder(t, {
      operation: 'registerLearningPolicy',
      valid: { token: registrar.caller.token, document },
      faults: [
        noProof,
        as(author.caller),
        unknownMember,
        within('definition', 'algorithm', refused.invalid, { algorithm: 'x' }),
        otherVersion,
        member('id', refused.invalid, { id: ' ' }),
        inDefinition('bounds', refused.invalid, { qualification_trials: 1 }),
        inDefinition('other content', refused.otherCommand, { min_improvement: 0.9 }),
      ],
    });
  });

  lesson('LRN-122, LRN-36 context', async ({ t, author, registrar }) => {
    const document = { contract_version: 1, id: 'ctx', context: context() };
    await expectOrder(t, {
      operation: 'registerLearningContext',
      valid: { token: registrar.caller.token, document },
      faults: [
        noProof,
        as(author.caller),
        unknownMember,
        otherVersion,
        member('id', refused.invalid, { id: 'x'.repeat(513) }),
        within('context', 'bounds', refused.invalid, { task: ' ' }),
        within('context', 'other content', refused.otherCommand, { task: 'another' }),
      ],
    });
  });

  for (const operation of ['getLearningPolicy', 'getLearningContext'] as const) {
    lesson(operation, async ({ t, author, registrar }) => {
      const id = operation === 'getLearningPolicy' ? 'pol' : 'ctx';
      await expectOrder(t, {
        operation,
        valid: { token: registrar.caller.token, id },
        faults: [
          noProof,
          as(author.caller),
          ['id', refused.invalid, (draft) => (draft.id = ' ')],
          ['absent', refused.noRecord, (draft) => (draft.id = 'absent')],
        ],
      });
    });
  }

  for (const operation of ['listLearningPolicies', 'listLearningContexts'] as const) {
    lesson(`LRL-16 ${operation}`, async ({ t, author, registrar }) => {
      const query = (name: string, expected: string, members: Members): Fault => [
        name,
        expected,
        ({ parameters }) => Object.assign(parameters!, members),
      ];
      await expectOrder(t, {
        operation,
        valid: { token: registrar.caller.token, parameters: { contract_version: 1 } },
        faults: [
          noProof,
          as(author.caller),
          query('unknown parameter', refused.invalid, { x: 1 }),
          otherVersion,
          query('limit', refused.invalid, { limit: 101 }),
          query('cursor', refused.invalid, { cursor: 'AAAA' }),
        ],
      });
    });
  }
});

describe('scoped', () => {
  lesson('LRN-124, LRN-37 proposal', async ({ t, author, registrar, judge }) => {
    result(await author.propose());
    result(await registrar.context('misfit', { evaluation_contract: 'other' }));
    const put = (name: string, expected: string, members: Members): Fault =>
      within('proposal', name, expected, members);
    await expectOrder(t, {
      operation: 'proposeProcedure',
      valid: {
        token: author.caller.token,
        document: { contract_version: 1, scope: scope(), proposal: proposal({ id: 'new' }) },
      },
      faults: [
        noProof,
        unknownMember,
        put('shape', refused.invalid, { source_refs: 'x' }),
        otherVersion,
        scopeText,
        as(judge.caller),
        grant,
        put('id bounds', refused.invalid, { id: ' ' }),
        put('used id', refused.otherCommand, { id: 'c1', instructions: 'Other.' }),
        put('policy id bounds', refused.invalid, { policy_id: ' ' }),
        put('context id bounds', refused.invalid, { context_id: 'x'.repeat(513) }),
        put('policy absent', refused.noRecord, { policy_id: 'absent' }),
        put('context absent', refused.noRecord, { context_id: 'absent' }),
        put('misfit', refused.invalid, { context_id: 'misfit' }),
        put('instructions', refused.invalid, { instructions: ' ' }),
        put('source refs', refused.invalid, { source_refs: [] }),
      ],
    });
  });

  lesson('LRL-6 a list', async ({ t, author, registrar }) => {
    result(await author.propose());
    await expectOrder(t, {
      operation: 'listEvaluations',
      valid: {
        token: author.caller.token,
        document: { contract_version: 1, scope: scope(), procedure_id: 'c1' },
      },
      faults: [
        noProof,
        unknownMember,
        otherVersion,
        scopeText,
        as(registrar.caller),
        grant,
        member('limit', refused.invalid, { limit: 101 }),
        member('cursor', refused.invalid, { cursor: 'AAAA' }),
        member('absent', refused.noRecord, { procedure_id: 'absent' }),
      ],
    });
  });

  lesson('LRN-125, ORD-13 read', async ({ t, author, registrar }) => {
    result(await author.propose());
    await expectOrder(t, {
      operation: 'readProcedure',
      valid: {
        token: author.caller.token,
        document: { contract_version: 1, scope: scope(), procedure_id: 'c1' },
      },
      faults: [
        noProof,
        unknownMember,
        otherVersion,
        scopeText,
        as(registrar.caller),
        grant,
        member('id bounds', refused.invalid, { procedure_id: ' ' }),
        member('absent', refused.noRecord, { procedure_id: 'absent' }),
      ],
    });
  });

  lesson('LRN-46 evaluation', async ({ t, author, judge }) => {
    result(await author.propose());
    result(await judge.evaluate(submission('used')));
    const stranger = await learner(t, 'stranger', ['procedure_evaluate']);
    const put = (name: string, expected: string, members: Members): Fault =>
      within('submission', name, expected, members);
    const evaluate: Parameters<typeof expectOrder>[1] = {
      operation: 'admitEvaluation',
      valid: {
        token: judge.caller.token,
        document: {
          contract_version: 1,
          scope: scope(),
          procedure_id: 'c1',
          submission: submission('fresh', { status: 'incomplete' }),
        },
      },
      faults: [
        noProof,
        unknownMember,
        put('shape', refused.invalid, { status: 'done' }),
        otherVersion,
        scopeText,
        as(author.caller),
        grant,
        put('field bounds', refused.invalid, { detail: ' ' }),
        member('absent', refused.noRecord, { procedure_id: 'absent' }),
        ['evaluator', refused.forbidden, (draft) => (draft.token = stranger.caller.token)],
        put('used case', refused.otherCommand, { case_id: 'used' }),
      ],
    };
    // Capability and evaluator both depend on the caller, so a call can only have one of them.
    const [capability] = evaluate.faults.filter(([name]) => name === 'capability');
    const [evaluator] = evaluate.faults.filter(([name]) => name === 'evaluator');
    for (const left of [capability, evaluator]) {
      await expectOrder(t, { ...evaluate, faults: evaluate.faults.filter((it) => it !== left) });
    }
  });

  lesson('LRN-125 admission', async ({ t, author, judge, registrar }) => {
    result(await author.propose());
    result(await judge.evaluate(submission('used')));
    await expectOrder(t, {
      operation: 'readEvaluationAdmission',
      valid: {
        token: author.caller.token,
        document: { contract_version: 1, scope: scope(), procedure_id: 'c1', case_id: 'used' },
      },
      faults: [
        noProof,
        unknownMember,
        otherVersion,
        scopeText,
        as(registrar.caller),
        grant,
        member('procedure bounds', refused.invalid, { procedure_id: 'x'.repeat(513) }),
        member('case bounds', refused.invalid, { case_id: ' ' }),
        member('procedure absent', refused.noRecord, { procedure_id: 'absent' }),
        member('case absent', refused.noRecord, { case_id: 'absent' }),
      ],
    });
  });

  lesson('LRN-127, LRN-120 selection', async ({ t, author, registrar }) => {
    result(await registrar.context('misfit', { evaluation_contract: 'other' }));
    await expectOrder(t, {
      operation: 'selectProcedure',
      valid: {
        token: author.caller.token,
        document: {
          contract_version: 1,
          scope: scope(),
          policy_id: 'pol',
          context_id: 'ctx',
          max_instruction_bytes: 1,
        },
      },
      faults: [
        noProof,
        unknownMember,
        otherVersion,
        scopeText,
        member('budget', refused.invalid, { max_instruction_bytes: 65_537 }),
        as(registrar.caller),
        grant,
        member('policy id bounds', refused.invalid, { policy_id: ' ' }),
        member('policy absent', refused.noRecord, { policy_id: 'absent' }),
        member('context absent', refused.noRecord, { context_id: 'absent' }),
        member('misfit', refused.invalid, { context_id: 'misfit' }),
      ],
    });
  });
});

const POSTS = [
  'policies',
  'contexts',
  'proposals',
  'procedures/read',
  'evaluations',
  'evaluations/read',
  'select',
].map((path) => `/api/v1/learning/${path}`);
const large = ' '.repeat(70_000);

/** Posts as a caller with these capabilities in the usual scopes. */
async function posting(http: HttpFixture, capabilities: readonly string[]) {
  const { token } = await http.fixture.agent({ capabilities, grants: [sharedScope, missionScope] });
  return (path: string, body: string) =>
    http.post(path, body, { Authorization: `Bearer ${token}` });
}

describe('bodies', () => {
  overHttp('LRN-C1 without a proof even a huge body is 401', async (http) => {
    for (const path of POSTS) {
      const reply = await http.post(path, large, { Authorization: 'Bearer x' });
      expect(outcome(reply), path).toBe(refused.unauthorized);
      expect(reply.headers.get('cache-control')).toBe('no-store');
      expect(reply.body).toMatchObject({ contract_version: 1 });
    }
  });

  overHttp('LRN-C2 tenant-wide, the capability comes before the body', async (http) => {
    const post = await posting(http, ['memory_read']);
    for (const path of POSTS.slice(0, 2)) {
      expect(outcome(await post(path, '{'))).toBe(refused.forbidden);
      expect(outcome(await post(path, large))).toBe(refused.forbidden);
    }
  });

  overHttp('CON-96, CON-79 scoped, the body comes before the capability', async (http) => {
    const post = await posting(http, ['policy_admin']);
    for (const path of POSTS.slice(2)) {
      expect(outcome(await post(path, '{'))).toBe(refused.invalid);
      expect(outcome(await post(path, large))).toBe(refused.tooLarge);
    }
    for (const path of POSTS.slice(0, 2)) {
      expect(outcome(await post(path, large))).toBe(refused.tooLarge);
    }
  });

  overHttp(
    'CON-105 a repeated member is accepted in tools only, where the last wins',
    async (http) => {
      const post = await posting(http, ['policy_admin']);
      const text = JSON.stringify({
        contract_version: 1,
        id: 'ctx',
        context: context({ tools: {} }),
      });
      const path = '/api/v1/learning/contexts';
      const twice = text.replace('"tools":{}', '"tools":{"a":"1","a":"2","__proto__":"3"}');
      const reply = await post(path, twice);
      expect(outcome(reply)).toBe('200');
      const { entry } = reply.body as { entry: { payload: { tools: object } } };
      expect(JSON.stringify(entry.payload.tools)).toBe('{"a":"2","__proto__":"3"}');
      const once = text.replace('"tools":{}', '"tools":{"__proto__":"3","a":"2"}');
      expect((await post(path, once)).body).toEqual(reply.body);
      const outside = text.replace('"id":"ctx"', '"id":"ctx","id":"ctx"');
      expect(outcome(await post(path, outside))).toBe(refused.invalid);
      const inContext = text.replace('"task":', '"task":"x","task":');
      expect(outcome(await post(path, inContext))).toBe(refused.invalid);
    },
  );

  overHttp('LRN-C64 5.0 is 5', async (http) => {
    const post = await posting(http, ['policy_admin']);
    const text = JSON.stringify({ contract_version: 1, id: 'pol', definition: definition() });
    const first = await post(
      POSTS[0]!,
      text.replace('"max_cost_units":10', '"max_cost_units":10.0'),
    );
    expect(outcome(first)).toBe('200');
    expect((await post(POSTS[0]!, text)).body).toEqual(first.body);
    const spelled = text.replace('"confidence_delta":0.4', '"confidence_delta":4e-1');
    expect((await post(POSTS[0]!, spelled)).body).toEqual(first.body);
  });

  overHttp('LRN-6, LRN-38 an id in a path is decoded once and bounded', async (http) => {
    const { token } = await http.fixture.agent({ capabilities: ['policy_admin'] });
    const get = (id: string) =>
      http.send('GET', `/api/v1/learning/policies/${id}`, {
        headers: { Authorization: `Bearer ${token}` },
      });
    for (const bad of ['%20', '%FF', '%', '%E0%A4', 'x'.repeat(513), '%C3%BC'.repeat(257)]) {
      expect(outcome(await get(bad)), bad).toBe(refused.invalid);
    }
    for (const absent of ['a%2Fb', 'null', '%C3%BC'.repeat(256), '%00']) {
      expect(outcome(await get(absent)), absent).toBe(refused.noRecord);
    }
  });

  overHttp('LRN-C3, LRN-C4 versions', async (http) => {
    const post = await posting(http, ['policy_admin']);
    const of = (contract_version?: unknown) =>
      post(POSTS[0]!, JSON.stringify({ contract_version, id: 'pol', definition: definition() }));
    for (const version of [0, 2, 99]) expect(outcome(await of(version))).toBe(refused.version);
    for (const version of [undefined, '1', 1.5, null]) {
      expect(outcome(await of(version))).toBe(refused.invalid);
    }
  });
});
