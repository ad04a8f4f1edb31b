/**
 * Sends the requests of a history to a server.
 */
import type { ScopedMemory, MemoryRecord, ScopeInput } from '@agentkeep/core';
import { connect } from '@agentkeep/server/client';
import type { Answer, Command, Request, Shown } from './call.js';
import type { NamedChange, NamedCommand, Outcome } from './named-call.js';

/** Timeout of an answer; a live server answers sooner. */
const TIMEOUT_MS = 10_000;

/** Server and credential of a request. */
export interface Asking {
  readonly url: string;
  readonly secret: string;
  readonly scope: ScopeInput;
}

/**
 * Sends a request once and returns its answer.
 * @throws {AgentkeepError} if the server refuses it, or if the connection breaks.
 */
export async function ask({ url, secret, scope }: Asking, request: Request): Promise<Answer> {
  const agent = connect({ url, secret, retry: false });
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  switch (request.type) {
    case 'command':
      return { type: 'receipt', receipt: await send(agent.memory, scope, request, signal) };
    case 'read': {
      const record = await agent.memory.in(scope).read(request.recordId, { signal });
      return { type: 'shown', records: [shown(record)] };
    }
    case 'query': {
      const { records, next_after } = await agent.memory.in(scope).queryPage({}, { signal });
      if (next_after !== null) throw new Error('A query of few records has a second page.');
      return { type: 'shown', records: records.map(shown) };
    }
    case 'named': {
      const outcomes = await sendNamed(agent.memory, namesOf(scope), request, signal);
      return { type: 'outcomes', outcomes };
    }
    case 'look up': {
      const record = await agent.memory.in(namesOf(scope)).read({ name: request.name }, { signal });
      return { type: 'shown', records: record === undefined ? [] : [shown(record)] };
    }
    case 'list names': {
      const { records } = await agent.memory.in(namesOf(scope)).queryPage({}, { signal });
      return { type: 'shown', records: records.map(shown) };
    }
    case 'revoke':
      await agent.credentials.revoke(request.credentialId, 1, { signal });
      return { type: 'revoked' };
  }
}

function send(
  memory: ScopedMemory,
  scope: ScopeInput,
  { key: idempotencyKey, change, text }: Command,
  signal: AbortSignal,
) {
  const record = recordOf(text);
  const options = { idempotencyKey, signal };
  if (change.type === 'create') return memory.in(scope).create(record, options);
  if (change.type === 'redact') {
    const { recordId, revision } = change;
    return memory.in(scope).redact({ recordId, revision }, options);
  }
  const target = { recordId: change.recordId, expectedRevision: change.expectedRevision };
  if (change.type === 'restore') {
    return memory.in(scope).restore({ ...target, revision: change.revision }, options);
  }
  return change.type === 'update'
    ? memory.in(scope).update(target, record, options)
    : memory.in(scope).delete(target, options);
}

async function sendNamed(
  memory: ScopedMemory,
  scope: ScopeInput,
  { key: idempotencyKey, changes }: NamedCommand,
  signal: AbortSignal,
): Promise<readonly Outcome[]> {
  const commands = changes.map((change) => ({ scope, operation: operationOf(change) }));
  const { outcomes } = await memory.batch(commands, { idempotencyKey, signal });
  return outcomes.map(({ record_id, revision, action }) => ({
    recordId: record_id,
    revision,
    action,
  }));
}

function operationOf({ type, name, expectedRevision, text }: NamedChange) {
  const expected = expectedRevision === undefined ? {} : { expected_revision: expectedRevision };
  if (type === 'remove') return { type, name, ...expected };
  return { type, name, ...expected, record: recordOf(text) };
}

function recordOf(text: string) {
  return {
    episode_type: 'Observation' as const,
    content: { primary: text },
    event_time_millis: 0,
  };
}

/** The scope of names, beside that of the other records. */
export function namesOf(scope: ScopeInput): ScopeInput {
  return { ...scope, agent_id: 'names' };
}

function shown({ record_id, revision, payload, author, name }: MemoryRecord): Shown {
  const text = payload.content.primary;
  const named = name === undefined ? {} : { name };
  return { recordId: record_id, revision, text, author: author.credential_id, ...named };
}
