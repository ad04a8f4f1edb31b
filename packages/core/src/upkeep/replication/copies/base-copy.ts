/**
 * Base copies in a replication target: the files of a store as of a frame, which the frames after
 * it continue. The manifest is created last, so a copy without one is not complete.
 */
import { join } from 'node:path';
import * as v from 'valibot';
import { AgentkeepError, hasCode } from '../../../contract/errors/agentkeep-error.js';
import { STORED_VERSION } from '../../../contract/version.js';
import type { FramePoint } from '../../../storage/frames/frame.js';
import { storeError } from '../../../storage/store/store-error.js';
import { digestFiles, SNAPSHOT_FILES } from '../../snapshot/snapshot-files.js';
import { parseLayout } from '../later-layout.js';
import { LISTED_NAMES_MAX, type ReplicaTarget } from '../targets/replica-target.js';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const hexDigest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const FORMAT_VERSION = 1;
const manifestSchema = v.strictObject({
  format: v.literal('agentkeep-base-copy'),
  format_version: v.literal(FORMAT_VERSION),
  stored_version: v.literal(STORED_VERSION),
  store: v.string(),
  generation: v.pipe(count, v.minValue(1)),
  /** The last slot of the log when the copy was begun. What it lacks is in the slots after it. */
  slot: count,
  /** The last frame that the copy has. */
  last: v.strictObject({ position: count, timeMs: count, digest: hexDigest }),
  made_ms: count,
  files: v.pipe(
    v.array(
      v.strictObject({ name: v.picklist(SNAPSHOT_FILES), size_bytes: count, sha256: hexDigest }),
    ),
    v.check((files) => SNAPSHOT_FILES.every((name, at) => files[at]?.name === name)),
    v.length(SNAPSHOT_FILES.length),
  ),
});

type BaseManifest = v.InferOutput<typeof manifestSchema>;

/** A complete base copy. */
export interface BaseCopy {
  /** Its name in the target, such as `base/00000001-0000000000000042`. */
  readonly name: string;
  readonly store: string;
  readonly generation: number;
  readonly slot: number;
  readonly last: FramePoint;
  readonly madeMs: number;
  readonly files: BaseManifest['files'];
  readonly sizeBytes: number;
}

/** What a new base copy is of. */
export type BaseOrigin = Pick<BaseCopy, 'store' | 'generation' | 'slot' | 'last' | 'madeMs'>;

const MANIFEST = 'manifest.json';

function nameOf({ generation, last }: Pick<BaseCopy, 'generation' | 'last'>): string {
  const position = String(last.position).padStart(16, '0');
  return `base/${String(generation).padStart(8, '0')}-${position}`;
}

/** A folder that nothing here named belongs to no generation. */
function damagedCopy(name: string): DamagedCopy {
  const [, generation = '0', position = '0'] = /^base\/(\d+)-(\d+)$/.exec(name) ?? [];
  return { name, generation: Number(generation), position: Number(position) };
}

/** Names in a target: letters of the files of a store are lower-case already. */
const objectOf = (name: string, file: string): string => `${name}/${file}`;

/**
 * Copies the files of a store that no process writes to into a target. What an interrupted call
 * left of the same copy is replaced, as is one that was damaged, and what a failed one left is
 * removed. Returns the one that is there if it is complete.
 * @throws {AgentkeepError} `replica_unavailable`
 */
export async function createBaseCopy(
  target: ReplicaTarget,
  directory: string,
  origin: BaseOrigin,
): Promise<BaseCopy> {
  const name = nameOf(origin);
  try {
    const found = await readBaseCopy(target, name);
    if (found !== undefined) return found;
  } catch (error) {
    if (!hasCode(error, 'replica_damaged')) throw error;
    await removeBaseCopy(target, { name });
  }
  try {
    return await sendCopy(target, directory, { name, origin });
  } catch (error) {
    // A target that is full needs the room.
    await removeBaseCopy(target, { name }).catch(() => undefined);
    throw error;
  }
}

async function sendCopy(
  target: ReplicaTarget,
  directory: string,
  { name, origin }: { readonly name: string; readonly origin: BaseOrigin },
): Promise<BaseCopy> {
  const files = await digestFiles(directory, SNAPSHOT_FILES, () => undefined);
  for (const file of SNAPSHOT_FILES) {
    await target.remove(objectOf(name, file));
    await target.createFrom(objectOf(name, file), join(directory, file));
  }
  const { store, generation, slot, last, madeMs } = origin;
  const manifest: BaseManifest = {
    format: 'agentkeep-base-copy',
    format_version: FORMAT_VERSION,
    stored_version: STORED_VERSION,
    store,
    generation,
    slot,
    last,
    made_ms: madeMs,
    files,
  };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await target.create(objectOf(name, MANIFEST), Buffer.from(text));
  const made = await readBaseCopy(target, name);
  if (made === undefined) throw storeError('replica_missing', `${name} has no manifest.`);
  return made;
}

/** A base copy whose manifest does not verify, as far as its name says what it is of. */
export interface DamagedCopy {
  readonly name: string;
  readonly generation: number;
  readonly position: number;
}

/** The base copies of a target, those of earlier generations and positions first. */
export interface FoundCopies {
  readonly copies: BaseCopy[];
  /** Those whose manifest does not verify. */
  readonly damaged: DamagedCopy[];
  /** The error of the first of these. */
  readonly damage: AgentkeepError | undefined;
}

/**
 * Finds the complete base copies, and those whose manifest does not verify.
 * @throws {AgentkeepError} `store_incompatible` if a later version wrote one; `replica_unavailable`.
 */
export async function findBaseCopies(target: ReplicaTarget): Promise<FoundCopies> {
  const copies: BaseCopy[] = [];
  const damaged: DamagedCopy[] = [];
  let damage: AgentkeepError | undefined;
  for (const object of await objectNames(target)) {
    if (!isManifest(object)) continue;
    const name = copyOf(object);
    try {
      const copy = await readBaseCopy(target, name);
      if (copy !== undefined) copies.push(copy);
    } catch (error) {
      if (!(error instanceof AgentkeepError) || !hasCode(error, 'replica_damaged')) throw error;
      damaged.push(damagedCopy(name));
      damage ??= error;
    }
  }
  return { copies, damaged, damage };
}

/**
 * Returns the complete base copies, those of earlier generations and positions first. The log leads
 * on from each, so one that does not verify is left out while there is another one.
 * @throws {AgentkeepError} `replica_damaged` if none verifies; as {@link findBaseCopies}.
 */
export async function listBaseCopies(target: ReplicaTarget): Promise<BaseCopy[]> {
  const { copies, damage } = await findBaseCopies(target);
  if (copies.length === 0 && damage !== undefined) throw damage;
  return copies;
}

/** Returns the names of the copies that have no manifest, in the same order. */
export async function listUnfinishedCopies(target: ReplicaTarget): Promise<string[]> {
  const objects = await objectNames(target);
  const complete = new Set(objects.filter(isManifest).map(copyOf));
  return [...new Set(objects.map(copyOf))].filter((name) => !complete.has(name));
}

async function objectNames(target: ReplicaTarget): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const names = await target.list('base/', found.at(-1));
    found.push(...names);
    if (names.length < LISTED_NAMES_MAX) return found;
  }
}

function isManifest(object: string): boolean {
  return object.endsWith(`/${MANIFEST}`);
}

function copyOf(object: string): string {
  return object.slice(0, object.lastIndexOf('/'));
}

/** Removes a base copy, its manifest first. */
export async function removeBaseCopy(
  target: ReplicaTarget,
  { name }: Pick<BaseCopy, 'name'>,
): Promise<void> {
  for (const file of [MANIFEST, ...SNAPSHOT_FILES]) await target.remove(objectOf(name, file));
}

/**
 * Writes the files of a base copy into an empty directory and checks them.
 * @throws {AgentkeepError} `replica_damaged` if they are not the ones of the manifest;
 * `replica_missing`; `replica_unavailable`.
 */
export async function fetchBaseCopy(
  target: ReplicaTarget,
  { name, files }: BaseCopy,
  directory: string,
): Promise<void> {
  for (const { name: file } of files) {
    const object = objectOf(name, file);
    if (await target.readTo(object, join(directory, file))) continue;
    throw storeError('replica_missing', `The replication target lacks ${object}.`);
  }
  const found = await digestFiles(directory, SNAPSHOT_FILES, () => undefined);
  const changed = files.find(({ sha256 }, at) => found[at]?.sha256 !== sha256);
  if (changed !== undefined) throw damaged(objectOf(name, changed.name));
}

async function readBaseCopy(target: ReplicaTarget, name: string): Promise<BaseCopy | undefined> {
  const bytes = await target.read(objectOf(name, MANIFEST));
  if (bytes === undefined) return undefined;
  const manifest = parsed(bytes, objectOf(name, MANIFEST));
  if (nameOf(manifest) !== name) throw damaged(objectOf(name, MANIFEST));
  const { store, generation, slot, last, made_ms: madeMs, files } = manifest;
  const sizeBytes = files.reduce((sum, { size_bytes: size }) => sum + size, 0);
  return { name, store, generation, slot, last, madeMs, files, sizeBytes };
}

function parsed(bytes: Uint8Array, object: string): BaseManifest {
  const known = { format_version: FORMAT_VERSION, stored_version: STORED_VERSION };
  const text = Buffer.from(bytes).toString('utf8');
  try {
    const layout = { schema: manifestSchema, known };
    return parseLayout(text, layout, `${object} of the replication target`);
  } catch (cause) {
    if (cause instanceof AgentkeepError) throw cause;
    throw damaged(object, cause);
  }
}

function damaged(object: string, cause?: unknown): Error {
  const detail = `The object ${object} of the replication target is not the one that was written.`;
  return storeError('replica_damaged', detail, cause);
}
