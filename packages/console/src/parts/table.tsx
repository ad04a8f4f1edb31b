/** A table: the heads of its columns, and its rows. */
import type { ComponentChildren, JSX } from 'preact';

/** The label of a column. A cell of it has the same classes: `number`, `wide-only`, or both. */
type Column =
  | string
  | {
      readonly label: string;
      readonly isNumber?: boolean;
      /** Left out where there is little room. */
      readonly wideOnly?: boolean;
      /** Where the rows can be sorted by it: how they are now, and what the head does. */
      readonly sort?: ColumnSort;
    };

/** How the rows are sorted by a column. */
export interface ColumnSort {
  readonly now: 'ascending' | 'descending' | 'none';
  readonly onSort: () => void;
}

interface TableProps {
  readonly columns: readonly Column[];
  /** What the table is about, where no heading says it. */
  readonly label?: string;
  /** The rows: `tr`, each with a cell for each column. */
  readonly children: ComponentChildren;
}

/** Shows a table in a frame, which scrolls sideways where the table is too wide. */
export function Table(props: TableProps): JSX.Element {
  return (
    <div class="table-frame">
      <BareTable {...props} />
    </div>
  );
}

/** {@link Table}, for where something else is its frame. */
export function BareTable({ columns, label, children }: TableProps): JSX.Element {
  return (
    <table aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <Head key={labelOf(column)} column={column} />
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

function Head({ column }: { readonly column: Column }): JSX.Element {
  const { isNumber = false, wideOnly = false, sort } = typeof column === 'string' ? {} : column;
  const classes = [...(isNumber ? ['number'] : []), ...(wideOnly ? ['wide-only'] : [])];
  return (
    <th
      scope="col"
      class={classes.length === 0 ? undefined : classes.join(' ')}
      aria-sort={sort?.now}
    >
      {sort === undefined ? (
        labelOf(column)
      ) : (
        <button type="button" class="plain sort" onClick={sort.onSort}>
          {labelOf(column)} <span aria-hidden="true">{arrows[sort.now]}</span>
        </button>
      )}
    </th>
  );
}

const arrows = { ascending: '↑', descending: '↓', none: '↕' } as const;

function labelOf(column: Column): string {
  return typeof column === 'string' ? column : column.label;
}
