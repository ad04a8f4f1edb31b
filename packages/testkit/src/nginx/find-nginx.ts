/** Finds nginx, and the program that makes certificates, for tests. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where Linux distributions install it, which is only on the path of root. */
const SBIN = '/usr/sbin';

/** Paths of programs. */
export interface ProxyPrograms {
  readonly nginx: string;
  readonly openssl: string;
}

/** Returns the paths of the programs, or `undefined` unless both are installed. */
export function findNginx(): ProxyPrograms | undefined {
  const nginx = find('nginx');
  const openssl = find('openssl');
  return nginx === undefined || openssl === undefined ? undefined : { nginx, openssl };
}

function find(program: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), SBIN];
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}
