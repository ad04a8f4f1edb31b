/** The connection of a command to the server that it calls. */
import { randomUUID } from 'node:crypto';
import { Agent, AgentkeepError, type ScopeInput } from '@agentkeep/client';
import { connectCalls, logInCalls } from '@agentkeep/client/calls';
import type { CallOperation } from '@agentkeep/core/clients';
import { CommandError } from '../command/command-error.js';
import type { ClientInvocation } from '../command/command.js';
import { scopeOf } from '../command/scope-flags.js';
import { UsageError } from '../command/usage-error.js';
import { refusal } from './refusal.js';
import { chooseServer } from './profiles/chosen-server.js';

/** A server and its caller. */
export interface Connection {
  readonly url: string;
  readonly call: CallOperation;
  readonly agent: Agent;
  /**
   * Returns the scope of the flags, or else of the profile.
   * @throws {UsageError} when neither has one.
   */
  readonly scope: () => ScopeInput;
}

/**
 * Connects to the chosen server, runs `use`, and logs out a person who was logged in for it.
 * @throws {CommandError} for what the server refuses, with what to do next.
 */
export async function withConnection<T>(
  { io, flags }: Pick<ClientInvocation, 'io' | 'flags'>,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  const server = chooseServer(io, flags);
  const { url, caller, scope } = server;
  const connected = (call: CallOperation): Connection => ({
    url,
    call,
    agent: new Agent(call, randomUUID),
    scope: () => scopeOf(flags) ?? scope ?? missingScope(),
  });
  try {
    if ('secret' in caller) return await use(connected(connectCalls({ url, ...caller })));
    const { tenantId, ...login } = caller;
    const { call } = await logInCalls({
      url,
      ...login,
      ...(tenantId === undefined ? {} : { tenantId }),
    });
    try {
      return await use(connected(call));
    } finally {
      await call('authLogout', {}).catch(() => undefined);
    }
  } catch (error) {
    if (!(error instanceof AgentkeepError)) throw error;
    throw new CommandError(refusal(error, server), { cause: error });
  }
}

function missingScope(): never {
  throw new UsageError(
    'A scope is needed: --project-id and --agent-id, or a profile that was made with them.',
  );
}
