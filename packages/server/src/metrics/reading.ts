/** A number that is read when a monitoring system requests it. */

/** One value of a reading. */
export interface Sample {
  readonly value: number;
  /** The value of its label, if the reading has one. */
  readonly label?: string;
}

/** A readable number, with its name in each monitoring system. */
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
  /** Distinguishes the samples: the name of the label, and of the attribute in OpenTelemetry. */
  readonly label?: { readonly name: string; readonly attribute: string };
  /** Returns the current values, or none while they cannot be read. Never rejects. */
  readonly samples: () => Promise<readonly Sample[]>;
}
