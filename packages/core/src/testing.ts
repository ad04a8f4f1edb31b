/**
 * The conformance suite that every store has to pass.
 *
 * @module
 */
export {};
