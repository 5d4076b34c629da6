import { connect } from 'node:net';
import { join } from 'node:path';
import { Program } from '../../cluster/harness/program';
import { checked } from './rendered';

/** Starts HAProxy with a configuration, and waits until it listens. */
export async function startHaproxy(haproxy: string, folder: string, configuration: string, ports: readonly number[]) {
  const file = join(folder, 'haproxy.cfg');
  const { isValid, said } = checked(haproxy, file, configuration);
  if (!isValid) {
    throw new Error(`HAProxy refuses the configuration:\n${said}\n${configuration}`);
  }
  return Program.start({
    name: 'haproxy',
    command: haproxy,
    // with a master, which reloads it where the controller would
    args: ['-W', '-db', '-C', folder, '-f', file],
    folder,
    isReady: async () => (await Promise.all(ports.map(accepts))).every((each) => each),
  });
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
