/**
 * Requests of clients with their answers and times.
 */
import type { ErrorCode, Receipt } from '@agentkeep/core';
import type { NamedRequest, Outcome } from './named-call.js';

/** The change of a command. */
export type Change =
  | { readonly type: 'create' }
  | {
      readonly type: 'update' | 'delete';
      readonly recordId: string;
      readonly expectedRevision: number;
    }
  | {
      readonly type: 'restore';
      readonly recordId: string;
      readonly expectedRevision: number;
      /** The old revision. */
      readonly revision: number;
    }
  | { readonly type: 'redact'; readonly recordId: string; readonly revision: number };

/** A command. Two with the same key and different texts or changes conflict. */
export interface Command {
  readonly type: 'command';
  /** Keys of different subjects are independent. */
  readonly subject: string;
  readonly key: string;
  readonly change: Change;
  /** Text of the record, unique to each command; empty where the command states none. */
  readonly text: string;
}

/** A request of a client. */
export type Request =
  | Command
  | NamedRequest
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
  /** Absent for a record without a name. */
  readonly name?: string;
}

/** The answer of a request. */
export type Answer =
  | { readonly type: 'receipt'; readonly receipt: Receipt }
  /** What each change of names did. */
  | { readonly type: 'outcomes'; readonly outcomes: readonly Outcome[] }
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
