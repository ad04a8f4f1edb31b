/**
 * The refusal of options: everything that is wrong with them, in words for the operator.
 * @module
 */
import { loggableText } from '../log/loggable.js';

/** Options that cannot be used. `message` names every problem, one a line, and holds no secret. */
export class InvalidOptionsError extends Error {
  override readonly name = 'InvalidOptionsError';
  /** What is wrong, a sentence each. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    const shown = problems.map((problem) => loggableText(problem));
    super(shown.join('\n'), options);
    this.problems = shown;
  }
}
