/**
 * The input of one call: its parts are read, typed and held against their rules in the order that
 * the operation states.
 *
 * @module
 */
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import { type BrokenRule, type InputSource, readDocument, refusal, typedPart } from './input.js';
import type { Check, InputSchemas, Operation, ParsedInput } from './operation.js';

const VERSION = 'contract_version';

/** The steps that look at the input alone. */
export type InputCheck = Exclude<Check, 'authority' | 'tenant'>;

/** The input, first while it is checked and then as the handler reads it. */
export class CheckedInput {
  readonly #operation: Operation;
  readonly #source: InputSource;
  readonly #input: { id?: unknown; parameters?: unknown; document?: unknown } = {};
  #broken: readonly BrokenRule[] = [];
  #sentDocument: unknown;

  constructor(operation: Operation, source: InputSource) {
    this.#operation = operation;
    this.#source = source;
  }

  /** What was checked so far. */
  get parsed(): ParsedInput<InputSchemas> {
    return this.#input as ParsedInput<InputSchemas>;
  }

  /** The document as it was sent, once it was read. */
  get sentDocument(): unknown {
    return this.#sentDocument;
  }

  /**
   * Runs one step other than `document`.
   *
   * @throws {AgentkeepError} as the step says.
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
      case 'rules':
        this.#rules((member) => !within(member, deferredOf(this.#operation)));
        break;
      default:
        this.#rules((member) => within(member, step.slice('rules '.length)));
    }
  }

  /**
   * Reads and types the document.
   *
   * @throws {AgentkeepError} `invalid_request`, `request_too_large`
   */
  async readDocument(): Promise<void> {
    const { input, document: rule = {} } = this.#operation;
    if (input.document === undefined && rule.presence !== 'ignored') return;
    const parsed = await readDocument(this.#source, rule);
    if (input.document === undefined) return;
    this.#sentDocument = parsed?.value;
    // A closed object refuses the mark of a repeated member, a free-form one lets it pass.
    if (parsed?.withDuplicatesMarked !== undefined) {
      typedPart(input.document, parsed.withDuplicatesMarked);
    }
    const value = parsed === undefined && rule.presence === 'optional' ? {} : parsed?.value;
    const typed = typedPart(input.document, value);
    this.#input.document = typed.output;
    this.#broken = typed.broken;
  }

  /**
   * The rules that the operation left to its handler: all, or those below one member.
   *
   * @throws {AgentkeepError} `invalid_request` when one is broken.
   */
  checkDeferred(member?: string): void {
    this.#rules((broken) => member === undefined || within(broken, member));
  }

  /**
   * An operation without parameters takes none at all, unless it does not even look at its body.
   *
   * @throws {AgentkeepError} `invalid_request`
   */
  refuseStrayParameters(): void {
    const { input, document } = this.#operation;
    if (input.parameters !== undefined || document?.presence === 'ignored') return;
    const { parameters } = this.#source;
    if (typeof parameters !== 'object' || parameters === null) return;
    const stray = Object.keys(parameters);
    if (stray.length > 0) throw refusal(stray);
  }

  #parameters(): void {
    const { parameters } = this.#operation.input;
    if (parameters === undefined) return;
    const typed = typedPart(parameters, this.#source.parameters ?? {});
    this.#input.parameters = typed.output;
    this.#broken = typed.broken;
  }

  #version(): void {
    if (this.#broken.some(({ member }) => member === VERSION)) {
      throw new AgentkeepError('unsupported_contract_version');
    }
  }

  #id(): void {
    const { id: schema } = this.#operation.input;
    if (schema === undefined) return;
    const { output, broken } = typedPart(schema, this.#source.id);
    if (broken.length > 0) throw refusal(['id']);
    this.#input.id = output;
  }

  #rules(covered: (member: string) => boolean): void {
    const refused = this.#broken.filter(({ member }) => covered(member));
    if (refused.length > 0) throw refusal(refused.map(({ member }) => member));
  }
}

function deferredOf(operation: Operation): string | undefined {
  return operation.access === 'authenticated' ? operation.deferred : undefined;
}

function within(member: string, path: string | undefined): boolean {
  return path !== undefined && (member === path || member.startsWith(`${path}.`));
}
