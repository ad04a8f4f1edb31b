/** `agentkeep health-check`: checks that the configured server is alive and of this version. */
import { request } from 'node:http';
import { CONTRACT_DOCUMENT_VERSION, CONTRACT_VERSION } from '@agentkeep/core';
import { urlOf } from '../../lifecycle/start-server.js';
import { routes } from '@agentkeep/client/routes';
import type { Invocation, ServiceCommand } from '../command/command.js';
import { CommandError } from '../command/command-error.js';
import { jsonLine } from '../output/printable.js';

/** Limit for the connection and the reply together. */
const TIMEOUT_MS = 2_000;
const REPLY_BYTES_MAX = 8_192;

/** Safe beside a running server. Prints nothing without `--json`. */
export const healthCheck: ServiceCommand = {
  name: 'health-check',
  positionals: [],
  summary: 'Check the health of the server; exit status 0 means healthy.',
  description: [
    `Asks the configured host and port for ${routes.getHealth.path} and succeeds when a ` +
      `healthy server of version ${CONTRACT_DOCUMENT_VERSION} answers within ` +
      `${TIMEOUT_MS / 1_000} seconds.`,
    'Prints nothing on success; use the exit status. Made for container and service supervisors.',
  ],
  options: ['host', 'port', 'data_dir'],
  hasJson: true,
  examples: ['agentkeep health-check', 'agentkeep health-check --port 8080 --json'],
  run,
};

async function run({ io, options: { host, port }, json }: Invocation): Promise<void> {
  if (port === 0) {
    throw new CommandError('Port 0 cannot be probed. Name the port on which the server listens.');
  }
  const url = urlOf(host, port);
  const reason = await unhealthyReason(url);
  if (reason !== undefined) {
    const advice = 'Start it with `agentkeep serve`, or name its address with --host and --port.';
    throw new CommandError(`${url} is not healthy: ${reason} ${advice}`);
  }
  const health = {
    contract_version: CONTRACT_VERSION,
    status: 'healthy',
    version: CONTRACT_DOCUMENT_VERSION,
  };
  if (json) await io.writeOut(jsonLine(health));
}

async function unhealthyReason(url: string): Promise<string | undefined> {
  try {
    const { status, body } = await fetchBounded(`${url}${routes.getHealth.path}`);
    return status === 200 ? wrongHealth(body) : `it answered with status ${status}.`;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'AbortError' || error.name === 'TimeoutError') {
      return `it sent no complete reply within ${TIMEOUT_MS / 1_000} seconds.`;
    }
    return error.message.endsWith('.') ? error.message : `${error.message}.`;
  }
}

function wrongHealth(body: string): string | undefined {
  let health: unknown;
  try {
    health = JSON.parse(body);
  } catch {
    return 'its reply is not JSON.';
  }
  if (typeof health !== 'object' || health === null) return 'its reply is not a JSON object.';
  const fields: Partial<Record<string, unknown>> = { ...health };
  const { contract_version: contract, status, version } = fields;
  if (contract !== CONTRACT_VERSION) return `its contract version is not ${CONTRACT_VERSION}.`;
  if (status !== 'healthy') return 'it reports itself unhealthy.';
  if (version !== CONTRACT_DOCUMENT_VERSION) {
    return `its version is not ${CONTRACT_DOCUMENT_VERSION}.`;
  }
  return undefined;
}

function fetchBounded(url: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const options = { agent: false, signal, maxHeaderSize: REPLY_BYTES_MAX } as const;
    const probe = request(url, options, (reply) => {
      const chunks: Buffer[] = [];
      let size = 0;
      reply.on('error', reject);
      reply.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > REPLY_BYTES_MAX) {
          // Reject before destroying: a complete reply would otherwise resolve the promise first.
          reject(new Error(`its reply is longer than ${REPLY_BYTES_MAX} bytes.`));
          probe.destroy();
        }
      });
      reply.on('end', () => {
        resolve({ status: reply.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') });
      });
    });
    probe.on('error', reject);
    probe.end();
  });
}
