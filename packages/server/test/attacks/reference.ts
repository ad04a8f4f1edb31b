/** A call that names an object of a tenant. */
import type { OperationName } from '@agentkeep/core';
import type { Parts } from '@agentkeep/contract-cases/answer';

/** The caller to try an operation with. */
export type Trier = 'agent' | 'admin' | 'person';

/** A call that names an object. */
export interface Reference {
  readonly operation: OperationName;
  readonly by: Trier;
  /** Whether the object belongs to a scope rather than to the whole tenant. */
  readonly isScoped: boolean;
  /** The id of the object in {@link Owned}. */
  readonly of: keyof Owned;
  /** Returns the call with an id for the object. */
  readonly parts: (id: string) => Parts;
}

/** Ids of the tenant's objects; those with a scope are in {@link sharedScope}. */
export interface Owned {
  readonly record: string;
  /** Name of a record. */
  readonly name: string;
  readonly procedure: string;
  readonly evaluation: string;
  readonly policy: string;
  readonly context: string;
  readonly executor: string;
  readonly artifact: string;
  readonly development: string;
  readonly developmentEvent: string;
  readonly attempt: string;
  readonly observation: string;
  readonly credential: string;
  readonly account: string;
  readonly key: string;
  readonly session: string;
  readonly username: string;
  readonly webhook: string;
}
