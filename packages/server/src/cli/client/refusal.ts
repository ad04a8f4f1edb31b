/** Explains why a server refused a call, and what to do next. */
import type { AgentkeepError } from '@agentkeep/client';
import type { ChosenServer } from './profiles/chosen-server.js';

/** Returns the message for a refusal: its code, what is wrong with which member, and what to do. */
export function refusal(error: AgentkeepError, { url, origin }: ChosenServer): string {
  const { code, kind, advice, members } = error;
  const wrong = members.map(({ path, expected }) => `\n  ${path}: ${expected}`).join('');
  if (code === 'server_unreachable') {
    const reason = error.cause instanceof Error ? ` ${reasonOf(error.cause)}` : '';
    return (
      `No server answered at ${url} (${origin}).${reason} Start it with ` +
      '`agentkeep serve`, or name another one; `agentkeep doctor` looks for what is wrong.'
    );
  }
  if (kind === 'unauthenticated') {
    return `${advice} (${code}). The secret is that of ${origin}; the server is ${url}.`;
  }
  return `${advice} (${code})${wrong}`;
}

/** Returns the innermost cause, which names the address and the system's error. */
function reasonOf(error: Error): string {
  const inner = error.cause instanceof Error ? reasonOf(error.cause) : error.message;
  return inner === '' || inner.endsWith('.') ? inner : `${inner}.`;
}
