/** Streams changes of memory to one client, with a separate call for each page. */
import type { ChangePage, Keep } from '@agentkeep/core';
import type { Call, HeldWait, InputSource, Operation, Principal } from '@agentkeep/core/operator';
import { eventsOf, HEARTBEAT_MS } from './event-stream.js';
import type { CallingExchange } from './exchange-call.js';
import { attemptedProofs, readProof } from './proof.js';
import type { AnsweredEvents } from './respond.js';

/** The answer of a call for changes. */
interface ChangesAnswer {
  readonly page: ChangePage;
}

/** A request for a stream. */
export interface StreamRequest {
  readonly keep: Keep;
  readonly exchange: CallingExchange;
  readonly operation: Operation;
  readonly source: InputSource;
  /** The header `Last-Event-ID`. */
  readonly lastId: string | null;
}

/**
 * Returns changes as they are committed. The first page is answered like an ordinary call; each
 * further page is a call with the same proof, which is checked again.
 * @throws {AgentkeepError} as the first call.
 */
export async function streamChanges(request: StreamRequest): Promise<AnsweredEvents> {
  const { keep, exchange, operation, source, lastId } = request;
  const { stopping } = exchange;
  const left = new AbortController();
  const signal = AbortSignal.any([exchange.signal(), left.signal]);
  const heldWait: HeldWait = {};
  const resumed = lastId === null || lastId === '' ? {} : { after: lastId };
  const call = callOf(exchange, { signal, heldWait });
  // A proof of a key counts once; what it proved is proved again for each further page.
  let proved: Principal['held'] | undefined;
  const countRequest = (principal: Principal | undefined): void => {
    proved = principal?.held;
    exchange.takeToken(principal);
  };
  const pageOf = async (members: object, counted: object) => {
    const input: InputSource = {
      // Read only when the order of checks requires it.
      get parameters() {
        return { ...(source.parameters as object | undefined), ...members };
      },
    };
    const again = proved === undefined ? {} : { proof: proved };
    const output = await keep.invoke(operation, input, { ...call, ...again, ...counted });
    return (output as ChangesAnswer).page;
  };
  try {
    const first = await pageOf({ ...resumed, wait_millis: 0 }, { countRequest });
    const parts = eventsOf({
      first,
      next: (after) => pageOf({ after, wait_millis: HEARTBEAT_MS }, {}),
      isOver: () => signal.aborted || stopping.aborted,
      ended: () => heldWait.slot?.end(),
    });
    const leave = (): void => {
      left.abort();
    };
    return { parts, leave };
  } catch (error) {
    heldWait.slot?.end();
    throw error;
  }
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
