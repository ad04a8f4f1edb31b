/** The error of a server that cannot listen, with advice for the operator. */

/** The server could not listen. `message` says why and what to do, `cause` is the system error. */
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
      return 'the port is taken. Stop the process that uses it, or choose another port.';
    case 'EACCES':
      return 'this user may not use that port. Choose one above 1023.';
    case 'EADDRNOTAVAIL':
      return 'this machine does not have that address. Choose one of its own, or 127.0.0.1.';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the host name does not resolve. Choose an address of this machine, or 127.0.0.1.';
    default:
      return `${cause.message}.`;
  }
}
