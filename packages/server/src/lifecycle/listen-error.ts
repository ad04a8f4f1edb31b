/**
 * The failure to listen, told so that the operator knows what to change.
 * @module
 */

/** The server could not listen: `message` says why and what to do, `cause` is what the system said. */
export class ListenError extends Error {
  override readonly name = 'ListenError';

  constructor(address: { host: string; port: number }, cause: unknown) {
    super(`Cannot listen on ${address.host}, port ${address.port}: ${advice(cause)}`, { cause });
  }
}

function advice(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  switch ('code' in cause ? cause.code : undefined) {
    case 'EADDRINUSE':
      return 'the port is taken. Stop the process that has it, or choose another port.';
    case 'EACCES':
      return 'this user may not take that port. Choose one above 1023.';
    case 'EADDRNOTAVAIL':
      return 'this machine has no such address. Choose one of its own, or 127.0.0.1.';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the host name leads nowhere. Choose an address of this machine, or 127.0.0.1.';
    default:
      return `${cause.message}.`;
  }
}
