/** Calls of operations over the network, repeated if that is safe. */
import type {
  CallOperation,
  CallOptions,
  OperationName,
  OutputOf,
  PartsOf,
} from '@agentkeep/core/clients';
import type { ClientClock } from './clock.js';
import type { HeldSecret } from './held-secret.js';
import { tryOnce } from './one-try.js';
import { requestOf } from './requests.js';
import { isOfServer, waitBeforeRetry } from './retry-policy.js';
import { routes } from './routes.js';
import type { CheckedServer } from './server-address.js';
import { SubjectTokens } from './subject-tokens.js';

/** Returns the calls of a client. */
export function callsOf(server: CheckedServer, held: HeldSecret): CallOperation {
  const call: CallOperation = async (name, parts, options) => {
    const secret = await orAborted(held.forCall(name), options?.signal);
    const output = await callServer(server, secret, name, parts, options);
    held.observe(name, output);
    return output;
  };
  const tokens = new SubjectTokens(call, server.clock);
  call.actingFor = (subjectId) => callsOf(server, tokens.of(subjectId));
  return call;
}

/**
 * Makes a call, in as many tries as the server's options allow.
 * @throws {AgentkeepError} as the server answers; `server_unreachable` without an answer;
 * `unexpected_answer` for one that is none of the contract.
 */
export async function callServer<N extends OperationName>(
  server: CheckedServer,
  secret: string | undefined,
  name: N,
  parts: PartsOf<N>,
  { signal }: CallOptions = {},
): Promise<OutputOf<N>> {
  const { addresses, clock, random, retry } = server;
  let firstFailureMs: number | undefined;
  let others = addresses.count - 1;
  for (let triesMade = 1; ; triesMade += 1) {
    const address = addresses.current;
    const request = requestOf(address, secret, name, parts);
    const outcome = await tryOnce(server, name, request, signal);
    if ('output' in outcome) return outcome.output;
    firstFailureMs ??= clock.monotonic();
    const isAway = isOfServer(outcome.error);
    if (isAway) addresses.leave(address);
    // After a round of all servers there is a wait.
    const isElsewhere = isAway && others > 0;
    others = isElsewhere ? others - 1 : addresses.count - 1;
    const waitMs = waitBeforeRetry(
      {
        ...outcome,
        isRepeatable: routes[name].isRepeatable,
        isElsewhere,
        triesMade,
        elapsedMs: clock.monotonic() - firstFailureMs,
        chance: random(),
      },
      retry,
    );
    if (waitMs === undefined) throw outcome.error;
    await pause(clock, waitMs, signal);
  }
}

/** Waits for a while, or until the signal is aborted. */
async function pause(clock: ClientClock, ms: number, signal?: AbortSignal): Promise<void> {
  let cancel: (() => void) | undefined;
  const over = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve);
  });
  try {
    await orAborted(over, signal);
  } finally {
    cancel?.();
  }
}

/** Waits for a result that others may wait for too, or until the signal is aborted. */
async function orAborted<T>(result: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return result;
  signal.throwIfAborted();
  let end: (() => void) | undefined;
  const aborted = new Promise<void>((resolve) => {
    end = resolve;
    signal.addEventListener('abort', end);
  });
  try {
    await Promise.race([result, aborted]);
  } finally {
    if (end !== undefined) signal.removeEventListener('abort', end);
  }
  signal.throwIfAborted();
  return result;
}
