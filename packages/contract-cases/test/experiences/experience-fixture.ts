/** Shared by the tests of experiences: a writer, a reporter, and short forms of the calls. */
import type { ExperienceEvent, ExperienceReceipt } from '@agentkeep/core';
import { type Answer, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { sharedScope } from '../harness/documents.js';
import type { Fixture } from '../harness/fixture.js';
import { learner } from '../learning/learning-fixture.js';

/** A valid digest. */
export const SHA = 'ab'.repeat(32);

/** An attempt that the reporter of {@link Observatory} reports on. */
export const attempt = {
  id: 'a1',
  context_id: 'ctx-1',
  reporter_subject_id: 'obs',
  accounting_unit: 'credit-v1',
  input: { reference: 'in:1', sha256: SHA },
} as const;

/** A caller with the calls on experiences. */
export class ExperienceParty {
  readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  register(
    request: unknown = attempt,
    scope: unknown = sharedScope,
  ): Promise<Answer<'registerExperience'>> {
    const document = { contract_version: 1, scope, request };
    return this.caller.call('registerExperience', { document });
  }

  read(id: unknown = 'a1', scope: unknown = sharedScope): Promise<Answer<'readExperience'>> {
    const document = { contract_version: 1, scope, attempt_id: id };
    return this.caller.call('readExperience', { document });
  }

  record(
    command: unknown,
    scope: unknown = sharedScope,
    id: unknown = 'a1',
  ): Promise<Answer<'recordExperienceEvent'>> {
    const document = { contract_version: 1, scope, attempt_id: id, command };
    return this.caller.call('recordExperienceEvent', { document });
  }

  event(
    eventId: unknown,
    scope: unknown = sharedScope,
    id: unknown = 'a1',
  ): Promise<Answer<'readExperienceEvent'>> {
    const document = { contract_version: 1, scope, attempt_id: id, event_id: eventId };
    return this.caller.call('readExperienceEvent', { document });
  }

  history(
    query: unknown,
    scope: unknown = sharedScope,
    id: unknown = 'a1',
  ): Promise<Answer<'readExperienceHistory'>> {
    const document = { contract_version: 1, scope, attempt_id: id, query };
    return this.caller.call('readExperienceHistory', { document });
  }
}

/** A learning context, and callers that share a scope. */
export class Observatory {
  readonly t: Fixture;
  /** Registers and reads. */
  readonly writer: ExperienceParty;
  /** Observes and reads; its subject is the reporter of {@link attempt}. */
  readonly reporter: ExperienceParty;
  readonly contextDigest: string;

  constructor(parts: Pick<Observatory, 't' | 'writer' | 'reporter' | 'contextDigest'>) {
    this.t = parts.t;
    this.writer = parts.writer;
    this.reporter = parts.reporter;
    this.contextDigest = parts.contextDigest;
  }

  /** Returns a command with these members. */
  command(event_id: unknown, expected_revision: unknown, members: Members = {}): Members {
    return {
      event_id,
      expected_revision,
      context_digest: this.contextDigest,
      outcome: 'unknown',
      evidence: { reference: 'log:1', sha256: SHA },
      cost_units: null,
      latency_ms: null,
      ...members,
    };
  }

  /** Observes as the reporter. */
  observe(
    event_id: unknown,
    expected_revision: unknown,
    members: Members = {},
  ): Promise<Answer<'recordExperienceEvent'>> {
    return this.reporter.record(this.command(event_id, expected_revision, members));
  }

  /** Observes as the reporter; returns the event. */
  async observed(
    eventId: string,
    revision: number,
    members: Members = {},
  ): Promise<ExperienceEvent> {
    return result(await this.observe(eventId, revision, members)).event;
  }
}

/** Returns a caller with these capabilities in the scopes of `documents.ts`. */
export async function experienceParty(
  t: Fixture,
  subject_id: string,
  capabilities: readonly string[],
): Promise<ExperienceParty> {
  return new ExperienceParty(await t.agent({ subject_id, capabilities }));
}

/** Registers a context; returns its digest. */
export async function registerContext(t: Fixture, id: string): Promise<string> {
  const registrar = await learner(t, 'registrar', ['policy_admin']);
  return result(await registrar.context(id)).entry.payload_digest;
}

/** Registers the context and issues the credentials. */
export async function observatory(t: Fixture): Promise<Observatory> {
  const contextDigest = await registerContext(t, 'ctx-1');
  const writer = await experienceParty(t, 'writer', ['experience_write', 'experience_read']);
  const reporter = await experienceParty(t, 'obs', ['experience_report', 'experience_read']);
  return new Observatory({ t, writer, reporter, contextDigest });
}

/** An observatory with a registered attempt. */
export async function attempted(t: Fixture): Promise<Observatory & { receipt: ExperienceReceipt }> {
  const at = await observatory(t);
  const { receipt } = result(await at.writer.register());
  return Object.assign(at, { receipt });
}
