import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const ADMIN = { user: 'operator', group: 'system:masters' };

/** Throw-away keys and tokens in the folder of a run. The API server makes its own certificate. */
export interface Credentials {
  readonly adminToken: string;
  readonly tokensFile: string;
  readonly privateKeyFile: string;
  readonly publicKeyFile: string;
}

export function newCredentials(folder: string): Credentials {
  const adminToken = randomBytes(16).toString('hex');
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const write = (name: string, text: string) => {
    const file = join(folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  return {
    adminToken,
    tokensFile: write('tokens.csv', `${adminToken},${ADMIN.user},${ADMIN.user},"${ADMIN.group}"\n`),
    privateKeyFile: write('service-accounts.key', privateKey),
    publicKeyFile: write('service-accounts.pub', publicKey),
  };
}

/** How a controller finds the API server and says who it is, or as whom it acts. */
export function writeKubeconfig(folder: string, port: number, caFile: string, token: string, as?: string): string {
  const file = join(folder, as === undefined ? 'kubeconfig' : 'kubeconfig-of-another');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'run',
    clusters: [{ name: 'run', cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority': caFile } }],
    users: [{ name: 'run', user: { token, as } }],
    contexts: [{ name: 'run', context: { cluster: 'run', user: 'run' } }],
  };
  // whoever reads it meanwhile reads all of it
  writeFileSync(`${file}.new`, JSON.stringify(config), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return file;
}

/** The same for a program that has a way of its own to the API server, on which it need not say who it is. */
export function writePlainKubeconfig(folder: string, name: string, server: string): string {
  const file = join(folder, `kubeconfig-of-${name}`);
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'run',
    clusters: [{ name: 'run', cluster: { server } }],
    contexts: [{ name: 'run', context: { cluster: 'run', user: '' } }],
  };
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}
