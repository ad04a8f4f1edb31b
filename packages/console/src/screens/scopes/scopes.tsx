/** The first screen of those who read memory: the overview, and all scopes with their counts. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ExportDialog } from '../../exports/export-dialog.js';
import { mayExportAll } from '../../exports/exported-part.js';
import { ImportDialog } from '../../exports/import-dialog.js';
import { useChangeCount } from '../../live/use-changes.js';
import { FailureNote, Loading } from '../../parts/notes.js';
import { Screen } from '../../parts/screen.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { useKeptNumber } from '../../routing/use-kept.js';
import { listScopes } from '../../scopes/listed-scopes.js';
import { type Caller, may } from '../../session/caller.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { Overview } from '../overview/overview.js';
import { ListedScopes } from './listed-scopes.js';
import { OpenScope } from './open-scope.js';

const words = texts.scopes;
const STEP = 1_000;

/** Shows the scopes that the caller may see. */
export function ScopesScreen({ caller }: { readonly caller: Caller }): JSX.Element {
  const [open, setOpen] = useState<'export' | 'import'>();
  const [imports, setImports] = useState(0);
  const leave = (): void => setOpen(undefined);
  return (
    <Screen
      title={words.title}
      about={words.about}
      actions={
        <>
          {may(caller, 'memory_read') ? (
            <>
              <Link to={pathOf('find')} class="button">
                {texts.find.open}
              </Link>
              <Link to={pathOf('coding')} class="button">
                {texts.codingAgents.open}
              </Link>
            </>
          ) : undefined}
          {mayExportAll(caller) ? <Transfers onOpen={setOpen} /> : undefined}
        </>
      }
    >
      <AllScopes caller={caller} imports={imports} />
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

/** Shows the overview and the list. `imports` changes when both have to be loaded again. */
function AllScopes(props: { readonly caller: Caller; readonly imports: number }): JSX.Element {
  const { caller, imports } = props;
  const [most, setMost] = useKeptNumber('listed scopes', STEP);
  const changes = useChangeCount(undefined);
  const { value: listed, failure } = useLoaded(
    (agent, signal) => listScopes(agent, most, signal),
    [most, changes, imports],
  );
  if (failure !== undefined) return <FailureNote failure={failure} />;
  if (listed === undefined) return <Loading />;
  return (
    <>
      <Overview caller={caller} listed={listed} />
      <ListedScopes {...{ caller, listed }} onMore={() => setMost(most + STEP)} />
    </>
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
