/**
 * The command line of Agentkeep.
 *
 * @module
 */
export {};
