/** Runs the trial in Chromium, on a page of another origin than the server's. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { TrialResult, TrialSettings } from '../../packages/client/test/runtimes/trial.ts';
import { output } from '../package-installs/packed-packages.ts';
import { bundledTrial, type TrialFolder } from './trial-folder.ts';

/** A page that is served. */
export interface TrialPage extends AsyncDisposable {
  readonly origin: string;
  /** Opens the page in a browser; resolves with what it reports. */
  readonly run: (trial: TrialFolder, settings: TrialSettings) => Promise<TrialResult>;
}

/** A browser takes seconds; one that takes this long hangs. */
const TIMEOUT_MS = 120_000;

const CANDIDATES = ['chromium', 'chromium-browser', 'google-chrome', 'chromium-headless-shell'];

/** Returns the command of a browser and its version, or `undefined`. */
export function findBrowser(): { program: string; version: string } | undefined {
  for (const program of CANDIDATES) {
    const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
    const version = /\b\d+(?:\.\d+){3}/u.exec(status === 0 ? stdout : '')?.[0];
    if (version !== undefined) return { program, version };
  }
  return undefined;
}

/** Serves an empty page over HTTPS, since a server allows no other origins. */
export async function startPage(program: string): Promise<TrialPage> {
  const scratch = mkdtempSync(join(tmpdir(), 'agentkeep-page-'));
  const server = createServer(certificate(scratch));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    run: async (trial, settings) => {
      const script = `${await bundledTrial(trial, 'iife')}
trial.tryClient(${JSON.stringify(settings)}).then((result) =>
  fetch('/result', { method: 'POST', body: JSON.stringify(result) }));`;
      return await shown(server, script, [program, origin, join(scratch, 'profile')]);
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

async function shown(
  server: Server,
  script: string,
  [program, origin, profile]: [string, string, string],
): Promise<TrialResult> {
  // A process of root has no sandbox; the certificate is its own.
  const words = ['--headless=new', '--no-sandbox', '--disable-gpu', '--ignore-certificate-errors'];
  const all = [...words, `--user-data-dir=${profile}`, `${origin}/`];
  const reported = reportOf(server, script);
  const child = spawn(program, all, { stdio: 'ignore', timeout: TIMEOUT_MS });
  const ended = once(child, 'close');
  try {
    const result = await Promise.race([reported, ended.then(() => undefined)]);
    if (result === undefined) throw new Error('The browser ended before the page reported.');
    return result;
  } finally {
    child.kill();
    await ended;
  }
}

/** Serves the page; resolves with what it reports. */
function reportOf(server: Server, script: string): Promise<TrialResult> {
  return new Promise((resolve, reject) => {
    server.on('request', (request, response) => {
      if (request.url === '/result') {
        json(request).then((result) => resolve(result as TrialResult), reject);
        response.end();
        return;
      }
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
      response.end(`<!doctype html><script>${script}</script>`);
    });
  });
}

function certificate(folder: string): { key: Buffer; cert: Buffer } {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1'];
  output('openssl', [...words, '-subj', '/CN=127.0.0.1', '-keyout', key, '-out', cert]);
  return { key: readFileSync(key), cert: readFileSync(cert) };
}
