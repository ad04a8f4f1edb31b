/** The commands that call a server, in the order of the help. */
import type { ClientCommand } from '../command/command.js';
import { followAudit } from './audit/follow-audit.js';
import { verifyLog } from './audit/verify-log.js';
import { exportMemory } from './exports/export.js';
import { importMemory } from './exports/import.js';
import { drillFailoverCommand } from './failover/drill-failover.js';
import { plan } from './learning/plan.js';
import { follow, remove } from './memory/changes.js';
import { exportRecords, importRecords } from './memory/import-export.js';
import { put, remember } from './memory/put.js';
import { recall } from './memory/recall.js';
import { memoryReads } from './memory/reads.js';
import { operationCommands } from './operations/operation-commands.js';
import { invite } from './people/invite.js';
import { pause, resume } from './people/pause.js';
import { reset } from './people/reset.js';
import { profileCommands } from './profiles/profile-commands.js';
import { exportSkills } from './skills/export-skills.js';
import { proposeSkill } from './skills/propose-skill.js';

const memoryCommands = [
  remember,
  recall,
  put,
  ...memoryReads,
  remove,
  importRecords,
  exportRecords,
  follow,
];

/** Returns all of them, group by group. */
export function clientCommands(): readonly ClientCommand[] {
  const made = [
    ...[...profileCommands, ...memoryCommands, exportMemory, importMemory],
    ...[invite, reset, pause, resume, ...operationCommands(), plan, exportSkills, proposeSkill],
    ...[followAudit, verifyLog, drillFailoverCommand],
  ];
  const groups = [...new Set(made.map(groupOf))];
  return groups.flatMap((group) => made.filter((command) => groupOf(command) === group));
}

function groupOf({ name }: ClientCommand): string {
  return name.split(' ')[0] ?? name;
}
