/**
 * Executors, artifacts, and their development (docs/contract/tools.md).
 */
import type {
  ErrorCode,
  ScopeInput,
  ToolArtifactProposalInput,
  ToolDevelopmentReportInput,
} from '@agentkeep/core';
import { BUDGET, DevelopmentModel, type ModelCommand } from '../../../models/development-model.js';
import { Refusal } from '../../../models/outcome.js';
import { found, inScope, namespaceOf, original, register } from '../../ledger.js';
import type { Play } from '../../play.js';
import { asTenant, type Principal } from '../../../models/principal.js';
import type { Rule } from '../../rule.js';
import { IDS, SCOPES, VERSION } from '../../vocabulary.js';
import { may } from '../memory.js';

const WORKER = 'bob';
const IMAGE = `sha256:${'a'.repeat(64)}`;

function profileOf(id: string, isChanged: boolean) {
  return {
    ...{ id, subject_id: WORKER, runtime_image_digest: IMAGE },
    ...{ environment_revision: isChanged ? '2' : '1', permissions_revision: '1' },
    ...{ max_cost_units: BUDGET, max_latency_ms: BUDGET },
  };
}

const executor: Rule = {
  name: 'register an executor',
  weight: 2,
  run: async (play) => {
    const { dice, world } = play;
    const profile = profileOf(dice.mostly(IDS), dice.isLucky(10));
    const parts = { document: { ...VERSION, profile } };
    await play.ask('registerToolExecutor', play.caller(may('tool_admin')), parts, (made, who) => {
      const { tenant_id: place, spec } = asTenant(who, 'tool_admin');
      const entry = { kind: 'executor', place, id: profile.id };
      const known = original(world, entry, { request: profile });
      if (known !== undefined) return known;
      register(world, entry, { request: profile, subject: spec.subject_id, answer: made });
      return { executor: { profile, tenant: place } };
    });
  },
};

const readExecutor: Rule = {
  name: 'read an executor',
  weight: 1,
  run: async (play) => {
    const id = play.dice.mostly(IDS);
    await play.ask('readToolExecutor', play.caller(may('tool_admin')), { id }, (_made, who) => {
      const { tenant_id: place } = asTenant(who, 'tool_admin');
      return found(play.world, { kind: 'executor', place, id }).answer;
    });
  },
};

function artifactOf(
  id: string,
  parts: Partial<ToolArtifactProposalInput>,
): ToolArtifactProposalInput {
  return {
    ...{ id, source: 'run();', dependency_lock: '', runtime_image_digest: IMAGE },
    ...{ entrypoint: 'main', input_schema: true, output_schema: {}, source_refs: ['idea'] },
    ...parts,
  };
}

const artifact: Rule = {
  name: 'register an artifact',
  weight: 2,
  run: async (play) => {
    const { dice, world } = play;
    const scope = dice.mostly(SCOPES);
    const parent = dice.isLucky(30) ? dice.one(IDS) : null;
    const id = dice.one(IDS);
    const repair =
      parent === null || parent === id
        ? {}
        : { parent_artifact_id: parent, repair_evidence_ref: 'log' };
    const request = artifactOf(id, { source: dice.one(['run();', 'stop();']), ...repair });
    const parts = { document: { ...VERSION, scope, artifact: request } };
    await play.ask('registerToolArtifact', play.caller(may('tool_develop')), parts, (made, who) => {
      const credential = inScope(play, who, 'tool_develop', scope);
      const place = namespaceOf(credential, scope);
      const entry = { kind: 'artifact', place, id };
      const known = original(world, entry, { request });
      if (known !== undefined) return known;
      if ('parent_artifact_id' in repair) found(world, { ...entry, id: parent! });
      register(world, entry, { request, subject: credential.spec.subject_id, answer: made });
      return { artifact: { proposal: { id, source: request.source } } };
    });
  },
};

const readArtifact: Rule = {
  name: 'read an artifact',
  weight: 1,
  run: async (play) => {
    const { dice, world } = play;
    const scope = dice.mostly(SCOPES);
    const artifact_id = dice.isLucky(50) ? dice.mostly(IDS) : `of ${dice.mostly(IDS)}`;
    const parts = { document: { ...VERSION, scope, artifact_id } };
    await play.ask('readToolArtifact', play.caller(may('tool_read')), parts, (_made, who) => {
      const place = namespaceOf(inScope(play, who, 'tool_read', scope), scope);
      return found(world, { kind: 'artifact', place, id: artifact_id }).answer;
    });
  },
};

const request: Rule = {
  name: 'request a development',
  weight: 3,
  run: async (play) => {
    const { dice, world } = play;
    const scope = dice.mostly(SCOPES);
    const nothing = { parent_artifact_id: null, repair_evidence_ref: null };
    const wish = {
      id: dice.mostly(IDS),
      executor_id: dice.mostly(IDS),
      objective: 'Make it.',
      ...nothing,
    };
    const parts = { document: { ...VERSION, scope, request: wish } };
    await play.ask(
      'requestToolDevelopment',
      play.caller(may('tool_develop')),
      parts,
      (made, who) => {
        const credential = inScope(play, who, 'tool_develop', scope);
        const { tenant_id, spec } = credential;
        const { subject_id: subject } = spec;
        const entry = { kind: 'development', place: namespaceOf(credential, scope), id: wish.id };
        const known = original(world, entry, { request: wish, subject });
        if (known !== undefined) return known;
        found(world, { kind: 'executor', place: tenant_id, id: wish.executor_id });
        register(world, entry, { request: wish, subject, answer: made });
        world.developments.set(JSON.stringify(entry), new DevelopmentModel());
        return { receipt: { request: wish } };
      },
    );
  },
};

/** A development of a namespace, or a refusal. */
export function developmentIn({ world }: Play, place: string, id: string) {
  const entry = { kind: 'development', place, id };
  const { answer, subject } = found(world, entry);
  const { receipt } = answer as { receipt: { executor_profile_digest: string } };
  return { model: world.developments.get(JSON.stringify(entry))!, receipt, requester: subject };
}

/** What the model knows of a development. */
export function shown({ state }: DevelopmentModel, receipt: unknown) {
  const { revision, reason, lastEventId, artifactId, totals, observed } = state;
  return {
    ...{ receipt, revision, state: state.state, reason },
    ...{ last_event_id: lastEventId, artifact_id: artifactId },
    ...{ cost_units: totals[0], latency_ms: totals[1] },
    ...{ observed_cost_units: observed[0], observed_latency_ms: observed[1] },
  };
}

const read: Rule = {
  name: 'read a development',
  weight: 1,
  run: async (play) => {
    const [scope, request_id] = [play.dice.mostly(SCOPES), play.dice.mostly(IDS)];
    const parts = { document: { ...VERSION, scope, request_id } };
    await play.ask('readToolDevelopment', play.caller(may('tool_read')), parts, (_made, who) => {
      const place = namespaceOf(inScope(play, who, 'tool_read', scope), scope);
      const { model, receipt } = developmentIn(play, place, request_id);
      return { development: shown(model, receipt) };
    });
  },
};

/** Draws a report or a cancellation for the model of a development. */
function commandOf({ dice, world }: Play, id: string): Omit<ModelCommand, 'subject'> {
  const like = [...world.developments].filter(([key]) => key.endsWith(`"id":"${id}"}`));
  const current = dice.any(like)?.[1].state.revision ?? 1;
  const action = dice.isLucky(15)
    ? 'cancel'
    : dice.one(['pending_or_unknown', 'succeeded', 'succeeded', 'failed', 'cancelled'] as const);
  const made = { id: `of ${id}`, content: 'made();', fits: dice.isLucky(90) };
  const total = (): number | null => (dice.isLucky(85) ? 8 + dice.below(4) : null);
  const isReport = action !== 'cancel';
  return {
    ...{ eventId: `event ${dice.below(8)}`, revision: current, action },
    ...{ cost: isReport ? total() : null, latency: isReport ? total() : null },
    ...{
      hasRightDigest: !isReport || dice.isLucky(92),
      artifact: action === 'succeeded' ? made : null,
    },
  };
}

function reportOf(command: Omit<ModelCommand, 'subject'>, id: string, digest: string) {
  const { action, cost, latency, hasRightDigest, artifact: made } = command;
  const refs = { source_refs: made?.fits === true ? [`development:${id}`] : ['elsewhere'] };
  return {
    executor_profile_digest: hasRightDigest ? digest : 'wrong',
    outcome: action as ToolDevelopmentReportInput['outcome'],
    ...{ evidence_ref: 'log', detail: null, cost_units: cost, latency_ms: latency },
    artifact: made === null ? null : artifactOf(made.id, { source: made.content, ...refs }),
  };
}

const record: Rule = {
  name: 'record a development event',
  weight: 8,
  run: async (play) => {
    const { dice, world } = play;
    const [scope, request_id] = [dice.mostly(SCOPES), dice.mostly(IDS)];
    const plan = commandOf(play, request_id);
    const isCancel = plan.action === 'cancel';
    const capability = isCancel ? 'tool_develop' : 'tool_report';
    const caller = play.caller(
      (who) => may(capability)(who) && (isCancel || who.credential?.spec.subject_id === WORKER),
    );
    const digest = digestFor(play, caller.authority, scope, request_id);
    const action = isCancel
      ? { type: 'request_cancellation' as const, reason: 'stop' }
      : { type: 'report' as const, report: reportOf(plan, request_id, digest) };
    const command = { event_id: plan.eventId, expected_revision: plan.revision, action };
    const parts = { document: { ...VERSION, scope, request_id, command } };
    await play.ask('recordToolDevelopmentEvent', caller, parts, (made, who) => {
      const credential = inScope(play, who, capability, scope);
      const place = namespaceOf(credential, scope);
      const { model, receipt, requester } = developmentIn(play, place, request_id);
      const subject = partOf(who, isCancel ? requester : WORKER, isCancel);
      const before = model.state;
      const id = JSON.stringify([request_id, plan.eventId]);
      const entry = { kind: 'development event', place, id };
      const answer = model.answer({ ...plan, subject });
      if (typeof answer === 'string') throw new Refusal(answer as ErrorCode);
      if (model.state === before) return found(world, entry).answer;
      register(world, entry, { request: null, subject, answer: made });
      if (answer.artifactId !== null) {
        const stored = { artifact: { proposal: { id: answer.artifactId, source: 'made();' } } };
        const kept = { kind: 'artifact', place, id: answer.artifactId };
        register(world, kept, { request: null, subject, answer: stored });
      }
      return { event: { record: shown(model, receipt) } };
    });
  },
};

/** The subject of the caller in the development. */
function partOf(who: Principal, bound: string, isCancel: boolean): string {
  if (who.credential?.spec.subject_id !== bound) return 'somebody else';
  return isCancel ? 'dev' : 'worker';
}

/** The digest of the executor profile that a report names. */
function digestFor({ world }: Play, authority: string, scope: ScopeInput, id: string): string {
  const places = [null, WORKER].map((owner) => JSON.stringify([authority, scope, owner]));
  for (const place of places) {
    const known = world.registrations.get(JSON.stringify(['development', place, id]));
    if (known === undefined) continue;
    return (known.answer as { receipt: { executor_profile_digest: string } }).receipt
      .executor_profile_digest;
  }
  return 'none';
}

const readEvent: Rule = {
  name: 'read a development event',
  weight: 2,
  run: async (play) => {
    const { dice, world } = play;
    const [scope, request_id] = [dice.mostly(SCOPES), dice.mostly(IDS)];
    const event_id = `event ${dice.below(8)}`;
    const parts = { document: { ...VERSION, scope, request_id, event_id } };
    await play.ask('readToolDevelopmentEvent', play.caller(may('tool_read')), parts, (_, who) => {
      const place = namespaceOf(inScope(play, who, 'tool_read', scope), scope);
      const id = JSON.stringify([request_id, event_id]);
      return found(world, { kind: 'development event', place, id }).answer;
    });
  },
};

/** Steps that develop tools. */
export const toolRules = [
  ...[executor, readExecutor, artifact, readArtifact],
  ...[request, read, record, readEvent],
];
