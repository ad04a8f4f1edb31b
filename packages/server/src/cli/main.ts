#!/usr/bin/env node
/** The `agentkeep` command. Loads the rest only on a Node.js that can read it. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 20 || (major === 20 && minor >= 19)) {
  await import('./run-process.js');
} else {
  console.error(
    `agentkeep: Node.js 20.19 or later is needed, this is ${process.versions.node}. ` +
      'Install a newer one, then run the same command again.',
  );
  process.exitCode = 1;
}
