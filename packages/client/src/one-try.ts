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
  const answered = outcomeOf(name, async () => fetch(url, { ...init, signal: ending.signal }));
  const outcome = await Promise.race([answered, ended]);
  cancel();
  signal?.removeEventListener('abort', end);
  if (outcome !== undefined) return outcome;
  signal?.throwIfAborted();
  return { error: noAnswerWithin(timeoutMs + waitMs) };
}

async function outcomeOf<N extends OperationName>(
  name: N,
  send: () => Promise<Response>,
): Promise<TryOutcome<N>> {
  try {
    return await readAnswer(name, await send());
  } catch (cause) {
    return { error: new AgentkeepError('server_unreachable', { cause }) };
  }
}

function noAnswerWithin(ms: number): AgentkeepError {
  const message = `The server did not answer within ${ms} ms. Check that it runs and that nothing on the way holds the request; then retry.`;
  return new AgentkeepError('server_unreachable', { message });
}
