/** The one error class of Agentkeep. */
import { errorCatalogue, type ErrorCode, type ErrorEntry, type ErrorKind } from './catalogue.js';

/** Members of an answer beside code and message; never an input or a secret. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | null>>;

/** A member that was refused. */
export interface RefusedMember {
  /** Dotted path with `[index]`, such as `spec.grants[0].project_id`; empty for the whole input. */
  readonly path: string;
  /** What was expected there, in words. Never the value that was sent. */
  readonly expected: string;
}

/** Most members that an error lists. */
export const MEMBERS_MAX = 16;

/** Returns what was refused first, if that is known, and what to do next. */
function messageOf(members: readonly RefusedMember[], advice: string): string {
  const [first, ...others] = members;
  if (first === undefined) return advice;
  const where = first.path === '' ? 'The input' : `\`${first.path}\``;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return `${where}${more}: expected ${first.expected}. ${advice}`;
}

/** Marks errors of every copy of this class, for instance that of `@agentkeep/client`. */
const BRAND = Symbol.for('agentkeep.error');

/** Details of an error beside its code. */
export interface AgentkeepErrorOptions extends ErrorOptions {
  readonly members?: readonly RefusedMember[];
  readonly details?: ErrorDetails;
  /** Replaces the whole message where it is more specific. */
  readonly message?: string;
  /** Replaces the advice of the catalogue, which follows the refused member in the message. */
  readonly advice?: string;
}

/**
 * A refusal or failure with a stable `code`. `message` begins with the first refused member and
 * what was expected there, then says what to do next. It quotes no value that was sent. The inner
 * reason is in `cause`, which never leaves the process. `instanceof` recognises the errors of all
 * packages of Agentkeep, also where each of them brings its own copy of this class.
 * @example
 * ```ts
 * import { AgentkeepError } from '@agentkeep/core';
 *
 * const error = new AgentkeepError('revision_conflict');
 * if (error.kind !== 'conflict' || error.retryable) throw new Error('unexpected');
 * ```
 */
export class AgentkeepError extends Error {
  override readonly name = 'AgentkeepError';
  readonly code: ErrorCode;
  /** What happened and what to do next: the `message` without the member, as sent over HTTP. */
  readonly advice: string;
  /**
   * For an `invalid` kind: the members that were refused, at most the first 16. For a batch: the
   * command that was refused. For `idempotency_conflict`: what differs from the first command. For
   * `stores_differ`: the families.
   */
  readonly members: readonly RefusedMember[];
  /** Members of the answer beside code and message, such as `remaining_attempts`. */
  readonly details: ErrorDetails;

  static {
    Object.defineProperty(this.prototype, BRAND, { value: true });
  }

  constructor(code: ErrorCode, options: AgentkeepErrorOptions = {}) {
    const advice = options.advice ?? errorCatalogue[code].message;
    super(options.message ?? messageOf(options.members ?? [], advice), options);
    this.code = code;
    this.advice = options.message ?? advice;
    this.members = options.members?.slice(0, MEMBERS_MAX) ?? [];
    this.details = options.details ?? {};
  }

  /** Whether a value is an error of this class or of a copy of it. */
  static override [Symbol.hasInstance](
    this: { readonly prototype: object },
    value: unknown,
  ): boolean {
    if (Function.prototype[Symbol.hasInstance].call(this, value)) return true;
    // Not by name: a bundler would then rename the class, also in stacks.
    if (!Object.hasOwn(this.prototype, BRAND)) return false;
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  /** The kind of failure, which transports map to a status. */
  get kind(): ErrorKind {
    return errorCatalogue[this.code].kind;
  }

  /** Whether the same call may succeed later without a change. */
  get retryable(): boolean {
    return errorCatalogue[this.code].retryable;
  }

  /** The code that a client sees. */
  get wireCode(): string {
    const entry: ErrorEntry = errorCatalogue[this.code];
    return entry.wireCode ?? this.code;
  }
}

/** Returns whether a value is an error with one of some codes. */
export function hasCode(error: unknown, ...codes: readonly ErrorCode[]): boolean {
  return error instanceof AgentkeepError && codes.includes(error.code);
}
