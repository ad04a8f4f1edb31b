/** `agentkeep skills export`: qualified procedures as files that coding agents read. */
import { CommandError } from '../../command/command-error.js';
import type { ClientCommand, ClientInvocation } from '../../command/command.js';
import { importMcpSkills } from '../../command/import-mcp.js';
import { scopeFlags } from '../../command/scope-flags.js';
import { jsonLine } from '../../output/printable.js';
import { withConnection } from '../connection.js';
import { type FolderChanges, renewSkills, type SkillFile } from './skill-folder.js';

/** Writes the skills of a scope, and removes those that were withdrawn. */
export const exportSkills: ClientCommand = {
  name: 'skills export',
  positionals: ['folder'],
  summary: 'Write qualified procedures as skills into a folder, and remove withdrawn ones.',
  description: [
    'Each procedure of the scope that has qualified becomes <folder>/<name>/SKILL.md, with its ' +
      'evidence. Run it again to renew them: a procedure that was suspended since then is removed.',
    'Skills in the folder that this command did not write, or that were changed by hand, stay as ' +
      'they are.',
  ],
  isCall: true,
  hasJson: true,
  ownFlags: scopeFlags,
  examples: ['agentkeep skills export .claude/skills --project-id demo --agent-id assistant'],
  run,
};

async function run(invocation: ClientInvocation): Promise<void> {
  const { io, json, positionals } = invocation;
  const [folder = ''] = positionals;
  const { skillsIn } = await importMcpSkills();
  const skills = await withConnection(invocation, async ({ agent, scope }) => {
    const found: SkillFile[] = [];
    for await (const skill of skillsIn(agent, scope())) found.push(skill);
    return found;
  });
  const changes = await renewSkills(folder, skills);
  await io.writeOut(json ? jsonLine({ ...changes }) : summaryOf(changes, folder));
  if (changes.left.length > 0) {
    throw new CommandError(
      `Not written, because these were made or changed by somebody else: ${changes.left.join(', ')}. ` +
        `Move them out of ${folder}, then run the command again.`,
    );
  }
}

function summaryOf({ written, unchanged, removed }: FolderChanges, folder: string): string {
  const counts = `${written.length} written, ${unchanged.length} unchanged, ${removed.length} removed`;
  return `${folder}: ${counts}\n`;
}
