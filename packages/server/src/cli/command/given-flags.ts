/** The flags of a command line that are not options of the service. */

/** Values by the name of their flag, each in the given order; empty for a flag without a value. */
export class GivenFlags {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.#values = values;
  }

  /** Returns whether a flag is given. */
  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Returns the value of a flag, or `undefined`. */
  text(name: string): string | undefined {
    return this.#values.get(name)?.[0];
  }

  /** Returns every value of a flag that may be repeated. */
  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }
}
