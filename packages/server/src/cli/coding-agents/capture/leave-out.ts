/** Leaves out of a text what must not be stored: private parts, secrets, and what was recalled. */

/** Encloses what a hook adds to a prompt, so that it is known again. */
export const RECALLED = 'agentkeep-recalled';

/** UTF-16 units of a text that are stored; the rest is left out. */
const TEXT_UNITS_MAX = 16_000;
/** UTF-16 units of a secret, as a rule. */
const SECRET_UNITS_MAX = 4_000;
const LEFT_OUT = '[secret left out]';

/**
 * Forms of tokens and keys that name themselves: by a prefix that their issuer chose, by the first
 * and last line of PEM, as the password of an address, or by the name that they are assigned to.
 */
const SECRETS: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [^-]*-----|$)/g,
  /\bakg?1_[0-9a-f]{32}_[\w-]{20,}/g,
  /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_\w{22,}/g,
  /\bgl(?:pat|ptt|dt|rt|cbt|ft|soat)-[\w.-]{20,}/g,
  /\bxox[abeoprs]-[\w-]{10,}/g,
  /\bxapp-\d-[\w-]{10,}/g,
  /\b(?:sk|rk|pk)[-_](?=[\w-]{0,80}\d)[\w-]{18,}/g,
  /\bwhsec_[\w+/=-]{16,}/g,
  /\bAIza[\w-]{30,}/g,
  /\bya29\.[\w-]{20,}/g,
  /\bGOCSPX-[\w-]{20,}/g,
  /\b(?:npm|hf|r8|fly|pul|dckr_pat|shpat|shpss|lin_api|ntn|secret|figd|glsa|vercel|sbp|nvapi|tvly|gsk|xai)[_-](?=[\w-]{0,80}\d)[\w-]{20,}/g,
  /\bpypi-[\w-]{40,}/g,
  /\bdop_v1_[0-9a-f]{40,}/g,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/g,
  /\bkey-[0-9a-f]{32}\b/g,
  /\bAccountKey=[\w+/=]{40,}/g,
  /\bhvs\.[\w-]{20,}/g,
  /\bage-secret-key-1[a-z0-9]{40,}/gi,
  /\bhttps:\/\/hooks\.slack\.com\/(?:services|workflows)\/\S+/g,
  /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?/g,
];

/** An address with a password: the address stays, the password goes. */
const PASSWORD_OF_ADDRESS = /(?<before>:\/\/[^\s/:@]{0,200}:)[^\s/@]{1,400}(?=@)/g;

/** A header or a member whose name says that its value is a secret; the name stays. */
const AUTHORIZATION = /(?<before>\b(?:Bearer|Basic)\s+)[\w.~+/=-]{16,}/gi;
const ASSIGNED =
  /(?<before>[\w.-]{0,40}(?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?token|access[_-]?token|refresh[_-]?token|client[_-]?secret|credentials?|token)["']?\s*(?:[:=]|:=|=>)\s*)(?:"[^"\n]{6,}"|'[^'\n]{6,}'|[^\s"',;)}\]]{8,})/gi;

/**
 * Returns what may be stored of a text, or an empty one: without `<private>` parts, without what a
 * hook put in, and with a mark where a secret was. A part that is not closed goes on to the end.
 */
export function storable(text: string): string {
  const own = withoutElement(withoutElement(text, 'private'), RECALLED);
  // A secret that the end of what is stored would cut in two is still seen whole.
  let kept = own.slice(0, TEXT_UNITS_MAX + SECRET_UNITS_MAX);
  for (const form of SECRETS) kept = kept.replaceAll(form, LEFT_OUT);
  for (const form of [PASSWORD_OF_ADDRESS, AUTHORIZATION, ASSIGNED]) {
    kept = kept.replaceAll(form, `$<before>${LEFT_OUT}`);
  }
  return cut(kept.toWellFormed().trim());
}

/** Parts may stand in parts: what is between the first opening and its own closing goes. */
function withoutElement(text: string, name: string): string {
  const tag = new RegExp(`<(?<closes>/?)\\s*${name}\\b[^<>]*>`, 'gi');
  let kept = '';
  let depth = 0;
  let from = 0;
  for (const { 0: all, index, groups } of text.matchAll(tag)) {
    if (depth === 0) kept += text.slice(from, index);
    if (groups?.['closes'] === '') depth += 1;
    else depth = Math.max(0, depth - 1);
    from = index + all.length;
  }
  return depth === 0 ? kept + text.slice(from) : kept;
}

function cut(text: string): string {
  if (text.length <= TEXT_UNITS_MAX) return text;
  return `${text.slice(0, TEXT_UNITS_MAX).toWellFormed()}\n[cut here]`;
}
