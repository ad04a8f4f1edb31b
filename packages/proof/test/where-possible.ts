/**
 * Tests that a machine may lack something for.
 * @module
 */
import type { TestContext } from 'vitest';
import { CannotRunHereError } from '../src/proof.js';

/**
 * Does what this machine may lack something for. Where everything has to be tested, as `CI` says, a
 * lack is a failure; elsewhere the test is left out and says what is missing and how to get it.
 */
export async function wherePossible<T>(context: TestContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CannotRunHereError) || process.env['CI'] !== undefined) throw error;
    process.stderr.write(`${context.task.name} did NOT run: ${error.message}\n`);
    return context.skip(error.message);
  }
}
