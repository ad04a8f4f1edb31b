/**
 * Runs the checks of a call, those of its input step by step, in the order that its operation
 * states.
 */
import { AgentkeepError, type RefusedMember } from '../../contract/errors/agentkeep-error.js';
import type { ParsedJson } from '../../contract/schema/json.js';
import { memberNamed } from '../../contract/schema/refused-member.js';
import type { Settled } from '../../storage/store/store.js';
import type { Check, InputCheck, InputSchemas, ParsedInput } from '../input/input-rules.js';
import { type InputSource, readDocument, refusal, typedPart } from '../input/input.js';
import type { Supposing } from '../services/confirmed-store.js';
import type { ErasureWatch } from '../services/erasure-watch.js';
import type { Runtime } from '../services/runtime.js';
import { type CallAudit, type CallLoad, type WaitSettings, whenSettled } from './call.js';
import { firstMembersOf } from './orders-of-checks.js';
import type { CheckedOperation } from './stated-operation.js';

/** A call whose caller is known. */
export interface StartedCall {
  readonly runtime: Runtime;
  readonly input: CheckedInput;
  readonly audit: CallAudit;
  readonly load: CallLoad;
  /** When the call began. */
  readonly nowMs: number;
  readonly call: WaitSettings;
  /** Confirms a caller that was not proved, in the transactions of the call. */
  readonly supposed?: Supposing | undefined;
  /** Compares the reads of the call, from the moment when its checks have passed. */
  watch?: ErasureWatch | undefined;
}

/** The checks that need more than the input. */
export interface AuthorityChecks<G> {
  /** Returns what the caller is granted, or throws. */
  readonly authorize: () => G;
  /** Finds the authority that the call acts in. */
  readonly chooseTenant?: (() => Settled<void>) | undefined;
}

/** A call that passed its checks. */
export interface PassedChecks<G> {
  readonly granted: G;
  /** When the call began, or when its document had arrived. */
  readonly nowMs: number;
}

/** The progress of a call. */
interface Passage<G> extends AuthorityChecks<G> {
  readonly started: StartedCall;
  readonly operation: Pick<CheckedOperation, 'checks' | 'effect'>;
  nowMs: number;
  passed: { readonly granted: G } | undefined;
}

/**
 * Runs every check; the first failure throws. Authority is always checked: last, unless the
 * operation states its position. A read whose caller disconnected while its document arrived ends
 * here.
 */
export function passChecks<G>(
  started: StartedCall,
  operation: Pick<CheckedOperation, 'checks' | 'effect'>,
  { authorize, chooseTenant }: AuthorityChecks<G>,
): Settled<PassedChecks<G>> {
  const { nowMs } = started;
  return passFrom(0, { started, operation, authorize, chooseTenant, nowMs, passed: undefined });
}

/** Runs the checks from an index on; synchronously, as far as none of them waits. */
function passFrom<G>(first: number, passage: Passage<G>): Settled<PassedChecks<G>> {
  const { checks } = passage.operation;
  for (let next = first; next < checks.length; next++) {
    const check = checks[next];
    const waiting = check && passOne(check, passage);
    if (waiting instanceof Promise) return waiting.then(() => passFrom(next + 1, passage));
  }
  if (checks.length > 0) passage.started.input.refuseStrayParameters();
  const { granted } = passage.passed ?? { granted: passage.authorize() };
  return { granted, nowMs: passage.nowMs };
}

function passOne<G>(check: Check, passage: Passage<G>): Settled<void> {
  const { input } = passage.started;
  if (check === 'document') {
    return whenSettled(input.readDocument(), () => {
      documentArrived(passage);
    });
  }
  if (check === 'tenant') return passage.chooseTenant?.();
  if (check === 'authority') passage.passed = { granted: passage.authorize() };
  else input.check(check);
}

function documentArrived(passage: Passage<unknown>): void {
  const { started, operation } = passage;
  // A body may arrive slowly. Decisions use the time at which it was complete.
  passage.nowMs = started.runtime.clock.now();
  // An accepted write is always finished.
  if (operation.effect === 'read') started.call.signal?.throwIfAborted();
}

const VERSION = 'contract_version';
const NO_PARAMETER = 'no such parameter';

/** The input of a call, checked step by step and then read by the handler. */
export class CheckedInput {
  readonly #operation: CheckedOperation;
  readonly #source: InputSource;
  #document: Settled<ParsedJson | undefined> | 'unread' = 'unread';
  readonly #input: { id?: unknown; parameters?: unknown; document?: unknown } = {};
  /** The rules that each part breaks, once it has its shape. */
  readonly #broken: Record<'parameters' | 'document', readonly RefusedMember[]> = {
    parameters: [],
    document: [],
  };
  #sentDocument: unknown;

  constructor(operation: CheckedOperation, source: InputSource) {
    this.#operation = operation;
    this.#source = source;
  }

  /** The parts that have been checked so far. */
  get parsed(): ParsedInput<InputSchemas> {
    return this.#input as ParsedInput<InputSchemas>;
  }

  /** The document as sent; absent until it has been read. */
  get sentDocument(): unknown {
    return this.#sentDocument;
  }

  /**
   * Runs one step other than `document`.
   *
   * @throws {AgentkeepError} `invalid_request`, `unsupported_contract_version`
   */
  check(step: Exclude<InputCheck, 'document'>): void {
    switch (step) {
      case 'parameters':
        this.#parameters();
        break;
      case 'version':
        this.#version();
        break;
      case 'id':
        this.#id();
        break;
      case 'first rules':
        this.#rules((member) =>
          firstMembersOf(this.#operation).some((first) => within(member, first)),
        );
        break;
      case 'rules':
        this.#rules((member) => !within(member, this.#operation.deferred));
    }
  }

  /**
   * Reads and types the document. It is read once, even if the checks begin again.
   *
   * @throws {AgentkeepError} `invalid_request`, `request_too_large`
   */
  readDocument(): Settled<void> {
    const { input, document: rule = {} } = this.#operation;
    if (input.document === undefined && rule.presence !== 'ignored') return;
    if (this.#document === 'unread') this.#document = readDocument(this.#source, rule);
    return whenSettled(this.#document, (parsed) => {
      this.#typeDocument(parsed);
    });
  }

  #typeDocument(parsed: ParsedJson | undefined): void {
    const { input, document: rule = {} } = this.#operation;
    if (input.document === undefined) return;
    this.#sentDocument = parsed?.value;
    // A closed object refuses the mark of a repeated member; a free-form one ignores it.
    if (parsed?.withDuplicatesMarked !== undefined) {
      typedPart(input.document, parsed.withDuplicatesMarked);
    }
    const value = parsed === undefined && rule.presence === 'optional' ? {} : parsed?.value;
    const typed = typedPart(input.document, value);
    this.#input.document = typed.output;
    this.#broken.document = typed.broken;
  }

  /**
   * Checks the rules that the operation left to its handler: all, or those below one member.
   *
   * @throws {AgentkeepError} `invalid_request` when one is broken.
   */
  checkDeferred(member?: string): void {
    this.#rules((broken) => member === undefined || within(broken, member));
  }

  /**
   * Refuses parameters that the operation doesn't state, unless it ignores its body as well.
   *
   * @throws {AgentkeepError} `invalid_request`
   */
  refuseStrayParameters(): void {
    const { input, document } = this.#operation;
    if (input.parameters !== undefined || document?.presence === 'ignored') return;
    const { parameters } = this.#source;
    if (typeof parameters !== 'object' || parameters === null) return;
    const stray = Object.keys(parameters);
    if (stray.length > 0) throw refusal(stray.map((name) => memberNamed(name, NO_PARAMETER)));
  }

  #parameters(): void {
    const { parameters } = this.#operation.input;
    if (parameters === undefined) return;
    const source = this.#source;
    const typed =
      source.typedParameters?.(parameters) ?? typedPart(parameters, source.parameters ?? {});
    this.#input.parameters = typed.output;
    this.#broken.parameters = typed.broken;
  }

  #version(): void {
    const members = this.#brokenWhere((member) => member === VERSION);
    if (members.length > 0) throw new AgentkeepError('unsupported_contract_version', { members });
  }

  #id(): void {
    const { id: schema } = this.#operation.input;
    if (schema === undefined) return;
    const { output, broken } = typedPart(schema, this.#source.id, 'id');
    if (broken.length > 0) throw refusal(broken);
    this.#input.id = output;
  }

  #rules(covered: (member: string) => boolean): void {
    const refused = this.#brokenWhere(covered);
    if (refused.length > 0) throw refusal(refused);
  }

  #brokenWhere(covered: (member: string) => boolean): readonly RefusedMember[] {
    const { parameters, document } = this.#broken;
    if (parameters.length === 0 && document.length === 0) return [];
    return [...parameters, ...document].filter(({ path }) => covered(path));
  }
}

function within(member: string, path: string | undefined): boolean {
  if (path === undefined || !member.startsWith(path)) return false;
  return member.length === path.length || /[.[]/.test(member.charAt(path.length));
}
