/**
 * Requests of clients with their answers and times.
 */
import type { ErrorCode, Receipt } from '@agentkeep/core';

/** The change of a command. */
export type Change =
  | { readonly type: 'create' }
  | {
      readonly type: 'update' | 'delete';
      readonly recordId: string;
      readonly expectedRevision: number;
    };

/** A command. Two with the same key and different texts or changes conflict. */
export interface Command {
  readonly type: 'command';
  /** Keys of different subjects are independent. */
  readonly subject: string;
  readonly key: string;
  readonly change: Change;
  /** Text of the record, unique to each command; empty for a deletion. */
  readonly text: string;
}

/** A request of a client. */
export type Request =
  | Command
  | { readonly type: 'read'; readonly recordId: string }
  | { readonly type: 'query' }
  /** Revokes the credential with this id. */
  | { readonly type: 'revoke'; readonly credentialId: string };

/** A record as an answer shows it. */
export interface Shown {
  readonly recordId: string;
  readonly revision: number;
  readonly text: string;
  /** Id of the credential of the last change. */
  readonly author: string;
}

/** The answer of a request. */
export type Answer =
  | { readonly type: 'receipt'; readonly receipt: Receipt }
  /** The records of a read or query. */
  | { readonly type: 'shown'; readonly records: readonly Shown[] }
  | { readonly type: 'revoked' }
  | { readonly type: 'refused'; readonly code: ErrorCode }
  /** No answer, or one with an unknown outcome. */
  | { readonly type: 'unknown' };

/** A request with its answer. */
export interface Call {
  readonly client: string;
  /** Id of the credential of the caller. */
  readonly credential: string;
  readonly request: Request;
  readonly answer: Answer;
  /** Position in the history, after all calls that had returned. */
  readonly calledAt: number;
  /** Position of the answer; `Infinity` without one. */
  readonly returnedAt: number;
}
