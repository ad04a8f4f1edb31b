/**
 * Counts what somebody finds who opens a folder of sources.
 *
 * The rule: the rooms of a folder are the source files and the folders of sources directly in it.
 * An arrow leads from one room to another of the same folder if a file of the first imports a file
 * of the second, types included; several such imports are one arrow. Tests are no sources.
 */
import { dirname, join } from 'node:path/posix';
import ts from 'typescript';

/** A source with its path from the root. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** What one folder has directly in it. */
export interface RoomCounts {
  readonly files: number;
  readonly rooms: number;
  readonly arrows: number;
}

/** Returns whether a path belongs to the sources of a package. */
export function isSource(path: string): boolean {
  return /^packages\/[^/]+\/src\/.*\.ts$/.test(path) && !/\.test(?:-d)?\.ts$/.test(path);
}

/** Returns the counts of every folder of sources, by its path. */
export function countRooms(sources: readonly Source[]): Map<string, RoomCounts> {
  const paths = new Set(sources.map(({ path }) => path));
  const rooms = new Map<string, Set<string>>();
  const arrows = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    for (const { folder, room } of placesOf(path)) addTo(rooms, folder, room);
    for (const imported of importsOf(path, text)) {
      const arrow = paths.has(imported) && arrowBetween(path, imported);
      if (arrow) addTo(arrows, arrow.folder, arrow.name);
    }
  }
  return new Map(
    Array.from(rooms, ([folder, found]) => [
      folder,
      {
        files: [...found].filter((room) => room.endsWith('.ts')).length,
        rooms: found.size,
        arrows: arrows.get(folder)?.size ?? 0,
      },
    ]),
  );
}

/** Returns the room that a file is, or is in, for each folder from `src` down. */
function placesOf(path: string): { readonly folder: string; readonly room: string }[] {
  const parts = path.split('/');
  return parts.slice(3).map((room, index) => ({
    folder: parts.slice(0, 3 + index).join('/'),
    room,
  }));
}

/** Returns the files that relative imports of a source name. */
function importsOf(path: string, text: string): string[] {
  return ts
    .preProcessFile(text)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => join(dirname(path), fileName).replace(/\.js$/, '.ts'));
}

/** Returns the arrow in the deepest folder that has both files; none from a file to itself. */
function arrowBetween(from: string, to: string) {
  const places = placesOf(to);
  for (const [index, { folder, room }] of placesOf(from).entries()) {
    const other = places[index];
    if (other === undefined || other.folder !== folder) return undefined;
    if (other.room !== room) return { folder, name: `${room} > ${other.room}` };
  }
  return undefined;
}

function addTo(sets: Map<string, Set<string>>, name: string, value: string): void {
  const found = sets.get(name) ?? new Set();
  sets.set(name, found.add(value));
}
