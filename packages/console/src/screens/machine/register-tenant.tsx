/** The dialog that registers a tenant, and shows the secret of its first administrator once. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.js';
import { TextField, textsOf } from '../../parts/field.js';
import { FormEnd } from '../../parts/form-end.js';
import { SecretDialog } from '../../parts/shown-secret.js';
import { useWork } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';

const words = texts.machine.tenants;

/** Asks for the names, registers the tenant, and shows the secret. */
export function RegisterTenant(props: {
  readonly onRegistered: () => void;
  readonly onLeave: () => void;
}): JSX.Element {
  const { onRegistered, onLeave } = props;
  const [secret, setSecret] = useState<string>();
  const act = useWork(async ({ administrator }, form: Record<string, string>) => {
    const { tenant = '', subject = '', display } = form;
    const made = await administrator.tenants.register({
      ...{ tenantId: tenant, subjectId: subject },
      ...(display === undefined ? {} : { displayName: display }),
    });
    setSecret(made.secret);
    onRegistered();
  });
  if (secret !== undefined) {
    return <SecretDialog key="secret" secret={secret} onLeave={onLeave} />;
  }
  return (
    <Dialog key="form" title={words.register} onLeave={onLeave}>
      <form class="stack" onSubmit={(event) => act.run(textsOf(event))}>
        <p class="soft">{words.registerText}</p>
        <TextField label={words.tenant} name="tenant" hint={words.tenantHint} required />
        <TextField label={words.name} name="display" />
        <TextField label={words.subject} name="subject" hint={words.subjectHint} required />
        <FormEnd verb={words.go} act={act} onLeave={onLeave} />
      </form>
    </Dialog>
  );
}
