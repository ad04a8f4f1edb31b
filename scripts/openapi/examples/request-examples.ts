/** An example of each request body. Type checking fails for an operation without one. */
import type { OperationName } from '../../../packages/core/src/index.ts';
import type { PartsOf } from '../../../packages/core/src/clients.ts';
import { learningExamples } from './learning-examples.ts';
import { memoryExamples } from './memory-examples.ts';
import { peopleExamples } from './people-examples.ts';

/** A document that stays as it is stated. */
type Stated<T> = T extends object ? { readonly [K in keyof T]: Stated<T[K]> } : T;

/** The body of each operation that takes one. */
type Bodies = {
  readonly [
    N in OperationName as PartsOf<N> extends { readonly document: unknown } ? N : never
  ]: PartsOf<N> extends { readonly document: infer D } ? Stated<D> : never;
};

const examples: Bodies = { ...memoryExamples, ...learningExamples, ...peopleExamples };

/**
 * Returns the example of an operation's request body.
 * @throws {Error} for an operation that takes none.
 */
export function exampleOf(name: OperationName): unknown {
  const example: unknown = (examples as Partial<Record<OperationName, unknown>>)[name];
  if (example === undefined) throw new Error(`${name} needs an example of its body.`);
  return example;
}
