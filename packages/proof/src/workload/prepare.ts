/**
 * Prepares a data directory for a crew, with the commands and calls of a user.
 */
import { connect, logIn } from '@agentkeep/server/client';
import { bootstrapTenant, runCommand, type Variables } from '@agentkeep/testkit/agentkeep-process';
import { ServerProcess } from '@agentkeep/testkit/server-process';
import { procedureIds } from './crew.js';
import { propose, registerPolicy } from './learning-work.js';
import { type Secrets, workScopes } from './parties.js';

const ROOT = { username: 'root', password: 'Correct-Horse-7' };

/** A data directory, with the variables and arguments of its servers. */
export interface Site {
  readonly dataDir: string;
  /** Directory for audit files. */
  readonly auditDir?: string;
  readonly variables?: Variables;
  readonly words?: readonly string[];
}

/** Starts a server on a site. */
export function serve({ dataDir, auditDir, variables, words = [] }: Site): ServerProcess {
  const all = [...words, ...(auditDir === undefined ? [] : ['--audit-log-path', auditDir])];
  return new ServerProcess(dataDir, {
    words: all,
    ...(variables === undefined ? {} : { variables }),
  });
}

/** Creates all parties. No server runs when it returns. */
export async function prepareSite(site: Site): Promise<Secrets> {
  const { dataDir, variables } = site;
  const admin = bootstrapTenant(dataDir, 'acme', variables);
  const made = await runCommand(['create-admin', ROOT.username, '--data-dir', dataDir], {
    ...variables,
    AGENTKEEP_ADMIN_PASSWORD: ROOT.password,
  });
  if (made.status !== 0) throw new Error(`The administrator could not be created: ${made.error}`);
  const server = serve(site);
  try {
    return await issueAll(await server.listens(), admin);
  } finally {
    await server.stop();
  }
}

async function issueAll(url: string, admin: string): Promise<Secrets> {
  const { credentials } = connect({ url, secret: admin });
  const grants = [...workScopes];
  const { secret: writer } = await credentials.issue({
    subject_id: 's',
    capabilities: ['memory_read', 'memory_write'],
    grants,
  });
  const { secret: judge } = await credentials.issue({
    subject_id: 'judge',
    capabilities: ['policy_admin', 'procedure_propose', 'procedure_evaluate', 'memory_read'],
    grants,
  });
  const evaluator = connect({ url, secret: judge });
  await registerPolicy(evaluator);
  for (const id of procedureIds) await propose(evaluator, id);
  const { agent } = await logIn({ url, ...ROOT });
  const { key } = await agent.keys.create('proof');
  return { admin, writer, judge, root: key };
}
