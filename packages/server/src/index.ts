/**
 * Agentkeep served over HTTP.
 *
 * @module
 */
export {};
