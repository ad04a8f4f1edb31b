/** The commands for memory in coding agents. */
import { cwd } from 'node:process';
import type { ClientCommand } from '../command/command.js';
import { CommandError } from '../command/command-error.js';
import { UsageError } from '../command/usage-error.js';
import { cellOf, jsonLine, timeCell } from '../output/printable.js';
import { tableOf } from '../output/table.js';
import { runHook } from './hook/run-hook.js';
import { installCommands } from './install/install-commands.js';
import { agentsFolder } from './state/agents-folder.js';
import { entriesOfDay } from './state/day-log.js';
import { isPaused, setPaused } from './state/paused-projects.js';
import { projectOf } from './state/project-of.js';
import { chosenMemory } from './state/settings.js';

const hook: ClientCommand = {
  name: 'hook',
  positionals: ['host'],
  summary: 'Run a hook of a coding agent; for the files that install writes.',
  description: [
    'Reads an event of the host from standard input, stores what was said, and prints what is ' +
      'recalled for a prompt. `hook status-line` prints a line for the status of Claude Code, and ' +
      '`hook mcp` serves the tools of MCP.',
  ],
  isCall: false,
  examples: ['agentkeep hook claude-code'],
  run: ({ io, positionals: [host = ''] }) => runHook(host, io.environment),
};

const today: ClientCommand = {
  name: 'memory today',
  positionals: [],
  summary: 'Show what coding agents stored and recalled today.',
  description: [
    'Shows the begin of each text that was captured or recalled on this machine today, in which ' +
      'project, and the id of a recalled record. --here shows the project of this folder only.',
  ],
  isCall: false,
  hasJson: true,
  ownFlags: [{ name: 'here', summary: 'Only the project of this folder.' }],
  examples: ['agentkeep memory today', 'agentkeep memory today --here'],
  run: async ({ io, flags, json }) => {
    const { days, paused } = agentsFolder(io.environment);
    const here = projectOf(cwd());
    const all = entriesOfDay(days, Date.now());
    const entries = flags.has('here') ? all.filter(({ project }) => project === here) : all;
    if (json) {
      for (const entry of entries) await io.writeOut(jsonLine(entry));
      return;
    }
    const rows = entries.map(({ what, project, host, of, text, atMillis }) => [
      ...[timeCell(atMillis), what, cellOf(project), cellOf(host), cellOf(of), cellOf(text)],
    ]);
    const header = ['TIME', 'WHAT', 'PROJECT', 'HOST', 'OF', 'TEXT'];
    await io.writeOut(rows.length === 0 ? 'None.\n' : tableOf(header, rows, { ...io, longest: 5 }));
    if (isPaused(paused, here)) await io.writeOut(`Paused in ${here}.\n`);
  },
};

function pauseCommand(word: 'pause' | 'resume', summary: string): ClientCommand {
  return {
    name: `memory ${word}`,
    positionals: [],
    summary,
    description: [
      'Hooks of coding agents store and recall nothing in a paused project. It is that of this ' +
        'folder: the remote of its repository, else the folder.',
    ],
    isCall: false,
    examples: [`agentkeep memory ${word}`],
    run: async ({ io }) => {
      const project = projectOf(cwd());
      setPaused(agentsFolder(io.environment).paused, project, word === 'pause');
      await io.writeOut(`${word === 'pause' ? 'Paused' : 'Resumed'} in ${project}.\n`);
    },
  };
}

const consolidate: ClientCommand = {
  name: 'memory consolidate',
  positionals: [],
  summary: 'Propose facts of this project, by a model command of yours.',
  description: [
    'Gives what you said in this project since the last run to a command on its standard input, ' +
      "and proposes each line that it prints for the project's shared scope, where another person " +
      'reviews it. The words of the command are separated by spaces and go to no shell; it has two ' +
      'minutes for a page. Only this command starts it. It needs a server.',
  ],
  isCall: false,
  ownFlags: [{ name: 'model-command', placeholder: '<command>', summary: 'The command.' }],
  examples: ['agentkeep memory consolidate --model-command "claude -p"'],
  run: async ({ io, flags }) => {
    const command = flags.text('model-command')?.trim() ?? '';
    if (command === '') throw new UsageError('--model-command names the command of your model.');
    const choice = chosenMemory(agentsFolder(io.environment).settings);
    if (choice.kind === 'here') {
      throw new CommandError(
        'A review needs a server: run `agentkeep install` with --server, then this again.',
      );
    }
    const project = projectOf(cwd());
    const { consolidateProject } = await import('./companion/consolidate-project.js');
    const proposed = await consolidateProject(choice, project, command);
    const facts = proposed === 1 ? '1 fact' : `${proposed} facts`;
    const wait = proposed === 1 ? 'waits' : 'wait';
    const done = `${facts} of ${project} ${wait} for a review.\n`;
    await io.writeOut(proposed === 0 ? 'Nothing new to propose.\n' : done);
  },
};

/** All of them. */
export const codingAgentCommands: readonly ClientCommand[] = [
  ...installCommands,
  hook,
  today,
  consolidate,
  pauseCommand('pause', 'Pause memory of coding agents in this project.'),
  pauseCommand('resume', 'Resume memory of coding agents in this project.'),
];
