/**
 * Requests about names, which have a scope of their own: commands on one name, batches on several.
 */

/** A change of one name. */
export interface NamedChange {
  readonly type: 'put' | 'remove';
  readonly name: string;
  /** 0: the name must be free. Absent: whatever there is. */
  readonly expectedRevision?: number;
  /** Text of the record, unique to each change; empty for a removal. */
  readonly text: string;
}

/** A command on one name, or a batch on several, of which all changes take effect or none. */
export interface NamedCommand {
  readonly type: 'named';
  /** Keys of different subjects are independent. */
  readonly subject: string;
  readonly key: string;
  readonly changes: readonly NamedChange[];
}

/** A request about names. */
export type NamedRequest =
  | NamedCommand
  | { readonly type: 'look up'; readonly name: string }
  /** Lists all records that have names. */
  | { readonly type: 'list names' };

/** What a change did. */
export interface Outcome {
  readonly recordId: string;
  readonly revision: number;
  readonly action: string;
}

/** Names of one generation are judged together, apart from those of others. */
export function generationOf(name: string): string {
  return name.slice(name.indexOf(' ') + 1);
}

/** Returns a text that identifies a command. */
export function namedIdentity({ subject, key, changes }: NamedCommand): string {
  return JSON.stringify([subject, key, changes]);
}
