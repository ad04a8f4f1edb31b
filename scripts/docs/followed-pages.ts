/** The pages whose shell blocks tests follow, each in a shell and a directory of its own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tidy-files.ts';
import { type Block, blocksOf } from './page-blocks.ts';

/** Pages of jobs for a shell, by their tests: those that need no database, then the others. */
export const followedPages = {
  alone: [
    'docs/jobs/back-up-and-restore.md',
    'docs/jobs/rotate-a-leaked-credential.md',
    'docs/jobs/see-who-did-what.md',
    'docs/jobs/take-your-memory-with-you.md',
    'docs/jobs/upgrade.md',
    'docs/jobs/watch-a-server.md',
  ],
  withDatabase: ['docs/jobs/move-to-postgresql.md'],
} as const;

/** Returns the blocks of a page that are commands: those of a shell and of SQL, in order. */
export function commandsOf(page: string): Block[] {
  const text = readFileSync(join(root, page), 'utf8');
  return blocksOf(text).filter(({ info }) => info === 'sh' || info === 'sql');
}
