/** The storage quota of a tenant, and what it uses. */
import type { Administrator } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { sizeText } from '../../parts/amounts.js';
import { TextField, textsOf } from '../../parts/field.js';
import { FailureNote, Loading } from '../../parts/notes.js';
import { useLoaded, useWork } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';

const words = texts.machine.quota;

type TenantQuota = Awaited<ReturnType<Administrator['tenants']['quota']>>;

/** Shows the quota, and lets the caller set it. */
export function Quota(props: { readonly id: string; readonly maySet: boolean }): JSX.Element {
  const { id, maySet } = props;
  const [changed, setChanged] = useState(0);
  const { value, failure } = useLoaded(
    (_agent, signal, { administrator }) => administrator.tenants.quota(id, { signal }),
    [id, changed],
  );
  return (
    <section class="card" aria-label={words.title}>
      <div>
        <h2>{words.title}</h2>
        <p class="soft">{words.text}</p>
      </div>
      {failure === undefined ? undefined : <FailureNote failure={failure} />}
      {value === undefined && failure === undefined ? <Loading /> : undefined}
      {value === undefined ? undefined : <Use quota={value} />}
      {value === undefined || !maySet ? undefined : (
        <SetQuota
          key={JSON.stringify(value.quota)}
          id={id}
          quota={value}
          onSet={() => setChanged(changed + 1)}
        />
      )}
    </section>
  );
}

function Use({ quota: { quota, use } }: { readonly quota: TenantQuota }): JSX.Element {
  if (use === null) return <p>{words.unbounded}</p>;
  const count = (value: number): string => value.toLocaleString(texts.locale);
  const rows = [
    [words.entries, use.entries, quota.max_entries, count],
    [words.bytes, use.bytes, quota.max_bytes, sizeText],
  ] as const;
  return (
    <>
      <dl class="facts">
        {rows.map(([label, used, most, show]) => (
          <>
            <dt>{label}</dt>
            <dd>
              {most === null ? words.noBound(show(used)) : words.usedOf(show(used), show(most))}
              {most === null ? undefined : (
                <>
                  {' '}
                  <progress aria-label={label} max={Math.max(1, most)} value={used} />
                </>
              )}
            </dd>
          </>
        ))}
      </dl>
      {use.is_complete ? undefined : <p class="note warned">{words.counting}</p>}
    </>
  );
}

function SetQuota(props: {
  readonly id: string;
  readonly quota: TenantQuota;
  readonly onSet: () => void;
}): JSX.Element {
  const { id, onSet } = props;
  const { max_entries: maxEntries, max_bytes: maxBytes } = props.quota.quota;
  const act = useWork(async ({ administrator }, form: Record<string, string>) => {
    const { entries, bytes } = form;
    await administrator.tenants.setQuota(id, {
      maxEntries: entries === undefined ? null : Number(entries),
      maxBytes: bytes === undefined ? null : Number(bytes),
    });
    onSet();
  });
  return (
    <form class="stack" onSubmit={(event) => act.run(textsOf(event))}>
      <div class="fields">
        <TextField
          label={words.maxEntries}
          name="entries"
          type="number"
          value={maxEntries === null ? '' : String(maxEntries)}
        />
        <TextField
          label={words.maxBytes}
          name="bytes"
          type="number"
          value={maxBytes === null ? '' : String(maxBytes)}
        />
        <button type="submit" disabled={act.isRunning}>
          {words.set}
        </button>
      </div>
      <p class="soft small">{words.hint}</p>
      <FailureNote failure={act.failure} />
    </form>
  );
}
