/** The error of invalid options, with every problem in words for the operator. */
import { loggableText } from '../log/loggable.js';

/** Invalid options. `message` names every problem, one per line, and holds no secret. */
export class InvalidOptionsError extends Error {
  override readonly name = 'InvalidOptionsError';
  /** One sentence per problem. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    const shown = problems.map((problem) => loggableText(problem));
    super(shown.join('\n'), options);
    this.problems = shown;
  }
}
