/** The commands for memory in coding agents. */
import { cwd } from 'node:process';
import type { ClientCommand } from '../command/command.js';
import { cellOf, jsonLine, timeCell } from '../output/printable.js';
import { tableOf } from '../output/table.js';
import { runHook } from './hook/run-hook.js';
import { installCommands } from './install/install-commands.js';
import { agentsFolder } from './state/agents-folder.js';
import { entriesOfDay } from './state/day-log.js';
import { isPaused, setPaused } from './state/paused-projects.js';
import { projectOf } from './state/project-of.js';

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

/** All of them. */
export const codingAgentCommands: readonly ClientCommand[] = [
  ...installCommands,
  hook,
  today,
  pauseCommand('pause', 'Pause memory of coding agents in this project.'),
  pauseCommand('resume', 'Resume memory of coding agents in this project.'),
];
