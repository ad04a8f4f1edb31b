/**
 * Tests that need something this machine may lack.
 */
import type { TestContext } from 'vitest';
import { CannotRunHereError } from '../src/proof.js';

/**
 * Runs work that needs something this machine may lack. In CI, a lack fails the test. Elsewhere the
 * test is skipped with a message that says what is missing and how to get it.
 */
export async function wherePossible<T>(context: TestContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CannotRunHereError) || process.env['CI'] !== undefined) throw error;
    // Skipping is allowed here alone: without CI, a machine may lack a compiler or a database.
    process.stderr.write(`${context.task.name} did NOT run: ${error.message}\n`);
    return context.skip(error.message);
  }
}
