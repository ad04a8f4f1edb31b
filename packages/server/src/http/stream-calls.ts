/** The calls of a stream: one for each page, each proved again, of which the first is counted. */
import type { Keep } from '@agentkeep/core';
import type { Call, InputSource, Operation, Principal } from '@agentkeep/core/operator';
import type { CallingExchange } from './exchange-call.js';
import { attemptedProofs, readProof } from './proof.js';

/** A request for a stream. */
export interface StreamRequest {
  readonly keep: Keep;
  readonly exchange: CallingExchange;
  readonly operation: Operation;
  readonly source: InputSource;
}

/** Returns a function that makes the next call of a stream. */
export function streamCalls(
  { keep, exchange, operation }: StreamRequest,
  waiting: Pick<Call, 'signal' | 'heldWait'>,
): (input: InputSource) => Promise<unknown> {
  const call = callOf(exchange, waiting);
  // A proof of a key counts once; what it proved is proved again for each further page.
  let proved: Principal['held'] | undefined;
  let isFirst = true;
  const countRequest = (principal: Principal | undefined): void => {
    proved = principal?.held;
    exchange.takeToken(principal);
  };
  return (input) => {
    const again = proved === undefined ? {} : { proof: proved };
    const counted = isFirst ? { countRequest } : {};
    isFirst = false;
    return keep.invoke(operation, input, { ...call, ...again, ...counted });
  };
}

/** Returns the context of all calls of a stream. Between two calls, it counts as no heavy call. */
function callOf(exchange: CallingExchange, waiting: Pick<Call, 'signal' | 'heldWait'>): Call {
  const { proofHeaders, requestId, stopping, traceId } = exchange;
  return {
    proof: readProof(proofHeaders, exchange.provedRequest),
    attempted: attemptedProofs(proofHeaders),
    requestId,
    traceId,
    origin: () => exchange.origin(),
    stopping,
    ...waiting,
  };
}
