/** The embedding spaces of a scope: which there are, and what may become of them. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { EMBEDDING_SPACES_MAX } from '../../../contract/limits.js';
import { DEFAULT_SPACE } from '../documents/default-space.js';

/** A space of a scope. */
interface Space {
  readonly name: string;
  /** The number of components of all its embeddings; null for {@link DEFAULT_SPACE}: any. */
  readonly dimension: number | null;
  /** Embeddings of revisions that were superseded before this time are of an earlier space. */
  readonly sinceMillis: number;
  /** While it is dropped, the id of the last record that has none any more; '' before the first. */
  readonly droppedThrough: string | null;
}

/** The spaces of a scope. */
export interface Spaces {
  /** The one that is meant where none is named. */
  readonly defaultName: string;
  /** All but {@link DEFAULT_SPACE}, which is among them only once it was dropped. */
  readonly spaces: readonly Space[];
}

/** The spaces of a scope in which none was named yet. */
export const NO_SPACES: Spaces = { defaultName: DEFAULT_SPACE, spaces: [] };

/**
 * Returns the spaces after embeddings of some dimensions were attached in one of them.
 *
 * @throws {AgentkeepError} `invalid_request`, naming `space` or the embedding that doesn't fit.
 */
export function attachedIn(
  all: Spaces,
  name: string,
  { dimensions, nowMs }: { readonly dimensions: readonly number[]; readonly nowMs: number },
): Spaces {
  const known = all.spaces.find((space) => space.name === name);
  if ((known?.droppedThrough ?? null) !== null)
    throw refused('space', 'a space that is not being dropped');
  if (name === DEFAULT_SPACE) return all;
  const dimension = known?.dimension ?? dimensions[0] ?? 0;
  const other = dimensions.findIndex((each) => each !== dimension);
  if (other !== -1) {
    const expected = `${dimension} numbers, as embeddings of this space have`;
    throw refused(`embeddings[${other}].values`, expected);
  }
  if (known !== undefined) return all;
  if (all.spaces.filter(isNamed).length === EMBEDDING_SPACES_MAX - 1) {
    throw refused('space', `one of the ${EMBEDDING_SPACES_MAX} spaces that the scope has`);
  }
  const fresh = { name, dimension, sinceMillis: nowMs, droppedThrough: null };
  return { ...all, spaces: [...all.spaces, fresh] };
}

/**
 * Returns the spaces with another one as the default.
 *
 * @throws {AgentkeepError} `invalid_request` for a space that the scope doesn't have.
 */
export function withDefault(all: Spaces, name: string): Spaces {
  const known = all.spaces.find((space) => space.name === name);
  const isThere = known === undefined ? name === DEFAULT_SPACE : known.droppedThrough === null;
  if (!isThere) throw refused('space', 'a space that the scope has');
  return { ...all, defaultName: name };
}

/**
 * Returns the spaces while one is dropped, up to a record.
 *
 * @throws {AgentkeepError} `invalid_request` for the default of the scope.
 */
export function dropping(all: Spaces, name: string, through: string): Spaces {
  if (name === all.defaultName) throw refused('space', 'a space that is not the default');
  const before = all.spaces.find((space) => space.name === name);
  const known = before ?? { name, dimension: null, sinceMillis: 0, droppedThrough: null };
  const others = all.spaces.filter((space) => space.name !== name);
  return { ...all, spaces: [...others, { ...known, droppedThrough: through }] };
}

/** Returns the spaces once no record has an embedding of one any more. */
export function dropped(all: Spaces, name: string, nowMs: number): Spaces {
  const others = all.spaces.filter((space) => space.name !== name);
  if (name !== DEFAULT_SPACE) return { ...all, spaces: others };
  const emptied = { name, dimension: null, sinceMillis: nowMs, droppedThrough: null };
  return { ...all, spaces: [...others, emptied] };
}

/** Returns whether embeddings of a revision that was superseded at a time are still of a space. */
export function isStillOf(all: Spaces, name: string, supersededAtMillis: number): boolean {
  const known = all.spaces.find((space) => space.name === name);
  if (known === undefined) return name === DEFAULT_SPACE;
  return known.droppedThrough === null && known.sinceMillis <= supersededAtMillis;
}

/** Returns how far a space has been dropped; `undefined` where it isn't being dropped. */
export function droppedThrough(all: Spaces, name: string): string | undefined {
  return all.spaces.find((space) => space.name === name)?.droppedThrough ?? undefined;
}

function isNamed({ name }: Space): boolean {
  return name !== DEFAULT_SPACE;
}

function refused(path: string, expected: string): AgentkeepError {
  return new AgentkeepError('invalid_request', { members: [{ path, expected }] });
}
