#!/usr/bin/env node
/**
 * The command line of Agentkeep.
 *
 * @module
 */
export {};
