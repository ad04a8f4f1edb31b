/** Packages that are loaded when they are first needed, so that importing this one stays quick. */
import { AgentkeepError } from './agentkeep-error.js';

/** A package that may not be loaded yet. */
export class LazyPackage<T> {
  readonly #name: string;
  readonly #load: () => Promise<T>;
  #loading: Promise<T> | undefined;

  constructor(name: string, load: () => Promise<T>) {
    this.#name = name;
    this.#load = load;
  }

  /**
   * Returns the package. Every caller gets the result of one loading.
   *
   * @throws {AgentkeepError} `internal_error` if the package cannot be loaded.
   */
  get(): Promise<T> {
    this.#loading ??= this.#load().catch((cause: unknown) => {
      const detail = `The package ${this.#name} cannot be loaded. Install the dependencies again.`;
      throw new AgentkeepError('internal_error', { cause: new Error(detail, { cause }) });
    });
    return this.#loading;
  }
}
