/** One erasure: how far it has got, what went, and its certificate. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Id } from '../../parts/name.js';
import { FailureNote, Loading } from '../../parts/notes.js';
import { BareTable } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import type { Work } from '../../session/session.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { CertificateCard } from './certificate-card.js';

const words = texts.machine.erasures;

const AGAIN_MS = 1_000;

/** An erasure as the server shows it. */
export type Erasure = Awaited<ReturnType<Agent['erasures']['get']>>;

type Load = (work: Work, signal: AbortSignal) => Promise<Erasure>;

/** Shows an erasure of the caller's tenant. */
export function ErasureDetail({ id }: { readonly id: string }): JSX.Element {
  return (
    <Followed
      {...{ section: 'erasures', back: words.back }}
      load={({ agent }, signal) => agent.erasures.get(id, { signal })}
    />
  );
}

/** Shows the erasure of a tenant. */
export function TenantErasure({ id }: { readonly id: string }): JSX.Element {
  return (
    <Followed
      {...{ section: 'tenants', back: texts.machine.tenants.back }}
      load={({ administrator }, signal) => administrator.tenants.erasure(id, { signal })}
    />
  );
}

/** Shows an erasure, again and again until it is finished. */
function Followed(props: {
  readonly section: string;
  readonly back: string;
  readonly load: Load;
}): JSX.Element {
  const { section, back, load } = props;
  const [times, setTimes] = useState(0);
  const { value, failure } = useLoaded((_agent, signal, work) => load(work, signal), [times]);
  useEffect(() => {
    if (value?.status !== 'running') return undefined;
    const timer = setTimeout(() => setTimes(times + 1), AGAIN_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [value]);
  return (
    <>
      <div class="crumbs">
        <Link to={pathOf(section)}>{back}</Link>
      </div>
      {failure === undefined ? undefined : <FailureNote failure={failure} />}
      {value === undefined && failure === undefined ? <Loading /> : undefined}
      {value === undefined ? undefined : <Facts erasure={value} />}
      {value === undefined || value.certificate === null ? undefined : (
        <CertificateCard certificate={value.certificate} />
      )}
    </>
  );
}

/** Shows whether an erasure is finished, and else how far it has got. */
export function ErasureState({ erasure }: { readonly erasure: Erasure }): JSX.Element {
  const { status, steps, steps_done: done } = erasure;
  if (status === 'finished') return <span class="tag good">{words.finished}</span>;
  return (
    <div class="stack-tight">
      <span>{words.progress(done, steps)}</span>
      <progress aria-label={words.running} max={Math.max(1, steps)} value={done} />
    </div>
  );
}

function Facts({ erasure }: { readonly erasure: Erasure }): JSX.Element {
  const { id, kind, pseudonym, counts, dependents, finished_at_millis: endMs } = erasure;
  const entries = counts.reduce((total, each) => total + each.entries, 0);
  return (
    <section class="card" aria-label={words.title}>
      <h2>{words.of[kind]}</h2>
      <div role="status">
        <ErasureState erasure={erasure} />
      </div>
      <dl class="facts">
        <dt>{words.asked}</dt>
        <dd>
          <Time millis={erasure.requested_at_millis} />
        </dd>
        <dt>{words.ended}</dt>
        <dd>{endMs === null ? words.notYet : <Time millis={endMs} />}</dd>
        <dt>{words.by}</dt>
        <dd>
          <Id of={erasure.requested_by} />
        </dd>
        {pseudonym === null ? undefined : (
          <>
            <dt>{words.pseudonym}</dt>
            <dd>
              <Id of={pseudonym} />
            </dd>
          </>
        )}
        <dt>{words.entries}</dt>
        <dd>{entries.toLocaleString(texts.locale)}</dd>
        <dt>{words.dependents}</dt>
        <dd>{dependents.toLocaleString(texts.locale)}</dd>
        <dt>{words.id}</dt>
        <dd>
          <Id of={id} />
        </dd>
      </dl>
      {counts.length === 0 ? undefined : <Counts counts={counts} />}
    </section>
  );
}

function Counts({ counts }: Pick<Erasure, 'counts'>): JSX.Element {
  return (
    <details>
      <summary>{words.counts}</summary>
      <BareTable columns={[words.family, { label: words.entries, isNumber: true }]}>
        {counts.map(({ family, entries }) => (
          <tr key={family}>
            <td>
              <code>{family}</code>
            </td>
            <td class="number">{entries.toLocaleString(texts.locale)}</td>
          </tr>
        ))}
      </BareTable>
    </details>
  );
}
