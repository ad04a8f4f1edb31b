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

/** Marks errors of every copy of this class, for instance that of `@agentkeep/client`. */
const BRAND = Symbol.for('agentkeep.error');

/** Details of an error beside its code. */
export interface AgentkeepErrorOptions extends ErrorOptions {
  readonly members?: readonly RefusedMember[];
  readonly details?: ErrorDetails;
  /** A static message that replaces that of the catalogue where it is more specific. */
  readonly message?: string;
}

/**
 * A refusal or failure with a stable `code`. `message` is static and never quotes the input. The
 * inner reason is in `cause`, which never leaves the process. `instanceof` recognises the errors of
 * all packages of Agentkeep, also where each of them brings its own copy of this class.
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
  /**
   * For an `invalid` kind: the members that were refused, at most the first 16. For a batch: the
   * command that was refused. For `stores_differ`: the families.
   */
  readonly members: readonly RefusedMember[];
  /** Members of the answer beside code and message, such as `remaining_attempts`. */
  readonly details: ErrorDetails;

  static {
    Object.defineProperty(this.prototype, BRAND, { value: true });
  }

  constructor(code: ErrorCode, options: AgentkeepErrorOptions = {}) {
    super(options.message ?? errorCatalogue[code].message, options);
    this.code = code;
    this.members = options.members?.slice(0, MEMBERS_MAX) ?? [];
    this.details = options.details ?? {};
  }

  /** Whether a value is an error of this class or of a copy of it. */
  static override [Symbol.hasInstance](this: unknown, value: unknown): boolean {
    if (Function.prototype[Symbol.hasInstance].call(this, value)) return true;
    return this === AgentkeepError && typeof value === 'object' && value !== null && BRAND in value;
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
