/** Checks the server that commands call: its address, and whether it accepts the secret. */
import { statSync } from 'node:fs';
import type { CommandIo } from '../command/command.js';
import { CommandError } from '../command/command-error.js';
import { GivenFlags } from '../command/given-flags.js';
import { withConnection } from '../client/connection.js';
import { findServer } from '../client/profiles/chosen-server.js';
import { profilesPath } from '../client/profiles/profile-file.js';
import { type Finding, findingsOf } from './finding.js';
import { foreignRights } from '../command/foreign-rights.js';
import { previousSecretFindings } from './previous-secrets.js';
import { checkServer } from './server-checks.js';

const LOOPBACK = /^http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::|\/|$)/i;

const noFlags = new GivenFlags(new Map());

/** Checks the server that a command without flags would call; does nothing if none is chosen. */
export async function checkProfile(io: CommandIo, nowMs: () => number): Promise<Finding[]> {
  const result = findingsOf('profile');
  try {
    const server = findServer(io, noFlags);
    if (server === undefined) {
      return [result.ok(`There is no default profile in ${profilesPath(io)}.`)];
    }
    const { url, origin, files } = server;
    const urls = url.split(',').map((each) => each.trim());
    const checks = urls.map((each) => checkServer(`server of ${origin}`, each, nowMs));
    const answered = (await Promise.all(checks)).flat();
    const hasAnswered = answered.some(({ state }) => state === 'ok');
    return [
      ...answered,
      ...urls.flatMap(addressFindings),
      ...files.flatMap(secretFileFindings),
      ...(hasAnswered ? await authorityFindings(io, nowMs()) : []),
    ];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return [result.problem(error.message, 'See `agentkeep profiles set --help`.')];
  }
}

function addressFindings(url: string): Finding[] {
  if (!url.startsWith('http:') || LOOPBACK.test(url)) return [];
  const found = `${url} is not encrypted, so anyone on the network path can read the secret.`;
  return [findingsOf('profile').warning(found, 'Put a proxy with TLS in front of the server.')];
}

function secretFileFindings(file: string): Finding[] {
  const rights = foreignRights(statSync(file, { throwIfNoEntry: false })?.mode ?? 0);
  if (rights === undefined) return [];
  const found = `Other users have rights on ${file} (${rights}).`;
  return [findingsOf('profile').warning(found, `chmod 600 ${file}`)];
}

/**
 * Asks the server for the caller's identity: as a credential of a tenant, or else of the
 * installation.
 */
async function authorityFindings(io: CommandIo, nowMs: number): Promise<Finding[]> {
  const result = findingsOf('profile');
  try {
    return await withConnection({ io, flags: noFlags }, async ({ call }) => {
      const own = await call('whoAmI', {}).then(
        ({ credential }) => ({ credential, of: `the tenant ${credential.tenant_id}` }),
        async () => ({ ...(await call('globalIdentity', {})), of: 'the installation' }),
      );
      const { credential, of } = own;
      return [
        result.ok(`The secret is that of ${credential.spec.subject_id} of ${of}.`),
        ...(await previousSecretFindings(call, credential, nowMs)),
      ];
    });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return [result.problem(error.message, 'Give the profile another secret.')];
  }
}
