/** How people sign in to a tenant or the installation: by passwords, and by which issuers. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { FailureNote, Loading } from '../../parts/notes.js';
import { SettingCard } from '../../parts/setting-card.js';
import { SettingDialog } from '../../parts/setting-dialog.js';
import { Table } from '../../parts/table.js';
import { VerbButtons } from '../../parts/verb-buttons.js';
import type { Caller } from '../../session/caller.js';
import type { Work } from '../../session/session.js';
import { useSetting } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { IssuerDialog } from './sign-in-issuer.js';
import {
  cardRows,
  inTenant,
  issuerRisk,
  type OwnProof,
  passwordRisk,
  settingOf,
  type SettingsProps,
  type SignInIssuer,
  statedIssuer,
} from './sign-in-facts.js';

const words = texts.signInSettings;

/** Shows the settings, and lets an administrator change them. */
export function SignInSettingsCard(props: {
  readonly caller: Caller;
  readonly tenantId?: string;
}): JSX.Element {
  const { caller, tenantId } = props;
  const [open, setOpen] = useState<'passwords' | 'add'>();
  const { value, failure, isSaved, onSaved } = useSetting(
    async (_agent, signal, work) => ({
      settings: await work.agent.signIn.settings({ ...inTenant(tenantId), signal }),
      proof: tenantId === undefined ? await ownProof(caller, work) : undefined,
    }),
    [tenantId],
  );
  if (value === undefined) {
    return failure === undefined ? <Loading /> : <FailureNote failure={failure} />;
  }
  const { settings } = value;
  const change = {
    ...{ ...value, tenantId },
    onSaved,
    onLeave: () => setOpen(undefined),
  };
  return (
    <SettingCard
      title={words.title}
      about={words.about}
      rows={cardRows(settings)}
      isSaved={isSaved}
    >
      {settings.issuers.length === 0 ? (
        <p class="soft">{words.noIssuers}</p>
      ) : (
        <IssuerTable {...change} />
      )}
      <div class="row">
        <button type="button" onClick={() => setOpen('passwords')}>
          {settings.allows_passwords ? words.off : words.on}
        </button>
        <button type="button" onClick={() => setOpen('add')}>
          {words.add}
        </button>
      </div>
      {open === 'passwords' ? <SwitchPasswords {...change} /> : undefined}
      {open === 'add' ? <IssuerDialog {...change} /> : undefined}
    </SettingCard>
  );
}

async function ownProof({ accountId }: Caller, { agent }: Work): Promise<OwnProof | undefined> {
  if (accountId === undefined) return undefined;
  const sessions = await agent.users.sessions(accountId);
  return sessions.find(({ is_current: isCurrent }) => isCurrent);
}

function SwitchPasswords(props: SettingsProps): JSX.Element {
  const { settings, proof, onSaved, onLeave } = props;
  const { allows_passwords: allows } = settings;
  const setting = settingOf(props, ({ issuers }) => ({
    allows_passwords: !allows,
    issuers: issuers.map(statedIssuer),
  }));
  const asked = allows
    ? ({ title: words.offTitle, verb: words.offGo, look: 'danger' } as const)
    : { title: words.onTitle, verb: words.on };
  return (
    <SettingDialog {...asked} {...{ setting, onSaved, onLeave }}>
      <p>{allows ? passwordRisk(proof) : words.onText}</p>
    </SettingDialog>
  );
}

function IssuerTable(props: SettingsProps): JSX.Element {
  return (
    <Table
      label={words.issuers}
      columns={[
        words.issuer,
        { label: words.clientId, wideOnly: true },
        words.state,
        words.actions,
      ]}
    >
      {props.settings.issuers.map((issuer) => (
        <IssuerRow key={issuer.name} {...props} issuer={issuer} />
      ))}
    </Table>
  );
}

function IssuerRow(props: SettingsProps & { readonly issuer: SignInIssuer }): JSX.Element {
  const { issuer, ...rest } = props;
  const { name, is_blocked: isBlocked } = issuer;
  const [open, setOpen] = useState<'change' | 'block' | 'remove'>();
  const change = { ...rest, issuer, onLeave: () => setOpen(undefined) };
  const verbs = [
    ['change', texts.limits.change, words.changeName(name)],
    isBlocked
      ? (['block', words.allow, words.allowName(name)] as const)
      : (['block', words.block, words.blockName(name)] as const),
    ['remove', words.remove, words.removeName(name)],
  ] as const;
  return (
    <tr>
      <td>
        {name}
        <div class="soft small long-url">{issuer.issuer}</div>
      </td>
      <td class="wide-only">{issuer.client_id}</td>
      <td>
        <span class={isBlocked ? 'tag bad' : 'tag good'}>
          {isBlocked ? words.blocked : words.allowed}
        </span>
      </td>
      <td>
        <VerbButtons verbs={verbs} onOpen={setOpen} />
        {open === 'change' ? <IssuerDialog {...change} /> : undefined}
        {open === 'block' || open === 'remove' ? <EndIssuer {...change} verb={open} /> : undefined}
      </td>
    </tr>
  );
}

/** Asks, then blocks, allows or removes an issuer. */
function EndIssuer(
  props: SettingsProps & { readonly issuer: SignInIssuer; readonly verb: 'block' | 'remove' },
): JSX.Element {
  const { issuer, verb, proof, onSaved, onLeave } = props;
  const { name, is_blocked: isBlocked } = issuer;
  const setting = settingOf(props, ({ allows_passwords, issuers }) => ({
    allows_passwords,
    issuers: issuers.flatMap((each) => {
      if (each.name !== name) return [statedIssuer(each)];
      return verb === 'remove' ? [] : [{ ...statedIssuer(each), is_blocked: !isBlocked }];
    }),
  }));
  const isAllowed = verb === 'block' && isBlocked;
  const [label, text] =
    verb === 'remove'
      ? [words.removeName(name), words.remove]
      : isBlocked
        ? [words.allowName(name), words.allow]
        : [words.blockName(name), words.block];
  const asked = { title: label, verb: text, look: isAllowed ? 'main' : 'danger' } as const;
  return (
    <SettingDialog {...asked} {...{ setting, onSaved, onLeave }}>
      <p>{isAllowed ? words.allowText(name) : issuerRisk(issuer, proof)}</p>
    </SettingDialog>
  );
}
