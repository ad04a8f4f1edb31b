/** The commands that work on this machine, in the order of the help. */
import type { ServiceCommand } from './command/command.js';
import { doctor } from './doctor/doctor.js';
import { config } from './serving/config.js';
import { dev } from './serving/dev.js';
import { healthCheck } from './serving/health-check.js';
import { mcp } from './serving/mcp.js';
import { openapi } from './serving/openapi.js';
import { serve } from './serving/serve.js';
import { bootstrapMaster } from './store/bootstrap-master.js';
import { bootstrapTenant } from './store/bootstrap-tenant.js';
import { copyStore } from './store/copy-store.js';
import { createAdmin } from './store/create-admin.js';
import { drillRestore } from './store/drill-restore.js';
import { follow } from './store/follow.js';
import { keyCommands } from './store/keys.js';
import { levelCommands } from './store/level.js';
import { promote } from './store/promote.js';
import { recoverMaster } from './store/recover-master.js';
import { restore } from './store/restore.js';
import { snapshot } from './store/snapshot.js';
import { verifyAudit } from './store/verify-audit.js';
import { verifyErasure } from './store/verify-erasure.js';
import { verifyStore } from './store/verify-store.js';

/** All service commands. */
export const serviceCommands: readonly ServiceCommand[] = [
  dev,
  serve,
  bootstrapMaster,
  recoverMaster,
  bootstrapTenant,
  createAdmin,
  snapshot,
  restore,
  drillRestore,
  follow,
  promote,
  copyStore,
  verifyStore,
  verifyAudit,
  verifyErasure,
  ...keyCommands,
  ...levelCommands,
  healthCheck,
  doctor,
  mcp,
  config,
  openapi,
];
