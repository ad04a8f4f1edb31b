/** Numbers with their nouns in English. */

const rules = new Intl.PluralRules('en');

/** Returns a number with its noun. */
export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en')} ${rules.select(count) === 'one' ? one : many}`;
}
