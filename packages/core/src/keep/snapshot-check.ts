/** The program that checks a store. Started by `upkeep/snapshot/check-process.ts` only. */
import { families } from '../domains.js';
import { runCheckProgram } from '../upkeep/snapshot/check-program.js';

await runCheckProgram(families);
