/** Random histories of a development, compared command by command with a model of the contract. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  BUDGET,
  DevelopmentModel,
  type ModelArtifact,
  type ModelCommand,
  type ModelState,
} from '@agentkeep/testkit/development-model';
import type { Agent } from '../../../client/agent.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { openKeep } from '../../../keep/open-keep.js';
import { bootstrapTenant } from '../../../operator.js';
import type { ToolDevelopment } from './development-schema.js';
import type { ToolArtifactProposalInput } from './schema.js';
import { testStore } from '@agentkeep/testkit/test-store';

const RUNS_MIN = 200;
const runs = Math.max(RUNS_MIN, Number(process.env['AGENTKEEP_PROPERTY_RUNS'] ?? 0));
const timeout = 300_000 + runs * 200;
/** Outcomes that must occur in the histories, or they would prove little. */
const ANSWERS = [
  ...['forbidden', 'revision_conflict', 'idempotency_conflict', 'invalid_request'],
  ...['cancellation_requested', 'unknown_consumption', 'worker_outcome_unknown'],
  ...['worker_reported_success', 'worker_reported_failure', 'resource_limit_exceeded'],
  ...['worker_confirmed_cancellation', 'replay'],
];

const scope = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;
const image = `sha256:${'a'.repeat(64)}`;
const SUBJECTS = ['dev', 'worker', 'other'] as const;

const total = fc.option(fc.integer({ min: 0, max: BUDGET + 4 }), { nil: null, freq: 2 });
const usually = fc.integer({ min: 0, max: 9 }).map((dice) => dice > 0);

const command = fc.record({
  subject: fc.option(fc.constantFrom('right', 'right', ...SUBJECTS), { nil: 'right', freq: 2 }),
  eventId: fc.constantFrom('e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7', 'e8'),
  offset: fc.constantFrom(0, 0, 0, 0, 0, 1, -1),
  action: fc.constantFrom(
    ...(['cancel', 'cancel', 'pending_or_unknown', 'pending_or_unknown'] as const),
    ...([
      'succeeded',
      'succeeded',
      'succeeded',
      'succeeded',
      'failed',
      'cancelled',
      'cancelled',
    ] as const),
  ),
  cost: total,
  latency: total,
  hasRightDigest: usually,
  hasRightArtifact: usually,
  artifact: fc.record({
    id: fc.constantFrom('t0', 't1', 't2'),
    content: fc.constantFrom('a', 'b'),
    fits: usually,
  }),
  /** If set, repeats an earlier command instead. */
  repeats: fc.option(fc.nat(), { freq: 4 }),
});
type Plan = typeof command extends fc.Arbitrary<infer T> ? T : never;

const plain: Plan = {
  subject: 'right',
  eventId: 'e1',
  offset: 0,
  action: 'succeeded',
  cost: 1,
  latency: 1,
  hasRightDigest: true,
  hasRightArtifact: true,
  artifact: { id: 't1', content: 'a', fits: true },
  repeats: null,
};
/** Histories with outcomes that random ones seldom reach. */
const examples: [Plan[]][] = [
  [[plain]],
  [
    [
      { ...plain, action: 'cancel' },
      { ...plain, action: 'cancelled', eventId: 'e2' },
    ],
  ],
];

function planned(plan: Plan, model: DevelopmentModel, sent: readonly ModelCommand[]): ModelCommand {
  const earlier = plan.repeats === null ? undefined : sent[plan.repeats % sent.length];
  if (earlier !== undefined) return earlier;
  const { eventId, cost, latency, hasRightDigest } = plan;
  const right = plan.action === 'cancel' ? 'dev' : 'worker';
  const isSuccess = plan.action === 'succeeded';
  return {
    subject: plan.subject === 'right' ? right : plan.subject,
    eventId,
    revision: Math.max(0, model.state.revision + plan.offset),
    action: plan.action,
    ...(plan.action === 'cancel'
      ? { cost: null, latency: null, hasRightDigest: true }
      : { cost, latency, hasRightDigest }),
    artifact:
      plan.action !== 'cancel' && isSuccess === plan.hasRightArtifact ? plan.artifact : null,
  };
}

/** Makes a tenant whose subjects have all rights for tools, and a development of `dev`. */
async function workshop() {
  const keep = await openKeep({ store: testStore() });
  const tenant = await bootstrapTenant(keep, { tenantId: 't', subjectId: 'ops' });
  const admin = await keep.authenticate(tenant.secret);
  const agents = new Map<string, Agent>();
  for (const subject_id of SUBJECTS) {
    const { secret } = await admin.credentials.issue({
      subject_id,
      capabilities: ['tool_read', 'tool_develop', 'tool_report', 'tool_admin'],
      grants: [scope],
    });
    agents.set(subject_id, await keep.authenticate(secret));
  }
  const by = (subject: string): Agent => agents.get(subject)!;
  const executor = await by('dev').tools.registerExecutor({
    id: 'w',
    subject_id: 'worker',
    runtime_image_digest: image,
    environment_revision: 'e',
    permissions_revision: 'p',
    max_cost_units: BUDGET,
    max_latency_ms: BUDGET,
  });
  const dev = by('dev').tools;
  await dev.requestDevelopment(scope, { id: 'r', executor_id: 'w', objective: 'o' });
  await dev.registerArtifact(scope, proposalOf({ id: 't0', content: 'a', fits: true }));
  return { keep, by, digest: executor.profile_digest };
}

function proposalOf({ id, content, fits }: ModelArtifact): ToolArtifactProposalInput {
  return {
    id,
    source: content,
    dependency_lock: '',
    runtime_image_digest: image,
    entrypoint: 'run',
    input_schema: true,
    output_schema: {},
    source_refs: [fits ? 'development:r' : 'development:x'],
  };
}

async function send({ tools }: Agent, it: ModelCommand, digest: string): Promise<ToolDevelopment> {
  const target = { requestId: 'r', expectedRevision: it.revision, eventId: it.eventId };
  if (it.action === 'cancel') {
    return (await tools.requestCancellation(scope, target, 'stop')).record;
  }
  const report = {
    executor_profile_digest: it.hasRightDigest ? digest : 'other',
    outcome: it.action,
    evidence_ref: 'log',
    cost_units: it.cost,
    latency_ms: it.latency,
    artifact: it.artifact && proposalOf(it.artifact),
  };
  return (await tools.report(scope, target, report)).record;
}

function stateOf(record: ToolDevelopment): ModelState {
  return {
    revision: record.revision,
    state: record.state,
    reason: record.reason,
    lastEventId: record.last_event_id,
    artifactId: record.artifact_id,
    totals: [record.cost_units, record.latency_ms],
    observed: [record.observed_cost_units, record.observed_latency_ms],
  };
}

test('histories of a development match the model', { timeout }, async () => {
  const met = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 40, size: 'max' }), async (plans) => {
      const { keep, by, digest } = await workshop();
      const model = new DevelopmentModel();
      model.artifacts.set('t0', 'a');
      const sent: ModelCommand[] = [];
      for (const plan of plans) {
        const next = planned(plan, model, sent);
        sent.push(next);
        const before = model.state;
        const expected = model.answer(next);
        const answer = await send(by(next.subject), next, digest).then(stateOf, codeOf);
        expect(answer).toEqual(expected);
        const kind = typeof expected === 'string' ? expected : expected.reason;
        const isReplay = model.state === before && typeof expected !== 'string';
        met.add(isReplay ? 'replay' : kind);
        const { tools } = by('other');
        expect(stateOf(await tools.readDevelopment(scope, 'r'))).toEqual(model.state);
        for (const id of ['t0', 't1', 't2']) {
          const found = await tools
            .readArtifact(scope, id)
            .then(({ proposal }) => proposal.source, codeOf);
          expect(found).toBe(model.artifacts.get(id) ?? 'record_not_found');
        }
      }
      await keep.close();
    }),
    { numRuns: runs, examples },
  );
  expect([...met]).toEqual(expect.arrayContaining(ANSWERS));
});

function codeOf(error: unknown): string {
  if (error instanceof AgentkeepError) return error.code;
  throw error;
}
