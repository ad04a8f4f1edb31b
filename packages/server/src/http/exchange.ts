/**
 * One request and its answer: who asks, what the rate limit says, the response and its log line.
 * @module
 */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { AgentkeepError, type Keep } from '@agentkeep/core';
import type {
  Call,
  CallOrigin,
  EndpointType,
  Operation,
  Principal,
  RateLimiter,
  Surface,
} from '@agentkeep/core/transport';
import type { Logger } from '../log/logger.js';
import { clientAddress, type TrustedProxies } from '../rate-limit/client-address.js';
import { bind } from './bind.js';
import { corsHeaders, preflightHeaders } from './cors.js';
import { attemptedProofs, challenge, type ProofHeaders, readProof } from './proof.js';
import { requestIdOf } from './request-id.js';
import { type Answering, type RateState, respond, respondError } from './respond.js';

/** What all requests share. */
export interface Surroundings {
  readonly keep: Keep;
  readonly adminOrigin: string | undefined;
  readonly trustedProxies: TrustedProxies;
  readonly log: Logger | undefined;
  readonly limiter: RateLimiter;
}

/** A request as the router hands it over. */
export interface Received {
  readonly request: Request;
  /** Percent-decoded as the router matched it, without the query. */
  readonly path: string;
  /** The surface of the path, which decides the shape of errors. */
  readonly surface: Surface;
  /** The Node.js request, when the app runs on a socket. */
  readonly incoming: IncomingMessage | undefined;
}

/** Liveness probes are never counted and never refused. */
const UNCOUNTED_PATH = '/health';

/** A request on its way to an answer. */
export class Exchange {
  readonly #around: Surroundings;
  readonly #request: Request;
  readonly #incoming: IncomingMessage | undefined;
  readonly #path: string;
  readonly #surface: Surface;
  readonly #requestId: string;
  readonly #proofHeaders: ProofHeaders;
  #rate: RateState | undefined;

  constructor(around: Surroundings, { request, path, surface, incoming }: Received) {
    this.#around = around;
    this.#request = request;
    this.#incoming = incoming;
    this.#path = path;
    this.#surface = surface;
    this.#requestId = requestIdOf(request.headers.get('x-request-id'));
    this.#proofHeaders = {
      authorization: request.headers.get('authorization'),
      apiKey: request.headers.get('x-api-key'),
    };
  }

  /** Runs a handler, turns whatever it throws into an answer, and logs the outcome. */
  async run(handler: (exchange: Exchange) => Promise<Response>): Promise<Response> {
    const startedMs = performance.now();
    let failure: AgentkeepError | undefined;
    let response: Response;
    try {
      response = await handler(this);
    } catch (cause) {
      failure =
        cause instanceof AgentkeepError ? cause : new AgentkeepError('internal_error', { cause });
      const answering = this.#answering(this.#challenge(failure));
      response = respondError(failure, this.#surface, answering);
    }
    this.#log(response.status, performance.now() - startedMs, failure);
    return response;
  }

  /** Invokes an operation and answers with its output. */
  async invoke(operation: Operation, status: number, id: string | undefined): Promise<Response> {
    const source = bind(operation, { request: this.#request, incoming: this.#incoming, id });
    const output = await this.#around.keep.invoke(operation, source, this.#call());
    return respond(status, JSON.stringify(output), this.#answering());
  }

  /** Answers with a fixed JSON text that needs no proof. */
  async publish(text: string): Promise<Response> {
    await this.#count();
    return respond(200, text, this.#answering());
  }

  /** Counts the request, then refuses it. */
  async refuse(error: AgentkeepError): Promise<never> {
    await this.#count();
    throw error;
  }

  /** Refuses a method that the path does not take, and lists those that it takes. */
  async methodNotAllowed(methods: readonly string[]): Promise<Response> {
    await this.#count();
    const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const error = new AgentkeepError('method_not_allowed');
    return respondError(error, this.#surface, this.#answering({ Allow: allowed.join(', ') }));
  }

  /** Answers a preflight when one origin is allowed; else OPTIONS is a method like any other. */
  async preflightOr405(methods: readonly string[]): Promise<Response> {
    if (this.#around.adminOrigin === undefined) return this.methodNotAllowed(methods);
    await this.#count();
    return respond(200, '{}', this.#answering(preflightHeaders(this.#surface)));
  }

  /** What surrounds the call that the request is. */
  #call(): Call {
    return {
      proof: readProof(this.#proofHeaders),
      attempted: attemptedProofs(this.#proofHeaders),
      admit: (principal) => {
        this.#admit(principal);
      },
      requestId: this.#requestId,
      origin: () => this.#origin(),
    };
  }

  #origin(): CallOrigin {
    const address = this.#address();
    return {
      path: this.#path,
      ipAddress: isIP(address) === 0 ? null : address,
      userAgent: this.#request.headers.get('user-agent'),
      endpointType: endpointDocument(this.#around.limiter.endpointTypeOf(this.#path)),
    };
  }

  /** Takes a token for a request that reaches no operation. */
  #count(): Promise<void> {
    return this.#around.keep.admit(this.#call());
  }

  #admit(principal: Principal | undefined): void {
    const { limiter } = this.#around;
    const client = principal?.id ?? this.#address();
    if (this.#path === UNCOUNTED_PATH) {
      this.#rate = limiter.peek(this.#path, client);
      return;
    }
    const decision = limiter.take(this.#path, client);
    this.#rate = decision;
    if (decision.type === 'refused') throw new AgentkeepError('rate_limit_exceeded');
  }

  #answering(extra: Record<string, string> = {}): Answering {
    const { adminOrigin, limiter } = this.#around;
    const rate = this.#rate ?? limiter.peek(this.#path, this.#address());
    if (adminOrigin === undefined) return { requestId: this.#requestId, rate, extra };
    const cors = corsHeaders(adminOrigin, this.#request.headers.get('origin'));
    return { requestId: this.#requestId, rate, extra: { ...cors, ...extra } };
  }

  #challenge(error: AgentkeepError): Record<string, string> {
    if (error.kind !== 'unauthenticated') return {};
    return { 'WWW-Authenticate': challenge(this.#proofHeaders) };
  }

  #address(): string {
    const { headers } = this.#request;
    return clientAddress(
      {
        peer: this.#incoming?.socket.remoteAddress,
        forwardedFor: headers.get('x-forwarded-for') ?? undefined,
        realIp: headers.get('x-real-ip') ?? undefined,
      },
      this.#around.trustedProxies,
    );
  }

  #log(status: number, durationMs: number, failure: AgentkeepError | undefined): void {
    const { log } = this.#around;
    if (log === undefined) return;
    const fields = {
      request_id: this.#requestId,
      method: this.#request.method,
      path: this.#path,
      status,
      duration_ms: Math.round(durationMs * 1_000) / 1_000,
    };
    if (status < 500) log.info('request', fields);
    else log.error('request failed', { ...fields, code: failure?.code, cause: causeOf(failure) });
  }
}

function endpointDocument(type: EndpointType): CallOrigin['endpointType'] {
  return typeof type === 'string' ? type : { Custom: type.Custom };
}

function causeOf(failure: AgentkeepError | undefined): string | undefined {
  const cause = failure?.cause;
  return cause instanceof Error ? (cause.stack ?? cause.message) : undefined;
}
