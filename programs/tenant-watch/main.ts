// What watches the tenants of a shared load balancer, as it is bundled: node tenant-watch.js CONFIGURATION PORT
import { readFileSync } from 'node:fs';
import type { WatchConfig } from '../../src/tenancy/runtime/program-config';
import { clusterApi } from './cluster-api';
import { usageServer } from './server';
import { Watcher } from './watcher';

const [file, port] = process.argv.slice(2);
const config: WatchConfig = JSON.parse(readFileSync(file, 'utf8'));
const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: https = '443' } = process.env;
const address = process.env.API_SERVER ?? `https://${host.includes(':') ? `[${host}]` : host}:${https}`;
const tokenFile = process.env.TOKEN_FILE ?? '/var/run/secrets/kubernetes.io/serviceaccount/token';
const api = clusterApi(address, () => readFileSync(tokenFile, 'utf8').trim());
const watch = new Watcher(
  api,
  async (url) => {
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) });
    if (!response.ok) {
      throw new Error(`${url}: ${response.status}`);
    }
    return response.text();
  },
  config,
);
const server = usageServer(watch);
server.listen(Number(port));

let timer: NodeJS.Timeout | undefined;
let isEnding = false;
async function rounds(): Promise<void> {
  for (const { message } of await watch.round(new Date())) {
    process.stderr.write(`${message}\n`);
  }
  if (!isEnding) {
    timer = setTimeout(rounds, config.intervalSeconds * 1000);
  }
}
rounds();

process.once('SIGTERM', () => {
  isEnding = true;
  clearTimeout(timer);
  server.close();
  server.closeIdleConnections();
});
