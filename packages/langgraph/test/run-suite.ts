/** Runs the validation suite of LangGraph for checkpointers on a store. */
import type { Store } from '@agentkeep/core';
import { deltaChannelHistoryTests, specTest } from '@langchain/langgraph-checkpoint-validation';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AgentkeepCheckpointer } from '../src/index.js';
import { Ground, type Way } from './ways.js';

/** Runs it with agents of one keep, each of which has a scope of its own. */
export function runSuite(way: Way, openStore: () => Promise<Store>): void {
  // The suite expects to find these as globals.
  Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it });
  let ground: Ground;
  describe(way, () => {
    const initializer = {
      checkpointerName: 'AgentkeepCheckpointer',
      beforeAll: async () => {
        ground = await Ground.open(await openStore());
      },
      afterAll: () => ground[Symbol.asyncDispose](),
      createCheckpointer: async () => {
        const scope = ground.newScope();
        return new AgentkeepCheckpointer(await ground.agent(way, scope), { scope });
      },
    };
    specTest(initializer);
    deltaChannelHistoryTests(initializer);
  });
}
