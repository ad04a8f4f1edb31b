/**
 * Ports that the kernel doesn't know. The owner of a port names its type, `openKeep` provides what
 * answers it, and the handlers of the owner find it in the runtime of a call.
 */

/** What answers the ports of a keep, by their names. */
export type Ports = ReadonlyMap<string, unknown>;

/** A port, by its name, with what answers it. */
export type ProvidedPort = readonly [name: string, value: unknown];

/** A port of a domain or of an engine. Its name is that of no other. */
export class Port<T> {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  /** Says what answers the port in one keep. */
  answeredBy(value: T): ProvidedPort {
    return [this.#name, value];
  }

  /**
   * Returns what answers it in the keep of a call.
   *
   * @throws {TypeError} if the keep was opened without it.
   */
  of({ ports }: { readonly ports: Ports }): T {
    const found = ports.get(this.#name);
    if (found === undefined) throw new TypeError(`This keep has nothing for ${this.#name}.`);
    return found as T;
  }
}
