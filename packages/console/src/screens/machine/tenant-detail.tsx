/** One tenant: its quota, its administrators, and its end. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.js';
import { TextField, textsOf } from '../../parts/field.js';
import { FormEnd } from '../../parts/form-end.js';
import { Name } from '../../parts/name.js';
import { FailureNote, Loading } from '../../parts/notes.js';
import { SecretDialog } from '../../parts/shown-secret.js';
import { Time } from '../../parts/time.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { go } from '../../routing/router.js';
import { administersInstallation, type Caller, may } from '../../session/caller.js';
import { useLoaded, useWork } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { SignInSettingsCard } from '../people/sign-in-settings.js';
import { Quota } from './quota.js';
import { TypedConfirm } from './typed-confirm.js';

const words = texts.machine.tenants;

interface TenantProps {
  readonly id: string;
  readonly onLeave: () => void;
}

/** Shows a tenant. */
export function TenantDetail(props: { readonly caller: Caller; readonly id: string }): JSX.Element {
  const { caller, id } = props;
  const { value, failure } = useLoaded(
    async (_agent, signal, { administrator }) => ({
      registration: await administrator.tenants.inspect(id, { signal }),
    }),
    [id],
  );
  return (
    <>
      <div class="crumbs">
        <Link to={pathOf('tenants')}>{words.back}</Link>
      </div>
      <h2>{id}</h2>
      {failure === undefined ? undefined : <FailureNote failure={failure} />}
      {value === undefined && failure === undefined ? <Loading /> : undefined}
      {value === undefined ? undefined : (
        <>
          <section class="card" aria-label={words.tenant}>
            <dl class="facts">
              <dt>{words.name}</dt>
              <dd>
                <Name of={value.registration?.display_name ?? texts.none} />
              </dd>
              <dt>{words.registered}</dt>
              <dd>
                {value.registration === null ? (
                  words.byOperator
                ) : (
                  <Time millis={value.registration.created_at_millis} />
                )}
              </dd>
            </dl>
            <Changes caller={caller} id={id} />
          </section>
          <Quota id={id} maySet={may(caller, 'tenant_admin')} />
          {administersInstallation(caller) ? (
            <SignInSettingsCard caller={caller} tenantId={id} />
          ) : undefined}
        </>
      )}
    </>
  );
}

function Changes({ caller, id }: { readonly caller: Caller; readonly id: string }): JSX.Element {
  const [open, setOpen] = useState<'appoint' | 'erase'>();
  const leave = (): void => setOpen(undefined);
  return (
    <div class="row">
      {may(caller, 'tenant_admin') ? (
        <button type="button" onClick={() => setOpen('appoint')}>
          {words.appoint}
        </button>
      ) : undefined}
      {caller.installation?.is_master === true ? (
        <button type="button" class="danger" onClick={() => setOpen('erase')}>
          {words.erase}
        </button>
      ) : undefined}
      {open === 'appoint' ? <AppointAdmin id={id} onLeave={leave} /> : undefined}
      {open === 'erase' ? <EraseTenant id={id} onLeave={leave} /> : undefined}
    </div>
  );
}

function AppointAdmin({ id, onLeave }: TenantProps): JSX.Element {
  const [secret, setSecret] = useState<string>();
  const act = useWork(async ({ administrator }, subject: string) => {
    setSecret((await administrator.tenants.appointAdmin(id, subject)).secret);
  });
  if (secret !== undefined) {
    return <SecretDialog key="secret" secret={secret} onLeave={onLeave} />;
  }
  return (
    <Dialog key="form" title={words.appointTitle(id)} onLeave={onLeave}>
      <form class="stack" onSubmit={(event) => act.run(textsOf(event)['subject'] ?? '')}>
        <p class="soft">{words.appointText}</p>
        <TextField label={words.subject} name="subject" hint={words.subjectHint} required />
        <FormEnd verb={words.appointGo} act={act} onLeave={onLeave} />
      </form>
    </Dialog>
  );
}

function EraseTenant({ id, onLeave }: TenantProps): JSX.Element {
  const act = useWork(async ({ administrator }) => {
    const erasure = await administrator.tenants.erase(id);
    go(pathOf('tenants', { erasure: erasure.id }));
  });
  return (
    <TypedConfirm {...{ title: words.eraseTitle(id), name: id, verb: words.eraseGo, act, onLeave }}>
      <p>{words.eraseText}</p>
    </TypedConfirm>
  );
}
