/**
 * Outcomes of calls, of the model's and of the real ones.
 */
import { AgentkeepError, type ErrorCode } from '@agentkeep/core';

/** A value, or the code of the error in its place. */
export type Outcome<T> = { readonly value: T } | { readonly error: ErrorCode };

/** An error of the model. */
export class Refusal extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode) {
    super(code);
    this.code = code;
  }
}

/** The outcome that the model expects. */
export function expected<T>(run: () => T): Outcome<T> {
  try {
    return { value: run() };
  } catch (error) {
    if (error instanceof Refusal) return { error: error.code };
    throw error;
  }
}

/** The outcome of a call. */
export async function outcome<T>(call: Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await call };
  } catch (error) {
    if (error instanceof AgentkeepError) return { error: error.code };
    throw error;
  }
}
