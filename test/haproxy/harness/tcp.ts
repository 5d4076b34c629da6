import { connect, createServer, type Server, type Socket } from 'node:net';
import { pause } from '../../cluster/harness/wait';

/** A server that says its name to whoever connects, and what it reads back. */
export function named(name: string): Promise<{ server: Server; port: number }> {
  return listening((socket) => {
    socket.write(`${name}\n`);
    socket.pipe(socket);
  });
}

/** A server that sends as much as it can until the other side has enough, and reads whatever comes. */
export function flooding(): Promise<{ server: Server; port: number }> {
  const chunk = Buffer.alloc(64 * 1024);
  return listening((socket) => {
    socket.resume();
    const fill = () => {
      while (!socket.destroyed && socket.write(chunk)) {
        // until the other side is slower
      }
    };
    socket.on('drain', fill);
    fill();
  });
}

function listening(serve: (socket: Socket) => void): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    serve(socket);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ server, port: (server.address() as { port: number }).port }));
  });
}

/** A connection, and whether it was served: those that are refused are closed before anything is said. */
export interface Answer {
  readonly socket: Socket;
  readonly said: string;
}

/** Connects, and waits for the first words or the end. */
export function answer(port: number, from = '127.0.0.1', first?: string): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    socket.setTimeout(3000);
    const end = (said: string) => resolve({ socket, said });
    socket.once('data', (data) => end(data.toString().trim()));
    for (const event of ['end', 'close', 'error', 'timeout'] as const) {
      socket.once(event, () => end(event === 'timeout' ? '(nothing)' : ''));
    }
    if (first !== undefined) {
      socket.write(first);
    }
  });
}

/** What comes back of a word, over a connection that is held. */
export function echoed({ socket }: Answer, word: string): Promise<string> {
  return new Promise((resolve) => {
    if (socket.destroyed) {
      resolve('');
      return;
    }
    socket.once('data', (data) => resolve(data.toString()));
    socket.once('close', () => resolve(''));
    socket.write(word);
  });
}

/** Bytes a second that some connections get, together, over some seconds. */
export async function received(ports: readonly number[], seconds: number): Promise<number> {
  let bytes = 0;
  const sockets = ports.map((port) => connect(port, '127.0.0.1'));
  for (const socket of sockets) {
    socket.on('error', () => undefined).on('data', (data) => (bytes += data.length));
  }
  // what fits into buffers comes at once, and says nothing of the rate
  await pause(1500);
  const before = bytes;
  await pause(seconds * 1000);
  const rate = (bytes - before) / seconds;
  for (const socket of sockets) {
    socket.destroy();
  }
  return rate;
}

/** Bytes a second that some connections get rid of, together, over some seconds. */
export async function sent(ports: readonly number[], seconds: number): Promise<number> {
  const chunk = Buffer.alloc(64 * 1024);
  const sockets = ports.map((port) => connect(port, '127.0.0.1'));
  for (const socket of sockets) {
    const fill = () => {
      while (!socket.destroyed && socket.write(chunk)) {
        // until the other side is slower
      }
    };
    socket
      .on('error', () => undefined)
      .on('connect', fill)
      .on('drain', fill)
      .resume();
  }
  const total = () => sockets.reduce((sum, socket) => sum + socket.bytesWritten - socket.writableLength, 0);
  await pause(1500);
  const before = total();
  await pause(seconds * 1000);
  const rate = (total() - before) / seconds;
  for (const socket of sockets) {
    socket.destroy();
  }
  return rate;
}
