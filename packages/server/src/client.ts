/**
 * The typed client of a served keep.
 *
 * @module
 */
export {};
