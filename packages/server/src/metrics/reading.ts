/** A number that is read when a monitoring system asks for it. */

/** One value of a reading. */
export interface Sample {
  readonly value: number;
  /** The value of its label, where the reading has one. */
  readonly label?: string;
}

/** What can be read, with its name in each monitoring system. */
export interface Reading {
  /** Its name in the text format of Prometheus. */
  readonly name: string;
  /** The name of its instrument in OpenTelemetry. */
  readonly instrument: string;
  /**
   * A `total` only grows, from the start of the process. An `amount` goes up and down, and those of
   * several servers can be added up; a `state` can't.
   */
  readonly kind: 'total' | 'amount' | 'state';
  /** In the notation of UCUM: `By` for bytes, and what is counted in braces. */
  readonly unit: string;
  readonly help: string;
  /** Tells the samples apart: the name of the label, and of the attribute in OpenTelemetry. */
  readonly label?: { readonly name: string; readonly attribute: string };
  /** Returns the values of now, and none while they cannot be read. Never rejects. */
  readonly samples: () => Promise<readonly Sample[]>;
}
