/**
 * The single entry point. Embedded and remote callers reach every operation through it, with the
 * same proof, checks, errors and audit.
 */
import type * as v from 'valibot';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { Settled } from '../../storage/store/store.js';
import type { CallerProof, Principal } from '../access/principal.js';
import type { InputSchemas } from '../input/input-rules.js';
import type { InputSource } from '../input/input.js';
import { type Call, CallAudit, CallLoad, factsOf, whenSettled } from '../operation/call.js';
import { CheckedInput, passChecks, type StartedCall } from '../operation/checks.js';
import type { Operation } from '../operation/operation.js';
import type { CallRequest } from '../operation/requests.js';
import { apiKeyIdOf } from '../ports/known-callers.js';
import { DeliveredChange, delivery } from '../services/delivery.js';
import { OutdatedCallError } from '../services/erasure-watch.js';
import type { Runtime } from '../services/runtime.js';
import { callKinds } from './call-kinds.js';
import { isRefusedProof } from '../audit/call-events.js';
import { markNoted } from './note-refusal.js';
import { callerOf, isBlocked, prove, suppose, unlessBlocked } from './prove.js';
import type { SupposedCaller } from './supposed-caller.js';

/** How often a call begins, while erasures go on beside it. */
const BEGUN_MAX = 8;

/**
 * Runs an operation.
 *
 * @throws {AgentkeepError} as the operation states; an unexpected error becomes `internal_error`
 * with a `cause`, so that no internal detail leaks.
 */
export async function invoke<O extends Operation>(
  runtime: Runtime,
  operation: O,
  source: InputSource,
  call: Call,
): Promise<v.InferOutput<O['output']>> {
  const input = new CheckedInput(operation, source);
  const nowMs = runtime.clock.now();
  const attempt = { runtime, operation, input, call, nowMs, count: counter(runtime, call) };
  const supposing = suppose(runtime, operation, call, nowMs);
  const supposed = supposing instanceof Promise ? await supposing : supposing;
  const first = supposed === undefined ? attempt : { ...attempt, supposed };
  for (let begun = 1; ; begun += 1) {
    try {
      return await answered(begun === 1 ? first : attempt);
    } catch (error) {
      if (!(error instanceof OutdatedCallError)) throw error;
      if (begun === BEGUN_MAX) throw new AgentkeepError('service_busy');
    }
  }
}

/** A call that is about to begin. */
interface Attempt<O extends Operation> {
  readonly runtime: Runtime;
  readonly operation: O;
  readonly input: CheckedInput;
  readonly call: Call;
  readonly nowMs: number;
  readonly count: (principal: Principal | undefined) => void;
  /** The caller, if the call may begin before it is proved. */
  readonly supposed?: SupposedCaller;
}

/** Answers a call, with its audit. */
async function answered<O extends Operation>({
  runtime,
  operation,
  input,
  call,
  nowMs,
  count,
  supposed,
}: Attempt<O>): Promise<v.InferOutput<O['output']>> {
  const { name } = operation;
  let principal: Principal | undefined = supposed?.principal;
  const audit = new CallAudit(runtime.audit, () =>
    factsOf(runtime, call, { name, principal, nowMs }),
  );
  const load = new CallLoad(runtime.heavyWork, call);
  try {
    if (supposed === undefined) {
      try {
        const caller = callerOf(runtime, operation, call, nowMs);
        // An `await` costs a turn of the queue even if nothing has to wait.
        principal = caller instanceof Promise ? await caller : caller;
      } catch (error) {
        if (isBlocked(error)) count(undefined);
        throw error;
      }
    }
    count(principal);
    const deliver = operation.effect === 'read' ? null : delivery.of(runtime);
    const delivered = deliver === null ? undefined : new DeliveredChange(runtime, deliver);
    const used = delivered?.runtime ?? runtime;
    const started: StartedCall = { runtime: used, input, audit, load, nowMs, call, supposed };
    const answer = answerCall(started, operation, principal);
    const output = answer instanceof Promise ? await (answer as Promise<unknown>) : answer;
    if (started.watch !== undefined) await started.watch.settle(runtime.store);
    if (supposed !== undefined) await supposed.settle(runtime.store);
    if (delivered !== undefined) await delivered.settle();
    audit.ended(operation, {});
    load.answered();
    return output;
  } catch (cause) {
    load.failed();
    if (cause instanceof OutdatedCallError) throw cause;
    const error = reported(cause, call.signal);
    if (error instanceof AgentkeepError) {
      await supposed?.settle(runtime.store);
      const keyId = await refusedKeyId(runtime, error, call.proof);
      audit.ended(operation, { error, keyId });
      audit.refused(operation, error, input.sentDocument);
      markNoted(error);
    }
    throw error;
  }
}

/**
 * Returns the function that counts the request of a call: once, even if the call begins twice,
 * unless the caller or the rate limits have changed meanwhile.
 */
function counter({ rateLimiter }: Runtime, call: Call): Attempt<Operation>['count'] {
  let counted: string | undefined;
  return (principal) => {
    if (call.countRequest === undefined) return;
    const what = `${String(rateLimiter.revision)} ${principal?.id ?? ''}`;
    if (what !== counted) call.countRequest(principal);
    counted = what;
  };
}

/**
 * Counts a call that reaches no operation against the rate limits, like any other.
 *
 * @throws {AgentkeepError} what `call.countRequest` throws.
 */
export async function countRequest(runtime: Runtime, call: Call): Promise<void> {
  const nowMs = runtime.clock.now();
  let principal: Principal | undefined;
  try {
    principal = await unlessBlocked(runtime, call, nowMs);
    call.countRequest?.(principal);
  } catch (cause) {
    const error = reported(cause, call.signal);
    if (error instanceof AgentkeepError && error.code === 'rate_limit_exceeded') {
      const facts = () => factsOf(runtime, call, { name: '', principal, nowMs });
      new CallAudit(runtime.audit, facts).ended(undefined, { error });
    }
    throw error;
  }
}

/**
 * Returns the principal that a proof currently authenticates.
 *
 * @throws {AgentkeepError} `unauthorized` when it is not valid, which is recorded.
 */
export async function identify(runtime: Runtime, proof: CallerProof): Promise<Principal> {
  const nowMs = runtime.clock.now();
  const principal = await prove(runtime, { proof }, nowMs);
  if (principal !== undefined) return principal;
  const error = new AgentkeepError('unauthorized');
  const facts = () => factsOf(runtime, { proof }, { name: 'authenticate', principal, nowMs });
  const keyId = await refusedKeyId(runtime, error, proof);
  new CallAudit(runtime.audit, facts).ended(undefined, { error, keyId });
  throw error;
}

function reported(cause: unknown, signal: AbortSignal | undefined): unknown {
  if (cause instanceof AgentkeepError) return cause;
  if (signal?.aborted === true && cause === signal.reason) return cause;
  return new AgentkeepError('internal_error', { cause });
}

/** Returns the id of a stored key by its refused text; looked up only when it is recorded. */
async function refusedKeyId(
  runtime: Runtime,
  { code }: AgentkeepError,
  proof: CallerProof | undefined,
): Promise<string | undefined> {
  if (!runtime.audit.isEnabled || !isRefusedProof(code)) return undefined;
  switch (proof?.kind) {
    case 'api_key':
      return runtime.store
        .read((tx) => apiKeyIdOf.of(runtime)(tx, proof.key))
        .catch(() => undefined);
    case 'held':
      return proof.subject.kind === 'api_key' ? proof.subject.keyId : undefined;
    case 'bearer':
    case 'key':
    case undefined:
      return undefined;
  }
}

/**
 * The handler of an operation for requests of its kind. Members are methods, so that all kinds fit.
 */
interface Handling {
  readonly isHeavy?: boolean;
  handler(request: CallRequest<InputSchemas>): Settled<unknown>;
}

/**
 * Answers a call.
 *
 * @throws {AgentkeepError} as the checks of the operation and its handler do.
 */
function answerCall(
  call: StartedCall,
  operation: Operation,
  caller: Principal | undefined,
): Settled<unknown> {
  const kind = callKinds[operation.kind];
  if (operation.kind !== 'public') {
    if (caller === undefined) throw new AgentkeepError('unauthorized');
    if (caller.kind === 'account') call.audit.authenticated();
  }
  kind.admit?.(call, caller);
  const passing = passChecks(call, operation, {
    authorize: () => kind.authorize(call, operation, caller),
    chooseTenant: () => kind.chooseTenant?.(call, caller),
  });
  return whenSettled(passing, (passed) => {
    const request = kind.request(call, operation, caller, passed);
    const isProvedAgain = kind.isProvedAgain?.(operation) === true;
    const ready = isProvedAgain ? confirmAfterBody(request, operation) : undefined;
    return whenSettled(ready, () => handle(call, operation, caller, request));
  });
}

/** Passes a request to its handler, once a heavy call has a slot. */
function handle(
  { load }: StartedCall,
  operation: Handling,
  caller: Principal | undefined,
  request: CallRequest<InputSchemas>,
): Settled<unknown> {
  if (operation.isHeavy !== true || caller === undefined) return operation.handler(request);
  return load.begin(caller).then(() => operation.handler(request));
}

/**
 * Authenticates the caller of an administrative write again if its body took time to arrive, so
 * that a proof that ended meanwhile is refused as one. Its transaction detects conflicts of
 * revisions.
 */
function confirmAfterBody(
  { runtime }: CallRequest<InputSchemas>,
  { input }: Operation,
): Settled<void> {
  return input.document === undefined ? undefined : runtime.store.read(() => undefined);
}
