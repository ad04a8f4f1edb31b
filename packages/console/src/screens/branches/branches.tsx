/** The screen of branches: what was tried, and how it differs from memory. */
import type { JSX } from 'preact';
import { Name } from '../../parts/name.js';
import { Empty, FailureNote, Loading } from '../../parts/notes.js';
import { Screen } from '../../parts/screen.js';
import { Table } from '../../parts/table.js';
import { Tags } from '../../parts/tags.js';
import { Time } from '../../parts/time.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { address } from '../../routing/router.js';
import { scopeText } from '../../scopes/scope-query.js';
import type { Caller } from '../../session/caller.js';
import { useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import { BranchDetail } from './branch-detail.js';

const words = texts.branchesScreen;

/** Shows all branches, or the one of the address. */
export function BranchesScreen({ caller }: { readonly caller: Caller }): JSX.Element {
  const id = address.value.query.get('id');
  return id === null ? <BranchList /> : <BranchDetail caller={caller} id={id} />;
}

function BranchList(): JSX.Element {
  const { value, failure } = useLoaded(
    async (agent, signal) => (await agent.branches.listPage({ limit: 100, signal })).items,
    [],
  );
  return (
    <Screen title={words.title} about={words.about}>
      {failure === undefined ? undefined : <FailureNote failure={failure} />}
      {value === undefined && failure === undefined ? <Loading /> : undefined}
      {value?.length === 0 ? <Empty title={words.empty} text={words.emptyText} /> : undefined}
      {value === undefined || value.length === 0 ? undefined : (
        <Table
          columns={[words.name, words.author, { label: words.scopes, wideOnly: true }, words.ends]}
        >
          {value.map((branch) => (
            <tr key={branch.id}>
              <td>
                <Link to={pathOf('branches', { id: branch.id })}>
                  <Name of={branch.name} />
                </Link>
                {branch.purpose === null ? undefined : (
                  <div class="soft small">{branch.purpose}</div>
                )}
              </td>
              <td>
                <Name of={branch.author.subject_id} />
              </td>
              <td class="wide-only">
                <Tags words={branch.scopes.map(scopeText)} />
              </td>
              <td>
                <Time millis={branch.ends_at_millis} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Screen>
  );
}
