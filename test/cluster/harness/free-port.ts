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

/** Ports of the loopback interface that nobody listens on. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    ports.add(await listen(0));
  }
  return [...ports];
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
