import { join } from 'node:path';
import { typesOf } from '../../api/assembly';
import { filesIn } from '../../packages/archive';
import { LIBRARY, VERSION } from '../../packages/generated-code';
import {
  findMaven,
  MAVEN_CACHE,
  type Maven,
  mavenRepository,
  QUIETLY,
  repositories,
  useRepository,
  withoutLevels,
} from '../../packages/maven';
import type { Checks } from './checks';
import { must, mustContain, mustFail } from './commands';
import { copyOfApp, MISTAKE, mustWriteTheSameBytes, mustWriteTheSamePermissions } from './consumers';
import type { Language } from './language';
import type { Packed } from './packed';
import { commandOf, npmFolder } from './packed-command';
import { checkPage } from './page';

const JAR = `io/github/cdk8s-load-balancers/cdk8s-load-balancers/${VERSION}/cdk8s-load-balancers-${VERSION}.jar`;

/** Maven with what is packed here, whichever version the pom of the app has. */
const MAVEN = ['mvn', ...QUIETLY, `-Dload-balancers.version=${VERSION}`] as const;

/** Classes of the library, what jsii loads, and what says so. */
const IN_JAR =
  /^(io\/github\/cdk8sloadbalancers\/[\w$-]+\.(class|txt)|io\/github\/cdk8sloadbalancers\/cdk8s-load-balancers@[\d.]+\.jsii\.tgz|META-INF\/.*)$/;

function checkJar(jar: string): void {
  const files = filesIn(jar).map(({ name }) => name);
  const needless = files.filter((name) => !IN_JAR.test(name));
  if (files.length < typesOf(LIBRARY).length || needless.length > 0) {
    throw new Error(`of ${files.length} files in ${jar} these are of no use:\n${needless.join('\n')}`);
  }
}

function checkApp(checks: Checks, packed: Packed, maven: Maven): void {
  const repository = mavenRepository(maven, packed.tarball);
  checks.that('the jar has the classes of the library, the package of npm, and nothing else', () => {
    checkJar(join(repository, JAR));
  });
  const folder = copyOfApp(packed, 'java');
  useRepository(join(folder, 'pom.xml'), repository);
  const where = { cwd: folder, env: { JAVA_HOME: maven.jdk.home } };
  const compiled = checks.that(`it compiles for Java 17 with JDK ${maven.jdk.version}, without a warning`, () => {
    must(where, ...MAVEN, 'compile');
  });
  if (!compiled) {
    return;
  }
  checks.that('it writes the bytes that every language writes', () => {
    must(where, ...MAVEN, 'exec:java');
    mustWriteTheSameBytes(folder);
    mustWriteTheSamePermissions(folder);
  });
  checks.that('its mistake is reported as in every language', () => {
    const output = mustFail(where, ...MAVEN, 'exec:java', '-Dexec.mainClass=example.edge.Mistake');
    mustContain(withoutLevels(output), MISTAKE);
  });
  checkPage(checks, packed, 'java', () => ({
    commands: (text) =>
      text
        .replace(/^mvn /m, `sed -i.bak 's|</project>|${repositories(repository)}&|' pom.xml\nmvn `)
        .replace(/^npx --yes cdk8s-load-balancers /m, commandOf(packed)),
    env: { JAVA_HOME: maven.jdk.home, MAVEN_OPTS: MAVEN_CACHE, ...npmFolder(packed) },
  }));
}

export const java: Language = {
  name: 'java',
  lack: () => {
    const maven = findMaven();
    return 'lack' in maven ? maven.lack : undefined;
  },
  run: (checks, packed) => {
    const maven = findMaven();
    if ('lack' in maven) {
      throw new Error(maven.lack);
    }
    checkApp(checks, packed, maven);
  },
};
