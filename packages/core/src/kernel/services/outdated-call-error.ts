/** Thrown inside of a call whose answer would rest on what is not so any more. */
export class OutdatedCallError extends Error {
  override readonly name = 'OutdatedCallError';

  constructor() {
    super('The call must begin again.');
  }
}
