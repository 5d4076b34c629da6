import { createServer, type Server } from 'node:http';
import { usageText } from './usage-text';
import type { Watcher } from './watcher';

/** Rounds after which one that does not end is a reason to start the program anew. */
const PATIENCE = 10;

/** Answers what is known, and whether the rounds go on. */
export function usageServer(watch: Watcher, now = () => new Date()): Server {
  const started = now();
  return createServer(({ url }, response) => {
    if (url === '/metrics') {
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(usageText(watch));
    } else if (url === '/healthz') {
      const since = now().getTime() - (watch.lastRound ?? started).getTime();
      const isLate = since > watch.config.intervalSeconds * 1000 * PATIENCE;
      response.writeHead(isLate ? 500 : 200).end(isLate ? 'no round has ended for long\n' : 'ok\n');
    } else {
      response.writeHead(404).end('there are /metrics and /healthz\n');
    }
  });
}
