/**
 * The one way in: every caller, embedded or remote, reaches an operation through here and gets the
 * same proof, checks, errors and audit.
 * @module
 */
import type * as v from 'valibot';
import type { Principal, Proof } from '../access/principal.js';
import { AgentkeepError } from '../errors/agentkeep-error.js';
import { CheckedCall } from './checked-call.js';
import type { InputSource } from './input.js';
import type { Operation } from './operation.js';
import type { Runtime } from './runtime.js';

/** What surrounds a call. */
export interface Call {
  /** Absent when the caller sent none, or none that can be read. */
  readonly proof?: Proof | undefined;
  /** Runs once the caller is known and before anything else is decided; may throw to refuse. */
  readonly admit?: (principal: Principal | undefined) => void;
  /** Joins the call with logs and audit. */
  readonly requestId?: string;
  /** Ends long work early; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs an operation.
 * @throws {AgentkeepError} as the operation states; anything unexpected as `internal_error` with a
 * `cause`, so that no detail of the inside leaves by accident.
 */
export async function invoke<O extends Operation>(
  runtime: Runtime,
  operation: O,
  source: InputSource,
  call: Call,
): Promise<v.InferOutput<O['output']>> {
  const { proof } = call;
  const nowMs = runtime.clock.now();
  let principal: Principal | undefined;
  try {
    if (proof !== undefined) {
      principal = await runtime.store.read((tx) => runtime.authenticate(tx, proof, nowMs));
    }
    call.admit?.(principal);
    let output: unknown;
    if (operation.access === 'public') {
      output = operation.handler();
    } else {
      if (principal === undefined) throw new AgentkeepError('unauthorized');
      const { signal } = call;
      const checked = new CheckedCall({ runtime, operation, source, principal, nowMs, signal });
      await checked.check();
      output = await operation.handler(checked);
    }
    observe(runtime, operation, call, principal);
    return output;
  } catch (cause) {
    const error = reported(cause, call.signal);
    if (error instanceof AgentkeepError) observe(runtime, operation, call, principal, error);
    throw error;
  }
}

function reported(cause: unknown, signal: AbortSignal | undefined): unknown {
  if (cause instanceof AgentkeepError) return cause;
  if (signal?.aborted === true && cause === signal.reason) return cause;
  return new AgentkeepError('internal_error', { cause });
}

function observe(
  runtime: Runtime,
  operation: Operation,
  call: Call,
  principal: Principal | undefined,
  error?: AgentkeepError,
): void {
  runtime.audit.observed({
    operation: operation.name,
    principal,
    ...(error === undefined ? {} : { error: error.code }),
    requestId: call.requestId,
    atMillis: runtime.clock.now(),
  });
}
