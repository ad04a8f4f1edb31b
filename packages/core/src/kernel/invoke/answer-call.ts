/** Checks a call as the kind of its operation requires, then passes it to the handler. */
import type { Principal } from '../access/principal.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { readAtOnce, type Settled, whenSettled } from '../../storage/store/read-at-once.js';
import { callKinds } from './call-kinds.js';
import { passChecks, type StartedCall } from '../operation/checks.js';
import type { InputSchemas } from '../input/input-rules.js';
import type { Operation } from '../operation/operation.js';
import type { CallRequest } from '../operation/requests.js';

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
export function answerCall(
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
  return input.document === undefined ? undefined : readAtOnce(runtime.store, () => undefined);
}
