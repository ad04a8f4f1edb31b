/** `agentkeep hook <host>`, as hosts start it, and `agentkeep hook helper`, as hooks do. */
import { argv, env, exit, stderr } from 'node:process';
import { runHook } from './run-hook.js';

const [, , , name = ''] = argv;
if (name === 'helper') {
  const { runHelper } = await import('../companion/run-companion.js');
  await runHelper(env);
  exit(0);
}
if (name === 'mcp') {
  const { serveProjectMcp } = await import('../companion/project-mcp.js');
  try {
    await serveProjectMcp(env);
  } catch (error) {
    // Hosts show what a server of MCP writes there.
    const { failureMessage } = await import('../../output/failure.js');
    stderr.write(`agentkeep: ${failureMessage(error)}\n`, () => exit(1));
    await new Promise(() => undefined);
  }
  exit(0);
}
if (name === 'status-line') {
  const { statusLine } = await import('./status-line.js');
  await statusLine(env);
  exit(0);
}
await runHook(name, env);
