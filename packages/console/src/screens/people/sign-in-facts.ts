/** What the settings of signing in say, and how a form changes one issuer of them. */
import { AgentkeepError, type Agent } from '@agentkeep/client';
import type { SentForm, Setting, SettingRow } from '../../parts/setting-dialog.js';
import { timeText } from '../../parts/time.js';
import { texts } from '../../texts/en/english.js';

const words = texts.signInSettings;

/** The settings as the server shows them. */
export type SignInSettings = Awaited<ReturnType<Agent['signIn']['settings']>>;

/** An issuer of them. */
export type SignInIssuer = SignInSettings['issuers'][number];

type Stated = Parameters<Agent['signIn']['putSettings']>[0];
type StatedIssuer = Stated['issuers'][number];

/** How the person of the page signed in: by the issuer with a URL, or without one. */
export interface OwnProof {
  readonly issuer: string | null;
}

/** Returns what the settings say, with a row for each issuer. */
function settingRows(settings: SignInSettings): readonly SettingRow[] {
  const { allows_passwords: allows, issuers } = settings;
  return [
    [words.passwords, allows ? words.allowed : words.notAllowed],
    ...issuers.map(({ name, ...issuer }): SettingRow => [
      words.issuerName(name),
      JSON.stringify(issuer),
    ]),
  ];
}

/** Returns what the card shows of the settings. */
export function cardRows(settings: SignInSettings): readonly SettingRow[] {
  const { updated_at: at } = settings;
  return [
    [words.passwords, settings.allows_passwords ? words.allowed : words.notAllowed],
    [words.changed, at === null ? words.never : timeText(Date.parse(at))],
  ];
}

/** Returns an issuer as it is stated; without a secret the server keeps the one that it has. */
export function statedIssuer(issuer: SignInIssuer): StatedIssuer {
  const { name, issuer: url, client_id, scope, username_claim, rules, is_blocked } = issuer;
  return { name, issuer: url, client_id, scope, username_claim, rules, is_blocked };
}

/** Returns the issuer of a form, over the one that it changes. */
export function issuerOf(form: SentForm, before: SignInIssuer | undefined): StatedIssuer {
  const { name = '', issuer = '', client_id: clientId = '', scope, secret_mode: mode } = form;
  const claim = form['username_claim'];
  const secret = form['client_secret'] ?? null;
  return {
    name: before?.name ?? name,
    issuer,
    client_id: clientId,
    ...(scope === undefined ? {} : { scope }),
    username_claim: claim === undefined ? null : claim.split('>').map((each) => each.trim()),
    rules: rulesOf(form['rules']),
    is_blocked: before?.is_blocked ?? false,
    ...(mode === 'keep' ? {} : { client_secret: mode === 'none' ? null : secret }),
  };
}

function rulesOf(text: string | undefined): NonNullable<StatedIssuer['rules']> {
  if (text === undefined) return [];
  try {
    const rules: unknown = JSON.parse(text);
    if (Array.isArray(rules)) return rules as NonNullable<StatedIssuer['rules']>;
  } catch {
    // It is refused below.
  }
  const members = [{ path: 'rules', expected: words.badRules }];
  throw new AgentkeepError('invalid_request', { members, message: words.badRules });
}

/** Says who is locked out where passwords are turned off. */
export function passwordRisk(proof: OwnProof | undefined): string {
  return proof?.issuer === null ? `${words.offText} ${words.offSelf}` : words.offText;
}

/** Says who is locked out where people can't sign in with an issuer as before. */
export function issuerRisk({ name, issuer }: SignInIssuer, proof: OwnProof | undefined): string {
  const text = words.issuerText(name);
  return proof?.issuer === issuer ? `${text} ${words.issuerSelf(name)}` : text;
}

/** What the dialogs of the settings share. */
export interface SettingsProps {
  readonly settings: SignInSettings;
  /** The tenant that is not that of the caller. */
  readonly tenantId: string | undefined;
  /** How the caller signed in, if these settings are about that. */
  readonly proof: OwnProof | undefined;
  readonly onSaved: () => void;
  readonly onLeave: () => void;
}

/** Returns the option that names a tenant. */
export function inTenant(tenantId: string | undefined): { readonly tenantId?: string } {
  return tenantId === undefined ? {} : { tenantId };
}

/** Returns the settings as something that is read, compared, and replaced as a whole. */
export function settingOf(
  { settings, tenantId }: SettingsProps,
  stated: (present: SignInSettings, form: SentForm) => Stated,
): Setting<SignInSettings> {
  return {
    shown: settings,
    load: ({ agent }) => agent.signIn.settings(inTenant(tenantId)),
    rows: settingRows,
    put: ({ agent }, present, form) =>
      agent.signIn.putSettings(stated(present, form), present.revision, inTenant(tenantId)),
  };
}
