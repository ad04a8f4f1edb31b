/**
 * The texts of what an import is given: standard input, a file, a folder of files, or a zip
 * archive.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { CommandError } from '../../command/command-error.js';
import type { CommandIo } from '../../command/command.js';
import { inputText, STANDARD_INPUT } from '../input-text.js';

/** A text, and where it is from. */
export interface SourceText {
  readonly place: string;
  readonly text: string;
}

/** Unpacked bytes of one archive: the longest text that JavaScript has. */
const UNPACKED_BYTES_MAX = 536_870_000;

/**
 * Yields the texts of the files in a folder or in a zip archive whose names fit; of another path,
 * its one text.
 * @throws {CommandError} when none fits, and for an archive that is damaged or too large.
 */
export async function* sourceTexts(
  io: CommandIo,
  path: string,
  fits: RegExp,
): AsyncGenerator<SourceText, void> {
  if (path === STANDARD_INPUT || !(await isFolderOrArchive(path))) {
    yield { place: path, text: await inputText(io, path, 'file') };
    return;
  }
  let found = 0;
  for await (const each of path.endsWith('.zip') ? unpacked(path, fits) : filesIn(path, fits)) {
    found += 1;
    yield each;
  }
  if (found === 0) throw new CommandError(`${path} has no file whose name fits ${fits.source}.`);
}

async function isFolderOrArchive(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true || (found !== undefined && path.endsWith('.zip'));
}

async function* filesIn(folder: string, fits: RegExp): AsyncGenerator<SourceText, void> {
  const names = (await readdir(folder)).filter((name) => fits.test(name));
  for (const name of names.toSorted()) {
    const place = join(folder, name);
    yield { place, text: await readFile(place, 'utf8') };
  }
}

async function* unpacked(path: string, fits: RegExp): AsyncGenerator<SourceText, void> {
  let bytes = 0;
  const filter = ({ name, originalSize }: { name: string; originalSize: number }): boolean => {
    if (!fits.test(basename(name))) return false;
    bytes += originalSize;
    if (bytes <= UNPACKED_BYTES_MAX) return true;
    throw new CommandError(`${path} is larger than 512 MiB when it is unpacked. Unpack it first.`);
  };
  let files: Record<string, Uint8Array>;
  try {
    files = unzipSync(await readFile(path), { filter });
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(`${path} can't be unpacked: ${reason}.`, { cause });
  }
  for (const name of Object.keys(files).toSorted()) {
    const packed = files[name];
    if (packed !== undefined) yield { place: `${path}: ${name}`, text: strFromU8(packed) };
  }
}
