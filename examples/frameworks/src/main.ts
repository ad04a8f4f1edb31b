/** Runs the agents in memory, and prints what they say. */
import { inMemoryStore, openKeep } from '@agentkeep/core';
import { openDesk } from './desk.js';
import { runFrameworks } from './run-frameworks.js';

await using keep = await openKeep({ store: inMemoryStore() });
for await (const [name, said] of runFrameworks(await openDesk(keep))) {
  console.log(`${name}: ${said}`);
}
