/** Runs the graph until it waits for an answer, and is killed then: `run-graph.ts <directory>`. */
import { openKeep } from '@agentkeep/core';
import { graphOver } from './graph-over-keep.js';

const { graph, config } = await graphOver(await openKeep({ dataDir: process.argv[2] ?? '' }));
const { steps } = await graph.invoke({ steps: [] }, config);
// Nothing is written on the way out.
process.stdout.write(JSON.stringify(steps), () => process.kill(process.pid, 'SIGKILL'));
