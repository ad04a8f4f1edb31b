/**
 * Runs before each file of tests: its properties get the seed of the run, the answers that it
 * fetches are held against the contract, and what it leaves behind is cleaned up.
 */
import fc from 'fast-check';
import { afterAll, inject } from 'vitest';
import { cleanUp } from './after-file.js';
import { holdFetch } from './contract/held-answers.js';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: inject('seed') });

holdFetch();

afterAll(cleanUp);
