/** One HTTP request and its response: proof, rate limit, operation, headers and log line. */
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
import { slicedText } from './answer-text.js';
import { readInput } from './request-input.js';
import { corsHeaders, preflightHeaders } from './cors.js';
import { pathSegment } from './path-segment.js';
import type { PathTargets, Target } from './path-targets.js';
import { attemptedProofs, challenge, type ProofHeaders, readProof } from './proof.js';
import type { Received } from './received.js';
import { requestIdOf } from './request-id.js';
import { logRequest } from './request-log.js';
import { type Answer, type Answering, type RateState, respond, respondError } from './respond.js';

/** State shared by all requests. */
export interface ServerContext {
  readonly keep: Keep;
  readonly adminOrigin: string | undefined;
  readonly trustedProxies: TrustedProxies;
  readonly log: Logger | undefined;
  readonly limiter: RateLimiter;
}

/** The place of a request among the paths of the service. */
export interface Routed {
  /** Percent-decoded, as it is matched, without the query. */
  readonly path: string;
  /** The targets of the path; `undefined` for an unknown one. */
  readonly targets: PathTargets | undefined;
}

/** Liveness probes are never rate limited. */
const UNCOUNTED_PATH = '/health';

/** Handles one request. */
export class Exchange {
  readonly #context: ServerContext;
  readonly #received: Received;
  readonly #path: string;
  readonly #targets: PathTargets | undefined;
  readonly #requestId: string;
  readonly #proofHeaders: ProofHeaders;
  #rate: RateState | undefined;
  /** The call, if it is heavy: its answer counts until it has been sent. */
  #heavy: HeavyCall | undefined;
  #principalId: string | undefined;
  #clientSignal: AbortSignal | undefined;

  constructor(context: ServerContext, received: Received, { path, targets }: Routed) {
    this.#context = context;
    this.#received = received;
    this.#path = path;
    this.#targets = targets;
    this.#requestId = requestIdOf(received.header('x-request-id'));
    this.#proofHeaders = {
      authorization: received.header('authorization'),
      apiKey: received.header('x-api-key'),
    };
  }

  /** Returns the answer, even after a failure, and logs the outcome. */
  async answer(): Promise<Answer> {
    const startedMs = performance.now();
    let failure: AgentkeepError | undefined;
    let answer: Answer;
    try {
      answer = await this.#dispatch();
    } catch (cause) {
      failure =
        cause instanceof AgentkeepError ? cause : new AgentkeepError('internal_error', { cause });
      this.#heavy?.end();
      answer = this.#respondError(failure, this.#headersOf(failure));
    }
    const { log } = this.#context;
    if (log !== undefined) {
      logRequest(log, {
        requestId: this.#requestId,
        method: this.#received.method,
        path: this.#path,
        status: answer.status,
        durationMs: performance.now() - startedMs,
        failure,
        principalId: this.#principalId,
        hasLeft: this.#hasLeft(failure),
      });
    }
    return answer;
  }

  /** Whether the work was ended because the client has left, so that it gets no response. */
  #hasLeft(failure: AgentkeepError | undefined): boolean {
    const signal = this.#clientSignal;
    return failure !== undefined && signal?.aborted === true && failure.cause === signal.reason;
  }

  /** The signal of the client. Made when it is asked for: most calls end before they need it. */
  #signal(): AbortSignal {
    this.#clientSignal ??= this.#received.signal();
    return this.#clientSignal;
  }

  /** Dispatches by the method. HEAD is handled as GET. */
  #dispatch(): Promise<Answer> {
    const targets = this.#targets;
    if (targets === undefined) return this.#refuse(new AgentkeepError('not_found'));
    const { method } = this.#received;
    const target = targets.byMethod.get(method === 'HEAD' ? 'GET' : method);
    if (target !== undefined) return this.#respond(targets, target);
    return method === 'OPTIONS' && this.#context.adminOrigin !== undefined
      ? this.#preflight(targets)
      : this.#refuse(new AgentkeepError('method_not_allowed'));
  }

  /** Invokes an operation and responds with its output, or responds with a text. */
  async #respond({ parameterIndex }: PathTargets, target: Target): Promise<Answer> {
    if ('text' in target) {
      await this.#count();
      return respond(200, await target.text(), this.#answering());
    }
    const received = this.#received;
    const id = pathSegment(parameterIndex, received.sentPath);
    const source = readInput(target.operation, received, id);
    const output = await this.#context.keep.invoke(target.operation, source, this.#call());
    const heavy = this.#heavy;
    if (heavy === undefined) {
      return respond(target.status, JSON.stringify(output), this.#answering());
    }
    const text = await slicedText(output, heavy);
    this.#holdUntilSent(heavy, text);
    return respond(target.status, text, this.#answering());
  }

  /** Counts the answer of a heavy call until it has been sent. */
  #holdUntilSent(heavy: HeavyCall, text: string): void {
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
  async #preflight({ surface }: PathTargets): Promise<Answer> {
    await this.#count();
    return respond(200, '{}', this.#answering(preflightHeaders(surface)));
  }

  #respondError(error: AgentkeepError, headers: Record<string, string>): Answer {
    const surface = this.#targets?.surface ?? 'platform';
    return respondError(error, surface, this.#answering(headers));
  }

  /** Returns the context of this request for the operation. */
  #call(): Call {
    const signal = (): AbortSignal => this.#signal();
    const proofHeaders = this.#proofHeaders;
    return {
      proof: readProof(proofHeaders),
      // Most calls record nothing.
      get attempted() {
        return attemptedProofs(proofHeaders);
      },
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
      path: this.#path,
      ipAddress: isIP(address) === 0 ? null : address,
      userAgent: this.#received.header('user-agent'),
      endpointType: endpointDocument(this.#context.limiter.endpointTypeOf(this.#path)),
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
    if (this.#path === UNCOUNTED_PATH) {
      this.#rate = limiter.peek(this.#path, client);
      return;
    }
    const tenantId =
      principal?.authority.kind === 'tenant' ? principal.authority.tenant_id : undefined;
    const decision = limiter.take(this.#path, client, tenantId);
    this.#rate = decision;
    if (decision.type === 'refused') throw new AgentkeepError('rate_limit_exceeded');
  }

  #answering(extra: Record<string, string> = {}): Answering {
    const { adminOrigin, limiter } = this.#context;
    const rate = this.#rate ?? limiter.peek(this.#path, this.#address());
    if (adminOrigin === undefined) return { requestId: this.#requestId, rate, extra };
    const cors = corsHeaders(adminOrigin, this.#received.header('origin'));
    return { requestId: this.#requestId, rate, extra: { ...cors, ...extra } };
  }

  /** Returns the headers that a refusal has beside those of every response. */
  #headersOf({ kind, code }: AgentkeepError): Record<string, string> {
    if (kind === 'unauthenticated') return { 'WWW-Authenticate': challenge(this.#proofHeaders) };
    return code === 'method_not_allowed' ? { Allow: this.#allowed() } : {};
  }

  /** Lists the methods that the path supports. */
  #allowed(): string {
    const methods = [...(this.#targets?.byMethod.keys() ?? [])];
    return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  }

  #address(): string {
    const received = this.#received;
    return clientAddress(
      {
        peer: received.incoming?.socket.remoteAddress,
        forwardedFor: received.header('x-forwarded-for') ?? undefined,
        realIp: received.header('x-real-ip') ?? undefined,
      },
      this.#context.trustedProxies,
    );
  }
}

function endpointDocument(type: EndpointType): CallOrigin['endpointType'] {
  return typeof type === 'string' ? type : { Custom: type.Custom };
}
