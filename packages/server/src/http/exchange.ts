/** One HTTP request and its response: proof, rate limit, operation, headers and log line. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { AgentkeepError, type Keep } from '@agentkeep/core';
import type {
  Call,
  CallOrigin,
  EndpointType,
  HeavyCall,
  Principal,
  RateLimiter,
} from '@agentkeep/core/transport';
import type { Logger } from '../log/logger.js';
import { clientAddress, type TrustedProxies } from '../rate-limit/client-address.js';
import { answerText } from './answer-text.js';
import { clientSignal } from './client-signal.js';
import { readInput } from './request-input.js';
import { corsHeaders, preflightHeaders } from './cors.js';
import { pathSegment } from './path-segment.js';
import type { PathTargets, Target } from './path-targets.js';
import { attemptedProofs, challenge, type ProofHeaders, readProof } from './proof.js';
import { requestIdOf } from './request-id.js';
import { logRequest } from './request-log.js';
import { type Answering, type RateState, respond, respondError } from './respond.js';
import { sentPath } from './sent-path.js';

/** State shared by all requests. */
export interface ServerContext {
  readonly keep: Keep;
  readonly adminOrigin: string | undefined;
  readonly trustedProxies: TrustedProxies;
  readonly log: Logger | undefined;
  readonly limiter: RateLimiter;
}

/** A request as the router delivers it. */
export interface Received {
  readonly request: Request;
  /** Percent-decoded, as the router matched it, without the query. */
  readonly path: string;
  /** The targets of its path; `undefined` for an unknown path. */
  readonly targets: PathTargets | undefined;
  /** The Node.js request, if the app runs on a socket. */
  readonly incoming: IncomingMessage | undefined;
  /** The Node.js response, if the app runs on a socket. */
  readonly outgoing: ServerResponse | undefined;
}

/** Liveness probes are never rate limited. */
const UNCOUNTED_PATH = '/health';

/** Handles one request. */
export class Exchange {
  readonly #context: ServerContext;
  readonly #received: Received;
  readonly #requestId: string;
  readonly #proofHeaders: ProofHeaders;
  #rate: RateState | undefined;
  /** The call, if it is heavy: its answer counts until it has been sent. */
  #heavy: HeavyCall | undefined;
  #principalId: string | undefined;
  #clientSignal: AbortSignal | undefined;

  constructor(context: ServerContext, received: Received) {
    const { headers } = received.request;
    this.#context = context;
    this.#received = received;
    this.#requestId = requestIdOf(headers.get('x-request-id'));
    this.#proofHeaders = {
      authorization: headers.get('authorization'),
      apiKey: headers.get('x-api-key'),
    };
  }

  /** Returns the response, even after a failure, and logs the outcome. */
  async answer(): Promise<Response> {
    const startedMs = performance.now();
    let failure: AgentkeepError | undefined;
    let response: Response;
    try {
      response = await this.#dispatch();
    } catch (cause) {
      failure =
        cause instanceof AgentkeepError ? cause : new AgentkeepError('internal_error', { cause });
      this.#heavy?.end();
      response = this.#respondError(failure, this.#headersOf(failure));
    }
    const { log } = this.#context;
    if (log !== undefined) {
      const { path, request } = this.#received;
      const { status } = response;
      const durationMs = performance.now() - startedMs;
      const requestId = this.#requestId;
      const answered = { requestId, method: request.method, path, status, durationMs, failure };
      logRequest(log, {
        ...answered,
        principalId: this.#principalId,
        hasLeft: this.#hasLeft(failure),
      });
    }
    return response;
  }

  /** Whether the work was ended because the client has left, so that it gets no response. */
  #hasLeft(failure: AgentkeepError | undefined): boolean {
    const signal = this.#clientSignal;
    return failure !== undefined && signal?.aborted === true && failure.cause === signal.reason;
  }

  /** The signal of the client. Made when it is asked for: most calls end before they need it. */
  #signal(): AbortSignal {
    const { outgoing, request } = this.#received;
    this.#clientSignal ??= outgoing === undefined ? request.signal : clientSignal(outgoing);
    return this.#clientSignal;
  }

  /** Dispatches by the method. HEAD is handled as GET. */
  #dispatch(): Promise<Response> {
    const { targets, request } = this.#received;
    if (targets === undefined) return this.#refuse(new AgentkeepError('not_found'));
    const { method } = request;
    const target = targets.byMethod.get(method === 'HEAD' ? 'GET' : method);
    if (target !== undefined) return this.#respond(targets, target);
    return method === 'OPTIONS' && this.#context.adminOrigin !== undefined
      ? this.#preflight(targets)
      : this.#refuse(new AgentkeepError('method_not_allowed'));
  }

  /** Invokes an operation and responds with its output, or responds with a fixed text. */
  async #respond({ path }: PathTargets, target: Target): Promise<Response> {
    if ('text' in target) {
      await this.#count();
      return respond(200, target.text, this.#answering());
    }
    const { request, incoming } = this.#received;
    const id = pathSegment(path, sentPath(request.url, incoming));
    const source = readInput(target.operation, { request, incoming, id });
    const output = await this.#context.keep.invoke(target.operation, source, this.#call());
    const text = await answerText(output, this.#heavy);
    this.#holdUntilSent(text);
    return respond(target.status, text, this.#answering());
  }

  /** Counts the answer of a heavy call until it has been sent. */
  #holdUntilSent(text: string): void {
    const heavy = this.#heavy;
    if (heavy === undefined) return;
    const { outgoing } = this.#received;
    if (outgoing === undefined || outgoing.destroyed) {
      heavy.end();
      return;
    }
    heavy.sending(text.length);
    outgoing.once('close', () => {
      heavy.end();
    });
  }

  /** Counts the request, then refuses it. */
  async #refuse(error: AgentkeepError): Promise<never> {
    await this.#count();
    throw error;
  }

  /** Answers a preflight for the allowed origin. */
  async #preflight({ surface }: PathTargets): Promise<Response> {
    await this.#count();
    return respond(200, '{}', this.#answering(preflightHeaders(surface)));
  }

  #respondError(error: AgentkeepError, headers: Record<string, string>): Response {
    const surface = this.#received.targets?.surface ?? 'platform';
    return respondError(error, surface, this.#answering(headers));
  }

  /** Returns the context of this request for the operation. */
  #call(): Call {
    const signal = (): AbortSignal => this.#signal();
    return {
      proof: readProof(this.#proofHeaders),
      attempted: attemptedProofs(this.#proofHeaders),
      countRequest: (principal) => {
        this.#takeToken(principal);
      },
      holdAnswer: (heavy) => {
        this.#heavy = heavy;
      },
      requestId: this.#requestId,
      get signal() {
        return signal();
      },
      origin: () => this.#origin(),
    };
  }

  #origin(): CallOrigin {
    const address = this.#address();
    return {
      path: this.#received.path,
      ipAddress: isIP(address) === 0 ? null : address,
      userAgent: this.#received.request.headers.get('user-agent'),
      endpointType: endpointDocument(this.#context.limiter.endpointTypeOf(this.#received.path)),
    };
  }

  /** Takes a rate limit token for a request that reaches no operation. */
  #count(): Promise<void> {
    return this.#context.keep.countRequest(this.#call());
  }

  #takeToken(principal: Principal | undefined): void {
    this.#principalId = principal?.id;
    const { limiter } = this.#context;
    const client = principal?.id ?? this.#address();
    if (this.#received.path === UNCOUNTED_PATH) {
      this.#rate = limiter.peek(this.#received.path, client);
      return;
    }
    const tenantId =
      principal?.authority.kind === 'tenant' ? principal.authority.tenant_id : undefined;
    const decision = limiter.take(this.#received.path, client, tenantId);
    this.#rate = decision;
    if (decision.type === 'refused') throw new AgentkeepError('rate_limit_exceeded');
  }

  #answering(extra: Record<string, string> = {}): Answering {
    const { adminOrigin, limiter } = this.#context;
    const rate = this.#rate ?? limiter.peek(this.#received.path, this.#address());
    if (adminOrigin === undefined) return { requestId: this.#requestId, rate, extra };
    const cors = corsHeaders(adminOrigin, this.#received.request.headers.get('origin'));
    return { requestId: this.#requestId, rate, extra: { ...cors, ...extra } };
  }

  /** Returns the headers that a refusal has beside those of every response. */
  #headersOf({ kind, code }: AgentkeepError): Record<string, string> {
    if (kind === 'unauthenticated') return { 'WWW-Authenticate': challenge(this.#proofHeaders) };
    return code === 'method_not_allowed' ? { Allow: this.#allowed() } : {};
  }

  /** Lists the methods that the path supports. */
  #allowed(): string {
    const methods = [...(this.#received.targets?.byMethod.keys() ?? [])];
    return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  }

  #address(): string {
    const { headers } = this.#received.request;
    return clientAddress(
      {
        peer: this.#received.incoming?.socket.remoteAddress,
        forwardedFor: headers.get('x-forwarded-for') ?? undefined,
        realIp: headers.get('x-real-ip') ?? undefined,
      },
      this.#context.trustedProxies,
    );
  }
}

function endpointDocument(type: EndpointType): CallOrigin['endpointType'] {
  return typeof type === 'string' ? type : { Custom: type.Custom };
}
