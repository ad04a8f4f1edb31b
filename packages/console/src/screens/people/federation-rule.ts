/** Federation rules: from the fields of a form, and as people read them. */
import type { Agent, Capability, Credential } from '@agentkeep/client';
import { texts } from '../../texts/en/english.js';
import { selectorOf } from './selector.js';

const words = texts.rule;

/** A rule as callers state it. */
export type NewRule = Parameters<Agent['credentials']['issueFederated']>[1];

type ShownRule = NonNullable<Credential['federation']>;

/** Returns the rule of a form, or what is wrong with it. */
export function ruleOf(
  form: Readonly<Record<string, string>>,
  fields: FormData,
  rights: readonly Capability[],
): { readonly rule: NewRule } | { readonly problem: string } {
  const { issuer, subject_claim: subjectClaim, token_seconds: seconds } = form;
  const sub = selectorOf(form, 'sub');
  if (issuer === undefined || sub === undefined) return { problem: words.noIssuer };
  const claims = claimsOf(fields);
  if (sub.mode === 'all' && claims.length === 0) return { problem: words.tooWide };
  if (subjectClaim !== undefined && !rights.includes('act_for')) {
    return { problem: words.noActFor };
  }
  const rule: NewRule = {
    issuer,
    sub,
    claims,
    subject_claim: subjectClaim === undefined ? null : pathOf(subjectClaim),
    ...(seconds === undefined ? {} : { token_seconds: Number(seconds) }),
  };
  return { rule };
}

/** Returns the path of a claim as it is written in forms. */
export function pathText(path: readonly string[]): string {
  return path.join(' > ');
}

/** Returns a claim that a rule compares in words. */
export function claimText({ path, value }: ShownRule['claims'][number]): string {
  return `${pathText(path)}: ${String(value)}`;
}

function pathOf(text: string): string[] {
  return text.split('>').map((name) => name.trim());
}

function claimsOf(fields: FormData): NonNullable<NewRule['claims']> {
  const [kinds, values] = [fields.getAll('claim_kind'), fields.getAll('claim_value')];
  return fields.getAll('claim_path').map((path, at) => ({
    path: pathOf(textOf(path)),
    value: kinds[at] === 'text' ? textOf(values[at]) : kinds[at] === 'true',
  }));
}

function textOf(value: FormDataEntryValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
