// Builds the Go programs of all suites, one after the other, and meanwhile downloads what the later ones are made of: `.ci/run` does it
// beside steps that keep one processor busy. A suite builds its programs by itself too, and says why one cannot be built.
import { spawn } from 'node:child_process';
import { builtBinary } from './go/binary';
import { lackOfGo } from './go/find-go';
import { goEnvironment } from './go/go-command';
import { CRDS, GO_PROGRAMS } from './suites/programs';

const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());

async function download(folders: readonly string[]): Promise<void> {
  for (const cwd of folders) {
    const options = { cwd, env: goEnvironment(), signal: stop.signal, stdio: 'ignore' } as const;
    await new Promise((resolve) => {
      spawn('go', ['mod', 'download'], options).once('error', resolve).once('close', resolve);
    });
  }
}

async function build(): Promise<void> {
  for (const program of GO_PROGRAMS) {
    stop.signal.throwIfAborted();
    await builtBinary(program);
  }
}

const folders = [...new Set([...GO_PROGRAMS.map(({ folder }) => folder), CRDS])];
if (folders.some((folder) => lackOfGo(folder))) {
  console.log('no Go program is built: a suite that needs one says what is missing');
} else {
  void Promise.all([download(folders), build()]).catch((error: Error) => {
    console.log(error.message);
    stop.abort();
    process.exitCode = 1;
  });
}
