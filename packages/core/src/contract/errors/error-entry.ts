/** The kinds of errors, and the properties of a code. */

/** The closed set of kinds. A transport that forgets one doesn't compile. */
export type ErrorKind =
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'gone'
  | 'method_not_allowed'
  | 'invalid'
  | 'too_large'
  | 'conflict'
  | 'locked'
  | 'rate_limited'
  | 'crowded'
  | 'busy'
  | 'unavailable'
  | 'internal';

/** The properties of a code. */
export interface ErrorEntry {
  readonly kind: ErrorKind;
  /** Static text for people: what happened and what to do next. It never quotes the input. */
  readonly message: string;
  /** Whether the same call may succeed later without a change. */
  readonly retryable: boolean;
  /** The code on the wire, where the contract folds several causes into one. */
  readonly wireCode?: string;
  /** Whether only clients report it: the answer is missing or does not follow the contract. */
  readonly isOfClient?: boolean;
}

/** Makes an entry that is not retryable unless it says so. */
export const entry = (
  kind: ErrorKind,
  message: string,
  extra: Partial<Omit<ErrorEntry, 'kind' | 'message'>> = {},
): ErrorEntry => ({ kind, message, retryable: false, ...extra });
