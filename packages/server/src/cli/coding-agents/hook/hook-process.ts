/** `agentkeep hook <host>`, as hosts start it, and `agentkeep hook helper`, as hooks do. */
import { argv, env, exit } from 'node:process';
import { runHook } from './run-hook.js';

const [, , , name = ''] = argv;
if (name === 'helper') {
  const { runHelper } = await import('../companion/run-companion.js');
  await runHelper(env);
  exit(0);
}
if (name === 'mcp') {
  const { serveProjectMcp } = await import('../companion/project-mcp.js');
  await serveProjectMcp(env);
  exit(0);
}
if (name === 'status-line') {
  const { statusLine } = await import('./status-line.js');
  await statusLine(env);
  exit(0);
}
await runHook(name, env);
