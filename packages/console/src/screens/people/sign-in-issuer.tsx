/** The dialog that adds an issuer to sign in with, or changes one. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useFieldProblem } from '../../parts/field-problems.js';
import { ChoiceField, Field, TextField } from '../../parts/field.js';
import { SettingDialog } from '../../parts/setting-dialog.js';
import { texts } from '../../texts/en/english.js';
import {
  issuerOf,
  issuerRisk,
  settingOf,
  type SettingsProps,
  type SignInIssuer,
  statedIssuer,
} from './sign-in-facts.js';

const words = texts.signInSettings;
const NEW = { scope: 'openid profile email', claim: 'preferred_username' };

/** Asks for the issuer. It takes the place of the one with its name; the others stay. */
export function IssuerDialog(
  props: SettingsProps & { readonly issuer?: SignInIssuer },
): JSX.Element {
  const { issuer: before, proof, onSaved, onLeave } = props;
  const setting = settingOf(props, ({ allows_passwords, issuers }, form) => {
    const stated = issuerOf(form, before);
    const others = issuers.map((each) =>
      each.name === before?.name ? stated : statedIssuer(each),
    );
    const isThere = issuers.some(({ name }) => name === before?.name);
    return { allows_passwords, issuers: isThere ? others : [...others, stated] };
  });
  const risk = (_present: unknown, form: Readonly<Record<string, string>>): string | undefined => {
    if (before === undefined) return undefined;
    const isSame =
      form['issuer'] === before.issuer &&
      form['client_id'] === before.client_id &&
      form['secret_mode'] === 'keep';
    return isSame ? undefined : issuerRisk(before, proof);
  };
  const title = before === undefined ? words.add : words.changeName(before.name);
  return (
    <SettingDialog title={title} setting={{ ...setting, risk }} {...{ onSaved, onLeave }}>
      {before === undefined ? (
        <TextField label={words.name} name="name" hint={words.nameHint} required />
      ) : undefined}
      <TextField
        label={words.url}
        name="issuer"
        type="url"
        value={before?.issuer ?? ''}
        hint={words.urlHint}
        required
      />
      <TextField label={words.clientId} name="client_id" value={before?.client_id ?? ''} required />
      <SecretFields before={before} />
      <TextField
        label={words.scope}
        name="scope"
        value={before?.scope ?? NEW.scope}
        hint={words.scopeHint(NEW.scope)}
      />
      <TextField
        label={words.claim}
        name="username_claim"
        value={before === undefined ? NEW.claim : (before.username_claim ?? []).join(' > ')}
        hint={words.claimHint(NEW.claim)}
      />
      <RulesField rules={before?.rules ?? []} />
    </SettingDialog>
  );
}

function SecretFields({ before }: { readonly before: SignInIssuer | undefined }): JSX.Element {
  const [mode, setMode] = useState(before === undefined ? 'replace' : 'keep');
  const { keep, ...rest } = words.secretModes;
  return (
    <>
      <ChoiceField
        label={words.secret}
        name="secret_mode"
        value={mode}
        choices={before === undefined ? rest : { keep, ...rest }}
        onChange={setMode}
      />
      {mode === 'replace' ? (
        <TextField
          label={words.newSecret}
          name="client_secret"
          type="password"
          autocomplete="new-password"
          required
        />
      ) : undefined}
    </>
  );
}

function RulesField({ rules }: { readonly rules: SignInIssuer['rules'] }): JSX.Element {
  const text = rules.length === 0 ? '' : JSON.stringify(rules, undefined, 2);
  return (
    <Field
      label={words.rules}
      hint={words.rulesHint}
      problem={useFieldProblem('rules')}
      field={(id, described) => (
        <textarea
          {...{ id, ...described }}
          class="code"
          name="rules"
          rows={6}
          defaultValue={text}
        />
      )}
    />
  );
}
