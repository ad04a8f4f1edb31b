/** Finds the name that somebody probably meant. */
import { Command, CommanderError } from 'commander';

const SUGGESTED = /Did you mean (?:one of )?--([^\s,?]+)/;

/** Returns the known name that is most like an unknown one, as `commander` suggests flags. */
export function similarName(unknown: string, known: readonly string[]): string | undefined {
  if (/[\s=]/.test(unknown) || unknown.startsWith('-')) return undefined;
  const parser = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  for (const name of known) parser.option(`--${name}`);
  try {
    parser.parse([`--${unknown}`], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return SUGGESTED.exec(error.message)?.[1];
    throw error;
  }
  return undefined;
}
