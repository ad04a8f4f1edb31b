/** Finds the known name that a mistyped one was meant to be, as the command line does for flags. */
import { Command, CommanderError } from 'commander';

/** Returns `Did you mean port?`, or an empty text if no known name is near. */
export function nearestName(name: string, known: Iterable<string>): string {
  const parser = new Command().exitOverride().helpCommand(false);
  parser.configureOutput({ writeErr: () => undefined });
  for (const each of known) parser.command(each);
  try {
    // After `--` a name is never taken for a flag.
    parser.parse(['--', name], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return /\((Did you mean .*\?)\)/u.exec(error.message)?.[1] ?? '';
  }
  return '';
}
