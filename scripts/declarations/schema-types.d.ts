/**
 * The types of a schema that the declarations of a package rest on. They stand in for those of the
 * schema library, which take longer to check than most programs.
 */

/** A schema: what it takes, and what it makes of that. */
export interface GenericSchema<Input = unknown, Output = Input> {
  readonly '~types'?: { readonly input: Input; readonly output: Output } | undefined;
}

/** What a schema takes. */
export type InferInput<S extends GenericSchema> = NonNullable<S['~types']>['input'];

/** What a schema makes of its input. */
export type InferOutput<S extends GenericSchema> = NonNullable<S['~types']>['output'];
