/** One try of a call, which ends by its answer, a signal or its time limit. */
import { AgentkeepError, type OperationName } from '@agentkeep/core/clients';
import { readAnswer, type TryOutcome } from './answers.js';
import type { ClientRequest } from './requests.js';
import type { CheckedServer } from './server-address.js';

/**
 * Sends a request once.
 * @throws the reason of the signal, once it is aborted.
 */
export async function tryOnce<N extends OperationName>(
  { fetch, clock, timeoutMs }: CheckedServer,
  name: N,
  { url, init, waitMs }: ClientRequest,
  signal: AbortSignal | undefined,
): Promise<TryOutcome<N>> {
  signal?.throwIfAborted();
  const ending = new AbortController();
  // Not every fetch obeys its signal, so the end doesn't wait for it.
  const ended = new Promise<undefined>((resolve) => {
    ending.signal.addEventListener('abort', () => resolve(undefined));
  });
  const end = () => ending.abort(signal?.reason);
  const cancel = clock.after(timeoutMs + waitMs, end);
  signal?.addEventListener('abort', end);
  const answered = outcomeOf(name, url, async () => fetch(url, { ...init, signal: ending.signal }));
  const outcome = await Promise.race([answered, ended]);
  cancel();
  signal?.removeEventListener('abort', end);
  if (outcome !== undefined) return outcome;
  signal?.throwIfAborted();
  return { error: noAnswerWithin(url, timeoutMs + waitMs) };
}

async function outcomeOf<N extends OperationName>(
  name: N,
  url: string | URL,
  send: () => Promise<Response>,
): Promise<TryOutcome<N>> {
  try {
    return await readAnswer(name, await send());
  } catch (cause) {
    return { error: unreachable(url, reasonOf(cause), cause) };
  }
}

function noAnswerWithin(url: string | URL, ms: number): AgentkeepError {
  return unreachable(url, `it did not answer within ${ms} ms`);
}

/** Names the server and the reason, but no path or query, which may hold ids. */
function unreachable(url: string | URL, reason: string, cause?: unknown): AgentkeepError {
  const { origin } = new URL(url);
  const message =
    `No answer from ${origin}: ${reason}. Check the address, that the server runs and that nothing ` +
    'on the way stops the request; then retry.';
  return new AgentkeepError('server_unreachable', { message, cause });
}

/** Returns what the innermost cause says, such as `connect ECONNREFUSED 127.0.0.1:7171`. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'the request failed';
  if (cause.cause instanceof Error) return reasonOf(cause.cause);
  const { code } = cause as { readonly code?: unknown };
  const reason = cause.message === '' && typeof code === 'string' ? code : cause.message;
  return reason.replace(/\.$/u, '') || 'the request failed';
}
