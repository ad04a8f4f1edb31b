/** The screen of all scopes, with their counts. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ExportDialog } from '../../exports/export-dialog.js';
import { mayExportAll } from '../../exports/exported-part.js';
import { ImportDialog } from '../../exports/import-dialog.js';
import { Empty, FailureNote, Loading } from '../../parts/notes.js';
import { Screen } from '../../parts/screen.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { ScopeLink, Visibility } from '../../scopes/scope-name.js';
import { scopeText } from '../../scopes/scope-query.js';
import { mayOpen } from '../../scopes/scope-rights.js';
import type { Caller } from '../../session/caller.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en.js';
import { OpenScope } from './open-scope.js';
import { useChangeCount } from '../../live/use-changes.js';

const words = texts.scopes;
const STEP = 200;

type CountedScope = Awaited<ReturnType<typeof scopesOf>>['scopes'][number];

/** Shows the scopes that the caller may see. */
export function ScopesScreen({ caller }: { readonly caller: Caller }): JSX.Element {
  const [open, setOpen] = useState<'export' | 'import'>();
  const [imports, setImports] = useState(0);
  const leave = (): void => setOpen(undefined);
  return (
    <Screen
      title={words.title}
      about={words.about}
      actions={mayExportAll(caller) ? <Transfers onOpen={setOpen} /> : undefined}
    >
      <ListedScopes caller={caller} imports={imports} />
      {open === 'export' ? (
        <ExportDialog caller={caller} shown={undefined} onLeave={leave} />
      ) : undefined}
      {open === 'import' ? (
        <ImportDialog onStored={() => setImports((count) => count + 1)} onLeave={leave} />
      ) : undefined}
      {caller.credential?.spec.scope_policy === undefined ? undefined : (
        <OpenScope screen="scope" />
      )}
    </Screen>
  );
}

function Transfers(props: { readonly onOpen: (dialog: 'export' | 'import') => void }): JSX.Element {
  return (
    <>
      <button type="button" onClick={() => props.onOpen('export')}>
        {texts.exports.open}
      </button>
      <button type="button" onClick={() => props.onOpen('import')}>
        {texts.imports.open}
      </button>
    </>
  );
}

async function scopesOf(agent: Agent, most: number, signal: AbortSignal) {
  const scopes = [];
  for await (const scope of agent.access.scopes({ limit: 100, signal })) {
    if (scopes.length === most) return { scopes, hasMore: true };
    scopes.push(scope);
  }
  return { scopes, hasMore: false };
}

function ListedScopes(props: { readonly caller: Caller; readonly imports: number }): JSX.Element {
  const { caller, imports } = props;
  const [most, setMost] = useState(STEP);
  const changes = useChangeCount(undefined);
  const { value, failure } = useLoaded(
    (agent, signal) => scopesOf(agent, most, signal),
    [most, changes, imports],
  );
  if (failure !== undefined) return <FailureNote failure={failure} />;
  if (value === undefined) return <Loading />;
  if (value.scopes.length === 0) return <Empty title={words.empty} text={words.emptyText} />;
  return (
    <>
      <ScopeTable caller={caller} scopes={value.scopes} />
      {value.hasMore ? (
        <div class="row">
          <button type="button" onClick={() => setMost(most + STEP)}>
            {texts.more}
          </button>
        </div>
      ) : undefined}
    </>
  );
}

function ScopeTable(props: {
  readonly caller: Caller;
  readonly scopes: readonly CountedScope[];
}): JSX.Element {
  const { caller, scopes } = props;
  return (
    <Table
      columns={[
        words.scope,
        words.visibility,
        { label: words.records, isNumber: true },
        { label: words.deleted, isNumber: true, wideOnly: true },
        { label: words.lastChange, wideOnly: true },
      ]}
    >
      {scopes.toSorted(byChange).map((each) => (
        <ScopeRow key={JSON.stringify([each.scope, each.subject_id])} caller={caller} each={each} />
      ))}
    </Table>
  );
}

function byChange(one: CountedScope, other: CountedScope): number {
  return (other.last_change_at_millis ?? 0) - (one.last_change_at_millis ?? 0);
}

function ScopeRow(props: { readonly caller: Caller; readonly each: CountedScope }): JSX.Element {
  const { caller, each } = props;
  const shown = { scope: each.scope, subjectId: each.subject_id ?? undefined };
  const { last_change_at_millis: changed } = each;
  return (
    <tr>
      <td>{mayOpen(caller, shown) ? <ScopeLink {...shown} /> : scopeText(shown.scope)}</td>
      <td>
        <Visibility {...shown} />
      </td>
      <td class="number">{each.records.toLocaleString(texts.locale)}</td>
      <td class="number wide-only">{each.deleted_records.toLocaleString(texts.locale)}</td>
      <td class="wide-only">{changed === null ? texts.none : <Time millis={changed} />}</td>
    </tr>
  );
}
