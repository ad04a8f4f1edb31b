/**
 * Runs before each file of tests: its properties get the seed of the run, and what it leaves behind
 * is cleaned up.
 */
import fc from 'fast-check';
import { afterAll, inject } from 'vitest';
import { cleanUp } from './after-file.js';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: inject('seed') });

afterAll(cleanUp);
