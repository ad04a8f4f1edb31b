/** Turns the source of an asynchronous client or of its tests into that of the synchronous one. */

const rules: readonly (readonly [RegExp, string])[] = [
  [/\basync (def|for|with)\b/g, '$1'],
  [/\bawait /g, ''],
  [/\bAwaitable\[(None|Dict\[str, Any\]|Sequence\[MemoryOperation\])\]/g, '$1'],
  [/\bAsyncIterator\b/g, 'Iterator'],
  [/\bAwaitable, /g, ''],
  [/\bAsyncByteStream\b/g, 'SyncByteStream'],
  [/\bAsync([A-Z]\w+)/g, '$1'],
  [/\b__aiter__\b/g, '__iter__'],
  [/\b__aenter__\b/g, '__enter__'],
  [/\b__aexit__\b/g, '__exit__'],
  [/\baclose\b/g, 'close'],
  [/\baiter_bytes\b/g, 'iter_bytes'],
  [/\b_async\b/g, '_sync'],
];

/** Returns the synchronous form of a source. */
export function syncSource(source: string): string {
  return rules.reduce((text, [pattern, by]) => text.replace(pattern, by), source);
}
