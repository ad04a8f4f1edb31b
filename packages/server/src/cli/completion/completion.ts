/** `agentkeep completion …`: completes command lines in a shell. */
import type { ClientCommand, Command } from '../command/command.js';
import { candidatesFor } from './candidates.js';
import { type Shell, shells, shellScripts } from './shell-scripts.js';

const INSTALLATION: Readonly<Record<Shell, string>> = {
  bash: 'agentkeep completion bash > ~/.local/share/bash-completion/completions/agentkeep',
  zsh: 'source <(agentkeep completion zsh)   # in ~/.zshrc, after compinit',
  fish: 'agentkeep completion fish > ~/.config/fish/completions/agentkeep.fish',
};

function scriptCommand(shell: Shell): ClientCommand {
  return {
    name: `completion ${shell}`,
    positionals: [],
    summary: `Print the script that completes command lines in ${shell}.`,
    description: [
      `Prints a script for ${shell}, which asks \`agentkeep completion candidates\` for the words ` +
        'that may come next: commands, flags, values of flags, and names of profiles.',
    ],
    isCall: false,
    examples: [INSTALLATION[shell]],
    run: ({ io }) => io.writeOut(shellScripts[shell]),
  };
}

/** Returns the commands that complete all other commands and themselves. */
export function completionCommands(others: readonly Command[]): readonly ClientCommand[] {
  const candidates: ClientCommand = {
    name: 'completion candidates',
    positionals: ['words...'],
    summary: 'Print completions of the last word, one per line; for the scripts.',
    description: ['Prints nothing where the name of a file may come next.'],
    isCall: false,
    examples: ['agentkeep completion candidates -- credentials ro'],
    run: async ({ io, positionals }) => {
      const found = candidatesFor({ commands: [...others, ...made], io }, positionals);
      await io.writeOut(found.map((each) => `${each}\n`).join(''));
    },
  };
  const made: readonly ClientCommand[] = [...shells.map(scriptCommand), candidates];
  return made;
}
