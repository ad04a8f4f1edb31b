/**
 * Ports that the kernel doesn't know. The owner of a port declares it with its type, its domain (or
 * `openKeep`) says what answers it in a keep, and handlers import the port to reach the answer.
 */

/** What answers the ports of a keep, each in the slot of its port. */
export type Ports = readonly unknown[];

/** A port with what answers it. */
export interface ProvidedPort {
  readonly slot: number;
  readonly answer: unknown;
}

let declared = 0;

/** A port of a domain or of an engine. Its slot is that of no other, so no text is looked up. */
export class Port<T extends object | number | null> {
  readonly #name: string;
  readonly #slot: number;

  /** The name is for messages only. */
  constructor(name: string) {
    this.#name = name;
    this.#slot = declared;
    declared += 1;
  }

  /** Says what answers the port in one keep. */
  answeredBy(answer: T): ProvidedPort {
    return { slot: this.#slot, answer };
  }

  /**
   * Returns what answers it in the keep of a call.
   *
   * @throws {TypeError} if the keep was opened without it.
   */
  of({ ports }: { readonly ports: Ports }): T {
    // Only `answeredBy` knows the slot, so the answer has the type of the port.
    const answer = ports[this.#slot] as T | undefined;
    if (answer === undefined) throw new TypeError(`This keep has nothing for ${this.#name}.`);
    return answer;
  }
}

/** Returns the ports of a keep; of two answers for a port, the later one. */
export function answeredPorts(...provided: readonly ProvidedPort[]): Ports {
  const ports = Array.from<unknown>({ length: declared });
  for (const { slot, answer } of provided) ports[slot] = answer;
  return ports;
}
