/** The conformance suite of the storage port, for any store and any test runner. */
import {
  conformanceKit,
  type ConformanceRunner,
  type ConformanceSubject,
} from './conformance-kit.js';
import { heldCases, lifecycleCases } from './lifecycle-cases.js';
import { limitCases } from './limit-cases.js';
import { observerCases } from './observer-cases.js';
import { positionCases } from './position-cases.js';
import { rangeCases } from './range-cases.js';
import { transactionCases } from './transaction-cases.js';

export type { ConformanceRunner } from './conformance-kit.js';

/**
 * Declares the cases that every store must pass. Call it at the top level of a test file. Cases for
 * features that the subject lacks are skipped, with the subject's reason.
 *
 * @example
 * ```ts
 * import { inMemoryStore } from '@agentkeep/core';
 * import { storeConformance, type ConformanceRunner } from '@agentkeep/core/testing';
 *
 * export function declareTests(runner: ConformanceRunner): void {
 *   storeConformance(runner, {
 *     name: 'in memory',
 *     open: () => Promise.resolve(inMemoryStore()),
 *     reopen: { reason: 'it keeps nothing' },
 *     backups: { reason: 'it has no files' },
 *   });
 * }
 * ```
 */
export function storeConformance(runner: ConformanceRunner, subject: ConformanceSubject): void {
  runner.describe(`storage port: ${subject.name}`, () => {
    const kit = conformanceKit(runner, subject);
    transactionCases(kit);
    rangeCases(kit);
    limitCases(kit);
    observerCases(kit);
    positionCases(kit);
    heldCases(kit);
    lifecycleCases(kit);
  });
}
