/** What a person writes to run this program again. */
import { isAbsolute, relative } from 'node:path';

/** Returns it by the path that Node.js was given, from the current directory. */
export function programName(path: string, directory: string): string {
  if (/[/\\]node_modules[/\\]/.test(path)) return 'npx -y -p @agentkeep/server agentkeep';
  if (!/\.[cm]?js$/.test(path)) return 'agentkeep';
  const near = relative(directory, path);
  return `node ${near.startsWith('..') || isAbsolute(near) ? path : near}`;
}
