/** Starts nginx with TLS for tests: in a temporary directory, with a certificate made for it. */
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../process/free-port.js';
import { OwnProcess } from '../postgres/own-process.js';
import { findNginx } from './find-nginx.js';

/** Where it listens, and the files with its certificate and key. */
export interface NginxSettings {
  readonly port: number;
  readonly certificate: string;
  readonly key: string;
}

/** A running nginx. */
export class Nginx implements AsyncDisposable {
  readonly port: number;
  /** Its own certificate, as PEM. Clients have to trust it. */
  readonly certificate: string;
  readonly #process: OwnProcess;

  private constructor(process: OwnProcess, port: number, certificate: string) {
    this.#process = process;
    this.port = port;
    this.certificate = certificate;
  }

  /**
   * Makes a certificate for a host, and starts nginx with a configuration that goes into its block
   * `http`.
   */
  static async start(host: string, settings: (place: NginxSettings) => string): Promise<Nginx> {
    const programs = findNginx();
    if (programs === undefined) throw new Error('nginx or openssl is not installed.');
    const process = await OwnProcess.in('agentkeep-nginx-', 'TERM');
    const { directory } = process;
    const [certificate, key] = [join(directory, 'certificate.pem'), join(directory, 'key.pem')];
    process.prepare(programs.openssl, certificateWords(host, certificate, key));
    const port = await freePort();
    const file = join(directory, 'nginx.conf');
    await writeFile(file, configuration(directory, settings({ port, certificate, key })));
    const words = ['-p', directory, '-c', file, '-e', 'stderr'];
    await process.start(programs.nginx, words, () => accepts(port));
    return new Nginx(process, port, await readFile(certificate, 'utf8'));
  }

  /** Returns its warnings and errors since the start. */
  log(): Promise<string> {
    return readFile(join(this.#process.directory, 'error.log'), 'utf8');
  }

  /** Ends it and removes its directory. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#process.stop();
  }
}

function certificateWords(host: string, certificate: string, key: string): string[] {
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  return ['req', '-x509', '-days', '2', ...curve, ...names, '-keyout', key, '-out', certificate];
}

/** One process, which stays the user that started it. */
function configuration(directory: string, settings: string): string {
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const temporary = folders.map((name) => `${name}_temp_path ${join(directory, name)};`);
  return [
    'daemon off; master_process off; pid nginx.pid; error_log error.log warn; events {}',
    `http { access_log off; ${temporary.join(' ')}`,
    `${settings}}\n`,
  ].join('\n');
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.end());
  });
}
