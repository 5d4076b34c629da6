import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A key with its certificate, in one file, as Kafka reads them. */
export interface Identity {
  readonly file: string;
  readonly key: string;
  readonly cert: string;
}

/** An authority for one run: that of a cluster and of its clients. */
export class Authority {
  public readonly file: string;
  private readonly keyFile: string;

  public constructor(private readonly folder: string) {
    this.file = join(folder, 'ca.crt');
    this.keyFile = join(folder, 'ca.key');
    openssl(
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
      ...['-subj', '/CN=cluster-ca', '-keyout', this.keyFile, '-out', this.file],
    );
  }

  public get cert(): string {
    return readFileSync(this.file, 'utf8');
  }

  /** @param hosts the names that a server is known by; none for a client */
  public issue(name: string, hosts: readonly string[] = []): Identity {
    const at = (suffix: string) => join(this.folder, `${name}.${suffix}`);
    openssl(
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
      ...['-subj', `/CN=${name}`, '-CA', this.file, '-CAkey', this.keyFile, '-keyout', at('key'), '-out', at('crt')],
      ...['-addext', 'basicConstraints=critical,CA:FALSE'],
      ...(hosts.length > 0 ? ['-addext', `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(',')}`] : []),
    );
    const [key, cert] = [at('key'), at('crt')].map((file) => readFileSync(file, 'utf8'));
    writeFileSync(at('pem'), key + cert + this.cert, { mode: 0o600 });
    return { file: at('pem'), key, cert };
  }
}

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
