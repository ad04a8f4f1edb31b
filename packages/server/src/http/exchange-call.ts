/** The context of a call that a request makes. */
import type { Keep } from '@agentkeep/core';
import type {
  AttemptedProof,
  Call,
  CallerProof,
  CallOrigin,
  EndpointType,
  HeavyCall,
  InputSource,
  Operation,
  Principal,
} from '@agentkeep/core/operator';
import { attemptedProofs, type ProofHeaders, type ProvedRequest, readProof } from './proof.js';

/** The parts of an exchange that a call needs. */
export interface CallingExchange {
  readonly requestId: string;
  /** Id of the trace that the request belongs to. */
  readonly traceId: string | undefined;
  readonly proofHeaders: ProofHeaders;
  /** The request, as a proof of a key states it. */
  readonly provedRequest: ProvedRequest;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
  /** Returns the signal of the client. */
  signal(): AbortSignal;
  /** Takes a rate limit token for a caller, or refuses the request. */
  takeToken(principal: Principal | undefined): void;
  /** Takes over the answer of a heavy call. */
  hold(heavy: HeavyCall): void;
  /** The origin of the call, for the audit log. */
  origin(): CallOrigin;
}

/** Returns the context of the call that an exchange makes. */
export function callOf(exchange: CallingExchange): Call {
  return new ExchangeCall(exchange);
}

/** A class, because an object with accessors is slow to create. */
class ExchangeCall implements Call {
  readonly requestId: string;
  readonly proof: CallerProof | undefined;
  readonly stopping: AbortSignal;
  readonly #exchange: CallingExchange;

  constructor(exchange: CallingExchange) {
    this.requestId = exchange.requestId;
    this.stopping = exchange.stopping;
    this.proof = readProof(exchange.proofHeaders, exchange.provedRequest);
    this.#exchange = exchange;
  }

  get attempted(): AttemptedProof[] {
    return attemptedProofs(this.#exchange.proofHeaders);
  }

  get traceId(): string | undefined {
    return this.#exchange.traceId;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal();
  }

  countRequest(principal: Principal | undefined): void {
    this.#exchange.takeToken(principal);
  }

  holdAnswer(heavy: HeavyCall): void {
    this.#exchange.hold(heavy);
  }

  origin(): CallOrigin {
    return this.#exchange.origin();
  }
}

/** Returns the part of the API that a request is counted under, as audit events show it. */
export function endpointDocument(type: EndpointType): CallOrigin['endpointType'] {
  return typeof type === 'string' ? type : { Custom: type.Custom };
}

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
  const call = callOfStream(exchange, waiting);
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
function callOfStream(exchange: CallingExchange, waiting: Pick<Call, 'signal' | 'heldWait'>): Call {
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
