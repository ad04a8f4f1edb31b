/** How an agent reaches the operations: in process or over a network, with the same types. */
import type * as v from 'valibot';
import type { OperationName, operations } from '../domains.js';

type Operations = typeof operations;

/** The output of an operation, by its name. */
export type OutputOf<N extends OperationName> = v.InferOutput<Operations[N]['output']>;

/** The input parts of an operation, by its name. */
export type PartsOf<N extends OperationName> = {
  readonly [P in keyof Operations[N]['input']]: Operations[N]['input'][P] extends v.GenericSchema
    ? v.InferInput<Operations[N]['input'][P]>
    : never;
};

/** Settings of one call. */
export interface CallOptions {
  /** Ends long work early; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Makes an idempotency key for a command that was given none. */
export type NewKey = () => string;

/** Runs an operation as one fixed principal. */
export interface CallOperation {
  <N extends OperationName>(
    name: N,
    parts: PartsOf<N>,
    options?: CallOptions,
  ): Promise<OutputOf<N>>;
  /** Returns the calls in which the principal, a service, acts for a subject. */
  actingFor?(subjectId: string): CallOperation;
}

/** Returns the members that have a value. */
export function stated<T extends object>(
  members: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  // A loop, because arrays of entries take three times as long in every call.
  const present: { [K in keyof T]?: T[K] } = {};
  for (const name in members) if (members[name] !== undefined) present[name] = members[name];
  return present as { [K in keyof T]?: Exclude<T[K], undefined> };
}
