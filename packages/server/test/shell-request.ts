/** Requests that tests of the command line send. */
import { spawnSync } from 'node:child_process';

/** The first headers of a login whose body never ends. */
export const HALF_LOGIN = [
  'POST /api/v1/auth/login HTTP/1.1',
  'Host: x',
  'Content-Type: application/json',
  'Content-Length: 60',
  '',
].join('\r\n');

/** Runs a printed request in a shell, or parses and sends it where curl is missing. */
export async function request(command: string, assignments: string): Promise<unknown> {
  const hasCurl = spawnSync('curl', ['--version']).status === 0;
  if (hasCurl) {
    const script = `${assignments}\n${command}\n`;
    return JSON.parse(spawnSync('sh', ['-c', script], { encoding: 'utf8' }).stdout);
  }
  const valueOf = (name: string) => new RegExp(`${name}='([^']+)'`).exec(assignments)?.[1] ?? '';
  const filled = command.replaceAll(/'"\$(\w+)"'/g, (_, name: string) => valueOf(name));
  const [, url = ''] = /curl -sS '([^']+)'/.exec(filled) ?? [];
  const [, body] = /-d '([^']+)'/.exec(filled) ?? [];
  const secret = valueOf(/Bearer \$(\w+)/.exec(command)?.[1] ?? '');
  const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
  const sent = body === undefined ? { headers } : { method: 'POST', headers, body };
  return (await fetch(url, sent)).json();
}
