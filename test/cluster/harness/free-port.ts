import { createServer } from 'node:net';

function listen(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

/** Below the ports that the kernel gives to connections of other programs, which could take one before it is listened on. */
const LOWEST = 11_000;
const HIGHEST = 29_000;

/** Processes begin at different places, and none gives a port twice before it has given all. */
let last = LOWEST + ((process.pid * 97) % (HIGHEST - LOWEST));

/** Ports of the loopback interface on which nobody listens. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let tried = 0; ports.length < count; tried++) {
    if (tried > HIGHEST - LOWEST) {
      throw new Error(`there are no ${count} free ports from ${LOWEST} to ${HIGHEST}`);
    }
    last = last < HIGHEST ? last + 1 : LOWEST;
    const port = await listen(last).catch(() => undefined);
    if (port !== undefined) {
      ports.push(port);
    }
  }
  return ports;
}

/** @throws when nobody can listen on a port of the loopback interface. */
export async function mustBeFree(port: number): Promise<void> {
  await listen(port).catch(({ code, message }: NodeJS.ErrnoException) => {
    const reasons: Record<string, string> = {
      EADDRINUSE: 'is in use by another program',
      EACCES: 'is not for this user to open',
      ERR_SOCKET_BAD_PORT: 'does not exist',
    };
    const reason = reasons[code ?? ''] ?? `cannot be opened (${message})`;
    throw new Error(`port ${port} on 127.0.0.1 ${reason}: choose another, or none to get a free one`);
  });
}
