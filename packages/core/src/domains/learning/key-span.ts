/** A part of the entries under one prefix. */

/** Where a page of entries starts, and how many it has. */
export interface KeySpan {
  /** The id that the page comes after; `undefined` for the first page. */
  readonly after: string | undefined;
  readonly limit: number;
}
