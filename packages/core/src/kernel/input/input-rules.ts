/** What an operation states about its input: schemas, the order of checks, and document limits. */
import type * as v from 'valibot';

/** The parts that an input can have: an id, scalar parameters and a JSON document. */
export interface InputSchemas {
  readonly id?: v.GenericSchema;
  readonly parameters?: v.GenericSchema;
  readonly document?: v.GenericSchema;
}

/** The input of a handler. */
export type ParsedInput<I extends InputSchemas> = {
  readonly [P in keyof I]: I[P] extends v.GenericSchema ? v.InferOutput<I[P]> : never;
};

/** A value that stays as it is stated. */
type Stated<T> = T extends object ? { readonly [K in keyof T]: Stated<T[K]> } : T;

/** A call without faults, as a caller states its parts. */
export type ExampleOf<I extends InputSchemas> = {
  readonly [P in keyof I]: NonNullable<I[P]> extends v.GenericSchema
    ? Stated<v.InferInput<NonNullable<I[P]>>>
    : never;
};

/**
 * A step that reads only the input:
 * - `document`, `parameters`: shape and types of that part, 400
 * - `version`: `contract_version` is 1, 400
 * - `id`: the id follows its schema, 400
 * - `first rules`: text rules and bounds of the scope, and of what the operation states, 400
 * - `rules`: all text rules and bounds, 400
 */
export type InputCheck = 'document' | 'parameters' | 'version' | 'id' | 'first rules' | 'rules';

/**
 * One step of an order of checks:
 * - `authority`: capability and scope, or role, 403
 * - `tenant`: the parameter `tenant_id` names an authority that the caller may act in, 403 or 404
 * - or a step that reads only the input
 */
export type Check = InputCheck | 'authority' | 'tenant';

/** How the document of an operation is read. */
export interface DocumentRule {
  /** Largest size in bytes. Default: 65,536. */
  readonly bytesMax?: number;
  /** `optional`: an empty document counts as `{}`; `ignored`: only its size is checked. */
  readonly presence?: 'optional' | 'ignored';
}
