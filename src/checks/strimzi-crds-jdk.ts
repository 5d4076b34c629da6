import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** What Strimzi's generator of definitions was compiled for. */
const OLDEST_JDK = 21;

/** A Java with a compiler in it. */
export interface Jdk {
  /** What JAVA_HOME should be for it. */
  readonly home: string;
  readonly java: string;
  readonly version: number;
}

/** Where packages and installers put one JDK beside the other, and where its home is in there. */
const FOLDERS: ReadonlyArray<readonly [folder: string, home: string]> = [
  ['/usr/lib/jvm', ''],
  ['/Library/Java/JavaVirtualMachines', 'Contents/Home'],
  [join(homedir(), '.sdkman', 'candidates', 'java'), ''],
];

/** A Java that may be there, and how to speak of it. */
interface Candidate {
  readonly name: string;
  readonly java: string;
}

function candidates(folders: typeof FOLDERS): Candidate[] {
  const { JAVA_HOME } = process.env;
  const beside = folders.flatMap(([folder, home]) =>
    (existsSync(folder) ? readdirSync(folder) : [])
      .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
      .map((name) => join(folder, name, home, 'bin', 'java'))
      .filter((java) => existsSync(java))
      .map((java) => ({ name: java, java })),
  );
  return [
    ...(JAVA_HOME ? [{ name: `JAVA_HOME=${JAVA_HOME}`, java: join(JAVA_HOME, 'bin', 'java') }] : []),
    { name: 'the java on the PATH', java: 'java' },
    ...beside,
  ];
}

/** What a Java says of itself, or why it is of no use. */
function asked({ name, java }: Candidate): Jdk | string {
  const { status, stderr, error } = spawnSync(java, ['-XshowSettings:properties', '-version'], {
    encoding: 'utf8',
    env: process.env,
  });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') {
    return java === 'java' ? 'there is no java on the PATH' : `${name} has no bin/java`;
  }
  const said = (property: string) => new RegExp(`^ *${property} = (.+)$`, 'm').exec(stderr ?? '')?.[1].trim();
  const home = said('java.home');
  const version = Number(said('java.specification.version'));
  if (status !== 0 || !home || Number.isNaN(version)) {
    return `${name} does not say its version`;
  }
  if (version < OLDEST_JDK) {
    return `${name} is ${version}`;
  }
  return existsSync(join(home, 'bin', 'javac'))
    ? { home, java: join(home, 'bin', 'java'), version }
    : `${name} is ${version} without javac`;
}

/** The first JDK that is new enough of JAVA_HOME, the PATH and the folders of JDKs; or what was found instead. */
export function findJdk(folders = FOLDERS): Jdk | { readonly lack: string } {
  const seen = new Set<string>();
  const unfit: string[] = [];
  for (const candidate of candidates(folders)) {
    const file = existsSync(candidate.java) ? realpathSync(candidate.java) : candidate.java;
    if (!seen.has(file)) {
      seen.add(file);
      const found = asked(candidate);
      if (typeof found !== 'string') {
        return found;
      }
      unfit.push(found);
    }
  }
  return { lack: `a JDK ${OLDEST_JDK} or newer (${unfit.join(', ')})` };
}
