/** A test that a table names. */

/** A test, by its file from the root of the workspace and a part of its title. */
export interface NamedTest {
  readonly file: string;
  readonly title: string;
}

/** Names a test. */
export const test = (file: string, title: string): NamedTest => ({ file, title });
