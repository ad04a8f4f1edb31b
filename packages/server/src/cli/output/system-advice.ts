/** Advice for the operator about errors of the operating system. */

const permission =
  'This user lacks the permission. Run as the owner of the directory, give it to this user, ' +
  'or name another one with --data-dir.';
const space = 'The disk is full. Free some space and repeat the command.';
const files = 'Too many files are open. Raise the limit (`ulimit -n`) and repeat the command.';

const advices: Readonly<Partial<Record<string, string>>> = {
  EACCES: permission,
  EPERM: permission,
  EROFS: 'The disk is mounted read-only. Mount it for writing, or name another directory.',
  ENOSPC: space,
  EDQUOT: space,
  ENOTDIR: 'A part of the path is a file. Name a directory with --data-dir.',
  EEXIST: 'A file of that name exists. Name a directory with --data-dir.',
  EISDIR: 'A directory of that name exists where a file is expected. Name a file.',
  ENAMETOOLONG: 'The path is too long. Name a shorter one with --data-dir.',
  ELOOP: 'The path contains a loop of links. Name another one with --data-dir.',
  EMFILE: files,
  ENFILE: files,
  ENOMEM: 'The machine is out of memory. Free some and repeat the command.',
  EIO: 'The disk reports errors. Check it, and restore a snapshot on another disk.',
  EPIPE: 'The reader of standard output closed it before everything was written.',
};

/** Returns advice for a known system error, or `undefined`. */
export function systemAdvice(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return advices[String(error.code)];
}
