/** The rules for any memory change: how its write is prepared, and whether it frees space. */
import {
  createWrite,
  deleteWrite,
  type MemoryWrite,
  updateWrite,
  type WriteContext,
} from './memory-write.js';
import { putWrite, removeWrite } from './named-write.js';
import { redactWrite, restoreWrite } from './revision-write.js';
import { superseding } from './superseding-write.js';
import type { MemoryChange } from '../documents/schema.js';

/** Prepares the write of a change, with those of the records that it supersedes. */
export function writeOf(change: MemoryChange, context: WriteContext): MemoryWrite {
  return superseding(change, context, ownWriteOf(change, context));
}

function ownWriteOf(change: MemoryChange, context: WriteContext): MemoryWrite {
  switch (change.type) {
    case 'create':
      return createWrite(change, context);
    case 'update':
      return updateWrite(change, context);
    case 'delete':
      return deleteWrite(change, context);
    case 'put':
      return putWrite(change, context);
    case 'remove':
      return removeWrite(change, context);
    case 'restore':
      return restoreWrite(change, context);
    case 'redact':
      return redactWrite(change, context);
  }
}

/** Returns whether a change frees space, so that it is served above a storage quota. */
export function freesSpace({ type }: MemoryChange): boolean {
  return type === 'delete' || type === 'remove' || type === 'redact';
}
