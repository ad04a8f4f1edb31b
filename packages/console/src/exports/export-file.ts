/** The file that an export goes to. */

/** A file that is being written. */
export interface ExportFile {
  readonly write: (text: string) => Promise<void>;
  /** Completes the file. */
  readonly close: () => Promise<void>;
  /** Leaves nothing behind. */
  readonly abort: () => Promise<void>;
}

interface Writable {
  readonly write: (text: string) => Promise<void>;
  readonly close: () => Promise<void>;
  readonly abort: () => Promise<void>;
}

/** Some browsers let a page write to a file that a person chose; TypeScript doesn't know it. */
interface FilePicker {
  readonly showSaveFilePicker?: (options: {
    readonly suggestedName: string;
  }) => Promise<{ readonly createWritable: () => Promise<Writable> }>;
}

/** How long a browser may take to begin with what it saves. */
const KEPT_MS = 60_000;

const picker = (): FilePicker => globalThis as FilePicker;

/** Returns whether files are written as they come, so that the page keeps nothing of them. */
export function writesFiles(): boolean {
  return picker().showSaveFilePicker !== undefined;
}

/** Lets a person choose a file, where the browser can write to one; `undefined` if none is. */
export async function openExportFile(suggestedName: string): Promise<ExportFile | undefined> {
  const { showSaveFilePicker } = picker();
  if (showSaveFilePicker === undefined) return keptFile(suggestedName);
  try {
    const chosen = await showSaveFilePicker.call(globalThis, { suggestedName });
    const writable = await chosen.createWritable();
    return {
      write: (text) => writable.write(text),
      close: () => writable.close(),
      abort: () => writable.abort(),
    };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    throw error;
  }
}

/** Keeps a file until it is complete, outside of the memory of scripts; then it is saved. */
function keptFile(name: string): ExportFile {
  let parts: Blob[] = [];
  return {
    write: (text) => {
      parts.push(new Blob([text]));
      return Promise.resolve();
    },
    close: () => {
      const url = URL.createObjectURL(new Blob(parts, { type: 'application/x-ndjson' }));
      const link = document.createElement('a');
      [link.href, link.download] = [url, name];
      link.click();
      setTimeout(() => {
        URL.revokeObjectURL(url);
      }, KEPT_MS);
      return Promise.resolve();
    },
    abort: () => {
      parts = [];
      return Promise.resolve();
    },
  };
}
