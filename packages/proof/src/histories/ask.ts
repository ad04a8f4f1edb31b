/**
 * Sends the requests of a history to a server.
 */
import type { MemoryClient, MemoryRecord, ScopeInput } from '@agentkeep/core';
import { connect } from '@agentkeep/server/client';
import type { Answer, Command, Request, Shown } from './call.js';

/** Timeout of an answer; a live server answers sooner. */
const TIMEOUT_MS = 10_000;

/** Server and credential of a request. */
export interface Asking {
  readonly url: string;
  readonly secret: string;
  readonly scope: ScopeInput;
}

/**
 * Sends a request and returns its answer.
 * @throws {AgentkeepError} if the server refuses it.
 * @throws {TypeError} if the connection breaks.
 */
export async function ask({ url, secret, scope }: Asking, request: Request): Promise<Answer> {
  const agent = connect({ url, secret });
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  switch (request.type) {
    case 'command':
      return { type: 'receipt', receipt: await send(agent.memory, scope, request, signal) };
    case 'read': {
      const record = await agent.memory.read(scope, request.recordId, { signal });
      return { type: 'shown', records: [shown(record)] };
    }
    case 'query': {
      const { records, next_after } = await agent.memory.queryPage(scope, { signal });
      if (next_after !== null) throw new Error('A query of few records has a second page.');
      return { type: 'shown', records: records.map(shown) };
    }
    case 'revoke':
      await agent.credentials.revoke(request.credentialId, 1, { signal });
      return { type: 'revoked' };
  }
}

function send(
  memory: MemoryClient,
  scope: ScopeInput,
  { key: idempotencyKey, change, text }: Command,
  signal: AbortSignal,
) {
  const record = {
    episode_type: 'Observation' as const,
    content: { primary: text },
    event_time_millis: 0,
  };
  const options = { idempotencyKey, signal };
  if (change.type === 'create') return memory.create(scope, record, options);
  const target = { recordId: change.recordId, expectedRevision: change.expectedRevision };
  return change.type === 'update'
    ? memory.update(scope, target, record, options)
    : memory.delete(scope, target, options);
}

function shown({ record_id, revision, payload, author }: MemoryRecord): Shown {
  const text = payload.content.primary;
  return { recordId: record_id, revision, text, author: author.credential_id };
}
