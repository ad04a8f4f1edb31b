/**
 * Rebuilds a directory as a disk may hold it after a power loss, from the log of the shim. Contents
 * follow `file-image.ts`. Names survive if their directory was synced; of later names, the remnant
 * keeps some of the first in order.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Random } from '@agentkeep/testkit/random';
import type { DiskRecord } from './disk-log.js';
import { FileImage, type Remnant } from './file-image.js';

/** A directory. Instances identify directories, because inode numbers are reused. */
class Directory {
  readonly kind = 'directory';
}

type FileOrDirectory = FileImage | Directory;

type NamingRecord = Extract<DiskRecord, { readonly path: string } | { readonly to: string }>;

/** An entry of a directory. */
interface DirectoryEntry {
  readonly parent: Directory;
  readonly name: string;
}

/** A change of names. */
interface Naming {
  readonly position: number;
  readonly removed: DirectoryEntry | undefined;
  readonly added: (DirectoryEntry & { readonly thing: FileOrDirectory }) | undefined;
  isDurable: boolean;
}

type Tree = Map<Directory, Map<string, FileOrDirectory>>;

/** Applies the records of a log, and can write the possible state of the disk after each. */
export class DiskImage {
  readonly #path: string;
  readonly #root = new Directory();
  /** The current file or directory of each inode number. */
  readonly #things: Map<bigint, FileOrDirectory>;
  /** Names in the running system. */
  readonly #tree: Tree = new Map();
  readonly #namings: Naming[] = [];
  readonly #begun = new Map<bigint, number>();
  #position = 0;

  /** Starts with a directory that is empty when the log begins. */
  constructor(root: { readonly path: string; readonly inode: bigint }) {
    this.#path = root.path;
    this.#things = new Map([[root.inode, this.#root]]);
  }

  /** Applies the next record. */
  take(record: DiskRecord): void {
    this.#position += 1;
    switch (record.type) {
      case 'write':
        this.#file(record.inode)?.write(this.#position, record);
        break;
      case 'truncate':
        this.#file(record.inode)?.truncate(this.#position, record.size);
        break;
      case 'sync-begin':
        this.#begun.set(record.sync, this.#position);
        break;
      case 'sync-end':
        this.#sync(record.inode, this.#begun.get(record.sync) ?? 0);
        break;
      case 'answer':
        break;
      case 'make-file':
      case 'make-directory':
      case 'make-link':
      case 'hard-link':
      case 'rename':
      case 'remove':
        this.#takeName(record);
    }
  }

  /** Writes a possible state of the disk into an empty directory. */
  writeTo(directory: string, remnant: Remnant, random: Random): void {
    const unsynced = this.#namings.filter(({ isDurable }) => !isDurable).length;
    let left = { none: 0, half: random(unsynced + 1), metadata: unsynced }[remnant];
    const tree: Tree = new Map();
    for (const naming of this.#namings) {
      if (naming.isDurable || left > 0) applyNaming(tree, naming);
      if (!naming.isDurable) left -= 1;
    }
    writeTree(tree, this.#root, { directory, remnant, random });
  }

  #takeName(record: NamingRecord): void {
    switch (record.type) {
      case 'make-file':
        this.#make(record, new FileImage());
        break;
      case 'make-directory':
        this.#make(record, new Directory());
        break;
      case 'make-link':
        this.#make(record, new FileImage(record.target));
        break;
      case 'hard-link':
        this.#name({ added: { ...this.#placeOf(record.to), thing: this.#thingAt(record.from) } });
        break;
      case 'rename': {
        const added = { ...this.#placeOf(record.to), thing: this.#thingAt(record.from) };
        this.#name({ removed: this.#placeOf(record.from), added });
        break;
      }
      case 'remove':
        this.#name({ removed: this.#placeOf(record.path) });
    }
  }

  #make(
    { inode, path }: { readonly inode: bigint; readonly path: string },
    thing: FileOrDirectory,
  ): void {
    this.#things.set(inode, thing);
    this.#name({ added: { ...this.#placeOf(path), thing } });
  }

  #name({ removed, added }: Partial<Pick<Naming, 'removed' | 'added'>>): void {
    const naming = { position: this.#position, removed, added, isDurable: false };
    this.#namings.push(naming);
    applyNaming(this.#tree, naming);
  }

  #sync(inode: bigint, before: number): void {
    const thing = this.#things.get(inode);
    if (thing instanceof FileImage) thing.sync(before);
    if (!(thing instanceof Directory)) return;
    for (const naming of this.#namings) {
      const { position, removed, added } = naming;
      const isHere = removed?.parent === thing || added?.parent === thing;
      if (position < before && isHere) naming.isDurable = true;
    }
  }

  #file(inode: bigint): FileImage | undefined {
    const thing = this.#things.get(inode);
    return thing instanceof FileImage ? thing : undefined;
  }

  #placeOf(path: string): DirectoryEntry {
    const parent = this.#thingAt(dirname(path));
    if (parent instanceof Directory) return { parent, name: basename(path) };
    throw new Error(`The log of the disk uses ${dirname(path)} as a directory, but it is a file.`);
  }

  #thingAt(path: string): FileOrDirectory {
    const names = path.slice(this.#path.length).split('/').filter(Boolean);
    let thing: FileOrDirectory = this.#root;
    for (const name of names) {
      const inside: FileOrDirectory | undefined =
        thing instanceof Directory ? this.#tree.get(thing)?.get(name) : undefined;
      if (inside === undefined) throw new Error(`The log of the disk does not contain ${path}.`);
      thing = inside;
    }
    return thing;
  }
}

function writeTree(
  tree: Tree,
  parent: Directory,
  to: { readonly directory: string; readonly remnant: Remnant; readonly random: Random },
): void {
  for (const [name, thing] of tree.get(parent) ?? []) {
    const path = join(to.directory, name);
    if (thing instanceof Directory) {
      mkdirSync(path, { mode: 0o700 });
      writeTree(tree, thing, { ...to, directory: path });
    } else if (thing.link === undefined) {
      writeFileSync(path, thing.contents(to.remnant, to.random), { mode: 0o600 });
    } else {
      symlinkSync(thing.link, path);
    }
  }
}

/** Changes names. A missing directory takes its entries with it. */
function applyNaming(tree: Tree, { removed, added }: Naming): void {
  if (removed !== undefined) tree.get(removed.parent)?.delete(removed.name);
  if (added === undefined) return;
  if (!tree.has(added.parent)) tree.set(added.parent, new Map());
  tree.get(added.parent)?.set(added.name, added.thing);
}
