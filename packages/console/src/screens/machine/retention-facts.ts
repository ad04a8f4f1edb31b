/** What the retention of memory says, in the words that people read. */
import type { Agent } from '@agentkeep/client';
import { daysText } from '../../parts/amounts.js';
import type { SentForm, SettingRow } from '../../parts/setting-dialog.js';
import { spanText } from '../../parts/time.js';
import { texts } from '../../texts/en/english.js';

const words = texts.retention;

/** A setting of retention, and what holds with it. */
export type Retention = Awaited<ReturnType<Agent['retention']['get']>>;

type Member = keyof Retention['retention'];

/** The members (docs/contract/history.md#his-31): bounds, and what holds without a setting. */
export const members = {
  revisions_max: { min: 0, max: 10_000, byDefault: 100 },
  revision_days: { min: 0, max: 36_500, byDefault: 30 },
  deleted_days: { min: 0, max: 36_500, byDefault: 0 },
  lifetime_seconds: { min: 1, max: 3_153_600_000, byDefault: null },
  expired_days: { min: 0, max: 36_500, byDefault: null },
  read_days: { min: 0, max: 90, byDefault: 0 },
} as const;

/** The names of the members, in their order. */
export const memberNames = Object.keys(members) as Member[];

/** Returns a value of a member in words. */
export function valueText(name: Member, value: number | null): string {
  if (value === null) return name === 'lifetime_seconds' ? words.noEnd : words.never;
  if (name === 'revisions_max') return value.toLocaleString(texts.locale);
  return name === 'lifetime_seconds' ? spanText(value * 1_000) : daysText(value);
}

/** Returns what holds of each member, and whether it is set here. */
export function retentionRows(shown: Retention): readonly SettingRow[] {
  const { scope, retention, effective, effective_review: review } = shown;
  const elsewhere = scope === null ? words.byDefault : words.byTenant;
  const rows = memberNames.map((name): SettingRow => {
    const text = valueText(name, effective[name]);
    return [words.members[name], retention[name] === null ? elsewhere(text) : text];
  });
  return [...rows, [words.review, words.reviews[review]]];
}

/** Returns the retention of a form, in which an empty field sets nothing. */
export function retentionOf(form: SentForm): Retention['retention'] {
  const pairs = memberNames.map((name) => [name, numberOf(form[name])]);
  return Object.fromEntries(pairs) as Retention['retention'];
}

/** Says what a form would have removed at once, or returns `undefined`. */
export function retentionRisk({ scope, effective }: Retention, form: SentForm): string | undefined {
  const lowered = memberNames.filter((name) => {
    if (name === 'lifetime_seconds') return false;
    const unset = scope === null ? members[name].byDefault : null;
    const next = numberOf(form[name]) ?? unset ?? Infinity;
    return next < (effective[name] ?? Infinity);
  });
  if (lowered.length === 0) return undefined;
  return words.risk(lowered.map((name) => words.members[name]).join(', '));
}

function numberOf(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
}
