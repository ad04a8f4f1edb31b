/**
 * The embedded Agentkeep engine, as a library.
 *
 * @module
 */
export {};
