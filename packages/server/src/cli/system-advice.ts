/**
 * What an operator can do about a failure that the operating system reports.
 * @module
 */

const permission =
  'This user may not do that there. Run as the owner of the directory, give it to this user, or ' +
  'name another one with --data-dir.';
const space = 'The disk is full. Free some space and repeat the command.';
const files = 'Too many files are open. Raise the limit (`ulimit -n`) and repeat the command.';

const advices: Readonly<Partial<Record<string, string>>> = {
  EACCES: permission,
  EPERM: permission,
  EROFS: 'The disk is mounted read-only. Mount it for writing, or name another directory.',
  ENOSPC: space,
  EDQUOT: space,
  ENOTDIR: 'A part of the path is a file. Name a directory with --data-dir.',
  EEXIST: 'There is a file of that name. Name a directory with --data-dir.',
  EISDIR: 'There is a directory of that name, where a file belongs. Name a file.',
  ENAMETOOLONG: 'The path is too long. Name a shorter one with --data-dir.',
  ELOOP: 'The path leads in circles. Name another one with --data-dir.',
  EMFILE: files,
  ENFILE: files,
  ENOMEM: 'The machine has no memory left. Free some and repeat the command.',
  EIO: 'The disk fails. Check it, and restore a snapshot on another one.',
  EPIPE: 'Whoever read standard output closed it before everything was written.',
};

/** The advice, if the error is one of the system that is known. */
export function systemAdvice(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return advices[String(error.code)];
}
