import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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
    if (kind === 'jdk') {
      script(join(home, 'bin', 'javac'), ':');
    }
    return home;
  }

  /** The same on the PATH alone. */
  public installOnPath(version: string): string {
    const home = this.install('../on-path', version);
    script(join(this.bin, 'java'), `exec '${join(home, 'bin', 'java')}' "$@"`);
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
