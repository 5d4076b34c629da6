import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a fake go does when it is told to build. */
export type Building = 'succeed' | 'nothing-to-do' | 'no-download' | 'hang';

const BUILDING: Record<Building, string> = {
  succeed: 'printf "example.com/one\\nexample.com/two/three\\n" >&2; echo program > "$output"; chmod 755 "$output"',
  'nothing-to-do': ':',
  'no-download':
    'echo "go: downloading example.com/a v1.0.0" >&2; ' +
    'echo "go: example.com/a@v1.0.0: Get \\"https://proxy.example/a\\": dial tcp: lookup proxy.example: no such host" >&2; exit 1',
  hang: 'echo $$ > "$STATE/pid"; exec sleep 600',
};

/** A shell script called go on a PATH of its own, with caches of its own and a module to build. */
export class FakeGo {
  public readonly base = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-go-'));
  public readonly bin = this.folder('bin');
  public readonly caches = this.folder('caches');
  public readonly module = this.folder('module');
  private readonly state = this.folder('state');

  public constructor(version = 'go1.26.8') {
    writeFileSync(join(this.module, 'go.mod'), 'module example.com/main\n\ngo 1.26.0\n');
    writeFileSync(join(this.module, 'main.go'), 'package main\n\nfunc main() {}\n');
    this.install(version, 'succeed');
  }

  /** What a process needs to find it, and nothing but it. */
  public get environment(): Record<string, string> {
    return { PATH: this.bin, XDG_CACHE_HOME: this.caches, STATE: this.state, GOTOOLCHAIN: 'local' };
  }

  /** How often it was told to build. */
  public get builds(): number {
    const file = join(this.state, 'builds');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
  }

  /** The process of a build that hangs. */
  public get pid(): number | undefined {
    const file = join(this.state, 'pid');
    return existsSync(file) ? Number(readFileSync(file, 'utf8')) || undefined : undefined;
  }

  public install(version: string, building: Building): void {
    const file = join(this.bin, 'go');
    writeFileSync(
      file,
      `#!/bin/sh
PATH=/usr/bin:/bin
case "$1" in
env)
  shift
  for name; do
    case "$name" in
      GOVERSION) echo '${version}' ;;
      GOTOOLCHAIN) echo "$GOTOOLCHAIN" ;;
      GOCACHE) echo "$XDG_CACHE_HOME/go-build" ;;
      *) echo ;;
    esac
  done ;;
build)
  echo build >> "$STATE/builds"
  while [ $# -gt 0 ]; do
    case "$1" in
      -o) output=$2; shift ;;
    esac
    shift
  done
  ${BUILDING[building]} ;;
mod)
  echo '{'
  echo '  "Path": "example.com/a",'
  ${building === 'no-download' ? `echo '  "Error": "Get \\"https://proxy.example/a\\": dial tcp: no such host"'` : `echo '  "Dir": "/modules/a"'`}
  echo '}'
  ${building === 'no-download' ? 'exit 1' : ''} ;;
esac
`,
    );
    chmodSync(file, 0o755);
  }

  public remove(): void {
    rmSync(this.base, { recursive: true, force: true });
  }

  private folder(name: string): string {
    const folder = join(this.base, name);
    mkdirSync(folder);
    return folder;
  }
}

/** Shell scripts called java and mvn, in folders of their own. */
export class FakeJava {
  public readonly base = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-java-'));
  /** The only folder on the PATH. */
  public readonly bin = this.folder('bin');
  public readonly caches = this.folder('caches');
  /** Where JDKs lie beside each other. */
  public readonly jdks = this.folder('jdks');

  /** What a process needs to find them, and nothing but them. */
  public get environment(): Record<string, string> {
    return { PATH: this.bin, XDG_CACHE_HOME: this.caches };
  }

  /** A Java of its own folder, and its home. */
  public install(name: string, version: string, kind: 'jdk' | 'jre' = 'jdk'): string {
    const home = join(this.jdks, name);
    mkdirSync(join(home, 'bin'), { recursive: true });
    script(
      join(home, 'bin', 'java'),
      `echo "    java.home = ${home}" >&2; echo "    java.specification.version = ${version}" >&2`,
    );
    if (kind === 'jdk') script(join(home, 'bin', 'javac'), ':');
    return home;
  }

  /** A Maven whose only goal is a line of shell, which knows `$artifact` and `$folder`. */
  public installMaven(goal = ':'): void {
    script(
      join(this.bin, 'mvn'),
      `for each; do
  case "$each" in
    --help) exit 0 ;;
    -Dartifact=*) artifact=\${each#*=} ;;
    -DoutputDirectory=*) folder=\${each#*=} ;;
  esac
done
echo "$JAVA_HOME $artifact" >> '${join(this.base, 'asked')}'
${goal}`,
    );
  }

  public remove(): void {
    rmSync(this.base, { recursive: true, force: true });
  }

  private folder(name: string): string {
    const folder = join(this.base, name);
    mkdirSync(folder);
    return folder;
  }
}

function script(file: string, text: string): void {
  writeFileSync(file, `#!/bin/sh\nPATH=/usr/bin:/bin\n${text}\n`);
  chmodSync(file, 0o755);
}
