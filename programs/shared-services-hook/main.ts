// The hook for Services that are created at run time, as it is bundled: node shared-services-hook.js CONFIGURATION PORT
import { readFileSync } from 'node:fs';
import { PUBLISHERS } from '../../src/tenancy/engines/publishers';
import type { HookConfig } from '../../src/tenancy/runtime/program-config';
import { hookServer } from './server';

const [file, port] = process.argv.slice(2);
const config: HookConfig = JSON.parse(readFileSync(file, 'utf8'));
if (!Object.hasOwn(PUBLISHERS, config.publisher)) {
  throw new Error(
    `${file}: the publisher '${config.publisher}' is unknown; there are ${Object.keys(PUBLISHERS).join(', ')}`,
  );
}
const server = hookServer(config);
server.listen(Number(port));
process.once('SIGTERM', () => {
  server.close();
  server.closeIdleConnections();
});
