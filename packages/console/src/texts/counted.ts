/** Numbers with their nouns in English. */

/** Returns a number with its noun. */
export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
