/** Shared by the tests of tools: a developer, a worker, and short forms of the calls. */
import type { ToolDevelopment, ToolExecutor } from '@agentkeep/core';
import { type Answer, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { sharedScope } from '../harness/documents.js';
import type { Fixture } from '../harness/fixture.js';

/** The image of the tests' executor. */
const IMAGE = `sha256:${'a'.repeat(64)}`;

/** The profile of the tests' executor. */
export const profile = {
  id: 'w1',
  subject_id: 'worker',
  runtime_image_digest: IMAGE,
  environment_revision: 'e1',
  permissions_revision: 'p1',
  max_cost_units: 100,
  max_latency_ms: 60_000,
} as const;

/** An artifact that answers {@link request}. */
export const proposal = {
  id: 't1',
  source: 'export const run = () => 1;\n',
  dependency_lock: '',
  runtime_image_digest: IMAGE,
  entrypoint: 'run',
  input_schema: { type: 'object' },
  output_schema: true,
  source_refs: ['trace:1', 'development:r1'],
} as const;

/** A development request. */
export const request = { id: 'r1', executor_id: 'w1', objective: 'Make it.' } as const;

/** Event id and expected revision of a command. */
export type Target = readonly [eventId: unknown, revision: unknown];

/** A caller with the calls on tools. */
export class ToolParty {
  readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  registerExecutor(given: unknown = profile): Promise<Answer<'registerToolExecutor'>> {
    const document = { contract_version: 1, profile: given };
    return this.caller.call('registerToolExecutor', { document });
  }

  readExecutor(id: unknown): Promise<Answer<'readToolExecutor'>> {
    return this.caller.call('readToolExecutor', { id });
  }

  registerArtifact(
    artifact: unknown = proposal,
    place: unknown = sharedScope,
  ): Promise<Answer<'registerToolArtifact'>> {
    const document = { contract_version: 1, scope: place, artifact };
    return this.caller.call('registerToolArtifact', { document });
  }

  readArtifact(id: unknown, place: unknown = sharedScope): Promise<Answer<'readToolArtifact'>> {
    const document = { contract_version: 1, scope: place, artifact_id: id };
    return this.caller.call('readToolArtifact', { document });
  }

  request(
    given: unknown = request,
    place: unknown = sharedScope,
  ): Promise<Answer<'requestToolDevelopment'>> {
    const document = { contract_version: 1, scope: place, request: given };
    return this.caller.call('requestToolDevelopment', { document });
  }

  read(id: unknown = 'r1', place: unknown = sharedScope): Promise<Answer<'readToolDevelopment'>> {
    const document = { contract_version: 1, scope: place, request_id: id };
    return this.caller.call('readToolDevelopment', { document });
  }

  command(
    [event_id, expected_revision]: Target,
    action: unknown,
    members: Members = {},
  ): Promise<Answer<'recordToolDevelopmentEvent'>> {
    const command = { event_id, expected_revision, action };
    const document = {
      contract_version: 1,
      scope: sharedScope,
      request_id: 'r1',
      command,
      ...members,
    };
    return this.caller.call('recordToolDevelopmentEvent', { document });
  }

  cancel(target: Target, members: Members = {}): Promise<Answer<'recordToolDevelopmentEvent'>> {
    return this.command(target, { type: 'request_cancellation', reason: 'stop' }, members);
  }

  event(
    eventId: unknown,
    place: unknown = sharedScope,
    requestId: unknown = 'r1',
  ): Promise<Answer<'readToolDevelopmentEvent'>> {
    const ids = { request_id: requestId, event_id: eventId };
    const document = { contract_version: 1, scope: place, ...ids };
    return this.caller.call('readToolDevelopmentEvent', { document });
  }
}

/** A registered executor, and callers that share a scope. */
export class Workshop {
  readonly t: Fixture;
  /** Registers executors and nothing else. */
  readonly registrar: ToolParty;
  /** Requests, cancels and reads. */
  readonly developer: ToolParty;
  /** The subject of the executor. */
  readonly worker: ToolParty;
  readonly executor: ToolExecutor;

  constructor(parts: Pick<Workshop, 't' | 'registrar' | 'developer' | 'worker' | 'executor'>) {
    this.t = parts.t;
    this.registrar = parts.registrar;
    this.developer = parts.developer;
    this.worker = parts.worker;
    this.executor = parts.executor;
  }

  /** Returns a report of the executor; by default a success within the budget. */
  reportOf(members: Members = {}): Members {
    return {
      executor_profile_digest: this.executor.profile_digest,
      outcome: 'succeeded',
      evidence_ref: 'log:1',
      cost_units: 5,
      latency_ms: 50,
      artifact: (members['outcome'] ?? 'succeeded') === 'succeeded' ? proposal : null,
      ...members,
    };
  }

  /** Reports as the worker. */
  report(target: Target, members: Members = {}): Promise<Answer<'recordToolDevelopmentEvent'>> {
    return this.worker.command(target, { type: 'report', report: this.reportOf(members) });
  }

  /** Returns the current development. */
  async development(): Promise<ToolDevelopment> {
    return result(await this.developer.read()).development;
  }
}

/** Returns a caller with these capabilities in the scopes of `documents.ts`. */
export async function toolParty(
  t: Fixture,
  subject_id: string,
  capabilities: readonly string[],
): Promise<ToolParty> {
  return new ToolParty(await t.agent({ subject_id, capabilities }));
}

/** Issues the credentials and registers the executor. */
export async function workshop(t: Fixture): Promise<Workshop> {
  const registrar = await toolParty(t, 'registrar', ['tool_admin']);
  const developer = await toolParty(t, 'dev', ['tool_develop', 'tool_read']);
  const worker = await toolParty(t, 'worker', ['tool_report', 'tool_read']);
  const { executor } = result(await registrar.registerExecutor());
  return new Workshop({ t, registrar, developer, worker, executor });
}
