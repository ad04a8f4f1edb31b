/** The members of all operations, whatever their kind: everything but rights and handlers. */
import type * as v from 'valibot';
import type { ErrorCode } from '../../contract/errors/catalogue.js';
import type { EventSubject } from '../audit/call-events.js';
import type {
  Check,
  DocumentRule,
  ExampleOf,
  InputSchemas,
  ParsedInput,
} from '../input/input-rules.js';

/**
 * How a write behaves if it would take a tenant over its storage quota. `refused`: it fails with
 * `quota_exceeded`. `served`: it continues, because it ends, locks or removes something.
 */
export type WhenFull = 'refused' | 'served';

/** One of the two, chosen by the input. */
export interface WhenFullChoice<I extends InputSchemas> {
  of(input: ParsedInput<I>): WhenFull;
}

/** A column of a table: the path of a member. Its header is the last name, unless one is given. */
type CommandColumn = string | { readonly header: string; readonly path: string };

/** How people call an operation from a shell besides by its name. Flags follow from the input. */
export interface StatedCommand {
  /** A noun and a verb; commands of one noun are listed together. */
  readonly name: string;
  /**
   * The columns of a table of its answers. A narrow table leaves out columns from the right, but
   * not the last one. Default: members that are not objects.
   */
  readonly columns?: readonly CommandColumn[];
  /**
   * The operation that reads the revision which this one expects, if `--expected-revision` isn't
   * given.
   */
  readonly revisionFrom?: string;
  /** Lines that the help shows. Default: one with the id only. */
  readonly examples?: readonly string[];
}

/** Members of every operation. */
export interface StatedOperation<I extends InputSchemas, O extends v.GenericSchema> {
  /** Stable name: `operationId` of the contract. */
  readonly name: string;
  readonly summary: string;
  readonly tag: string;
  /** Default: people call it by its name alone. */
  readonly command?: StatedCommand;
  /** Its effect on stored data. Default: `write`. */
  readonly effect?: 'read' | 'write';
  readonly input: I;
  /** A call without faults. Its document is the example in `openapi.json`. */
  readonly example: ExampleOf<I>;
  readonly document?: DocumentRule;
  /** Members whose rules come before authority in `first rules`, besides those of the scope. */
  readonly firstRules?: readonly string[];
  /** The steps of its order of checks that it needs; the first that fails decides the answer. */
  readonly checks: readonly Check[];
  readonly output: O;
  /** Errors of its checks and of its handler. Those of every call are in none. */
  readonly errors: readonly ErrorCode[];
}

/** Members of every operation that needs a proof. */
export interface ProvedOperation<
  I extends InputSchemas,
  O extends v.GenericSchema,
> extends StatedOperation<I, O> {
  /**
   * Whether a call scans or answers with a page. The number of such calls is bounded, they take
   * turns, and `request.turn()` comes before each further slice. Default: false.
   */
  readonly isHeavy?: boolean;
  /** Whether a write only notes what was read, so that a repeat reads the same. Default: false. */
  readonly readsAgain?: boolean;
  /**
   * Whether a write is refused if it would take a tenant over its storage quota. Default:
   * `refused`, so that an operation that adds data is bounded unless it states otherwise.
   */
  readonly whenFull?: WhenFull | WhenFullChoice<I>;
  /**
   * The event of a request that passed the check of authority and was refused as invalid or
   * conflicting. Default: no event.
   */
  readonly refused?: (refusal: Refusal) => EventSubject;
}

/** A refused request. */
export interface Refusal {
  /** The code that the caller sees. */
  readonly code: string;
  /** The document as sent; absent when none was read. */
  readonly document: unknown;
}

/** The members of an operation that the checks and the events of a call need. */
export interface CheckedOperation extends Pick<
  ProvedOperation<InputSchemas, v.GenericSchema>,
  'effect' | 'input' | 'document' | 'firstRules' | 'checks' | 'refused'
> {
  readonly kind: 'public' | 'tenant' | 'installation' | 'account';
  /** The member of the document whose rules the handler checks itself. */
  readonly deferred?: string;
}
