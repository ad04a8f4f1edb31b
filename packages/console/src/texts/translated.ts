/** The shape that texts have in each language. */
import type { texts } from './en/english.js';

/** Texts of one language with all members of those of another: a missing one doesn't compile. */
export type Translated<T> = T extends string
  ? string
  : T extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Name in keyof T]: Translated<T[Name]> };

/** All texts of a language. */
export type Texts = Translated<typeof texts>;
