/** What the server refused of a form, for the fields that it is about. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** A member of a request that was refused. */
export interface RefusedMember {
  /** Its path, such as `issuers[0].client_id`. */
  readonly path: string;
  readonly expected: string;
}

/** The refused members of the form around a field. */
export const FieldProblems = createContext<readonly RefusedMember[]>([]);

/** Returns what was expected of a field, if its member was refused. A field has its name. */
export function useFieldProblem(name: string): string | undefined {
  const refused = useContext(FieldProblems);
  return refused.find(({ path }) => path.split('.').at(-1)?.split('[')[0] === name)?.expected;
}
