/** Numbers with their nouns in German. */

const rules = new Intl.PluralRules('de');

/** Returns a number with its noun. */
export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('de')} ${rules.select(count) === 'one' ? one : many}`;
}
