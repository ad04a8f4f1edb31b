/**
 * The port of a replication target: a small store of objects, of which `create` is the one that
 * decides between writers. Each target passes the cases of `test/replica-kit.ts`.
 */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';

/** The most names that one listing returns. */
export const LISTED_NAMES_MAX = 1_000;

/**
 * Objects by name. A name is one or more parts of lower-case letters, digits, dots and hyphens,
 * separated by `/`. Every call throws `replica_unavailable` when the target does not answer, and
 * may then have happened.
 */
export interface ReplicaTarget {
  /** Where it is, for messages, without secrets. */
  readonly address: string;
  /**
   * Returns names that begin with a prefix, in the order of their bytes, beginning after one of
   * them: at most {@link LISTED_NAMES_MAX}. What was created before the call is among them.
   */
  list(prefix: string, after?: string): Promise<string[]>;
  /** Returns an object that the caller owns, or `undefined` if there is none. */
  read(name: string): Promise<Uint8Array | undefined>;
  /**
   * Creates an object. Of several writers at most one gets `true`, and the object is whole and
   * durable then. Returns `false` if it is there already, also if a repeated request of this call
   * made it, whose answer was lost.
   */
  create(name: string, bytes: Uint8Array): Promise<boolean>;
  /** Creates or replaces an object, durably. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /**
   * As {@link create}, from a file of any size. Some buckets don't decide between writers of large
   * files, so what counts is the object with their digests, which is created after them.
   */
  createFrom(name: string, file: string): Promise<boolean>;
  /** Writes an object into a new file, durably. Returns `false` if there is no such object. */
  readTo(name: string, file: string): Promise<boolean>;
  /** Removes an object, if it is there. */
  remove(name: string): Promise<void>;
  close(): Promise<void>;
}

const NAME = /^[a-z0-9][a-z0-9.-]*(?:\/[a-z0-9][a-z0-9.-]*)*$/;

/** Throws for what is no name of an object, before it becomes a path. */
export function requireObjectName(name: string): void {
  if (!NAME.test(name)) throw new TypeError(`${JSON.stringify(name)} is no name of an object.`);
}

/** Makes the error for a target that does not answer. */
export function targetUnavailable(address: string, cause: unknown): AgentkeepError {
  const why = cause instanceof Error ? cause.message : String(cause);
  const detail = new Error(`The replication target ${address} does not answer: ${why}`, { cause });
  return new AgentkeepError('replica_unavailable', { cause: detail });
}

/** Makes the error for a target that cannot be one, with what to do as a sentence. */
export function targetUnsuitable(message: string, cause?: unknown): AgentkeepError {
  return new AgentkeepError('replica_unsuitable', { message, cause });
}
