/**
 * What the person or process that runs a keep may do with it.
 *
 * @module
 */
export {};
