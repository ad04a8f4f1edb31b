/** Prints what two clients learned of a customer. */
import { shareGraph } from './shared-graph.js';

for (const { name, entityType, observations } of await shareGraph()) {
  console.log(`${name} (${entityType})`);
  for (const each of observations) console.log(`  ${each}`);
}
