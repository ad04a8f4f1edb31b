#!/usr/bin/env node
/** The `agentkeep` command. Loads the rest only on a Node.js that can read it. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const [word, name = '-'] = process.argv.slice(2);
if (major > 20 || (major === 20 && minor >= 19)) {
  // A person waits for hooks, which therefore load no other command.
  if (word === 'hook' && !name.startsWith('-'))
    await import('./coding-agents/hook/hook-process.js');
  else await import('./run-process.js');
} else {
  console.error(
    `agentkeep: Node.js 20.19 or later is needed, this is ${process.versions.node}. ` +
      'Install a newer one, then run the same command again.',
  );
  process.exitCode = 1;
}
