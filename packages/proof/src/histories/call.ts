/**
 * What clients asked and were answered, and when.
 * @module
 */
import type { ErrorCode, Receipt } from '@agentkeep/core';

/** What a command is to do. */
export type Change =
  | { readonly type: 'create' }
  | {
      readonly type: 'update' | 'delete';
      readonly recordId: string;
      readonly expectedRevision: number;
    };

/** A command; two with one key and different texts or changes are in conflict. */
export interface Command {
  readonly type: 'command';
  /** Keys of two subjects have nothing to do with each other. */
  readonly subject: string;
  readonly key: string;
  readonly change: Change;
  /** What the record is to say, never the same in two commands that differ; of a deletion: ''. */
  readonly text: string;
}

/** What a client asks. */
export type Request =
  | Command
  | { readonly type: 'read'; readonly recordId: string }
  | { readonly type: 'query' }
  /** Revokes the credential of that id. */
  | { readonly type: 'revoke'; readonly credentialId: string };

/** A record as it is shown. */
export interface Shown {
  readonly recordId: string;
  readonly revision: number;
  readonly text: string;
  /** Credential of the last change. */
  readonly author: string;
}

/** What came back. */
export type Answer =
  | { readonly type: 'receipt'; readonly receipt: Receipt }
  /** What a read or a query found. */
  | { readonly type: 'shown'; readonly records: readonly Shown[] }
  | { readonly type: 'revoked' }
  | { readonly type: 'refused'; readonly code: ErrorCode }
  /** No answer, or one that leaves open what happened. */
  | { readonly type: 'unknown' };

/** A request with its answer. */
export interface Call {
  readonly client: string;
  /** Id of the credential that it was made with. */
  readonly credential: string;
  readonly request: Request;
  readonly answer: Answer;
  /** Position in the history, later than all that had returned before. */
  readonly calledAt: number;
  /** `Infinity` without an answer. */
  readonly returnedAt: number;
}
