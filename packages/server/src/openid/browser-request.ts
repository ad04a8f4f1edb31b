/** A request of a browser, or of an issuer, as far as sign-ins need it. */
import type { OperationName } from '@agentkeep/core';
import type { OutputOf, PartsOf } from '@agentkeep/core/clients';

/** A request. */
export interface BrowserRequest {
  /** The variable segment of the path; empty for other paths. */
  readonly id: string;
  readonly query: URLSearchParams;
  header(name: string): string | null;
  /**
   * Returns the body as text.
   * @throws {AgentkeepError} `request_too_large`.
   */
  body(): Promise<string>;
  readonly calls: {
    /** Runs an operation without a proof. */
    invoke<N extends OperationName>(name: N, parts: PartsOf<N>): Promise<OutputOf<N>>;
  };
}

/** An answer. */
export interface BrowserAnswer {
  readonly status: number;
  /** Every answer also gets the headers of the contract. */
  readonly headers: Readonly<Record<string, string>>;
  /** Values of `Set-Cookie`. */
  readonly cookies?: readonly string[];
  readonly body: string;
}
