import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { Json } from '../contract/json';
import { readKubernetesYaml } from '../contract/kubernetes-yaml';
import { crdFaults } from '../installations/strimzi/crd-faults';
import { StrimziVersion } from '../kafka/strimzi/strimzi-version';
import { apiOf, CRD_GENERATOR, CRD_GENERATOR_SHA256, STRIMZI_PINS } from './strimzi-crds.facts';
import { kindsOf, madeDefinitions, releaseFile } from './strimzi-crds-generator';
import type { Jdk } from './strimzi-crds-jdk';
import { copyArtifact, type MavenArtifact } from './strimzi-crds-maven';
import { strimziToolchain } from './strimzi-crds-toolchain';

/** The name of the command. */
const NAME = 'strimzi-crds';

interface StrimziCrdsOptions {
  readonly output?: string;
}

/** Adds the command that makes the custom resource definitions of a release of Strimzi. */
export function addStrimziCrds(program: Command): void {
  program
    .command(NAME)
    .description(
      'makes the custom resource definitions of a release of Strimzi as one file of YAML, of its artifacts in Maven repositories; needs a JDK 21 or newer, and Maven',
    )
    .argument('<version>', 'the release, such as 1.2.0', versionNamed)
    .option('-o, --output <file>', 'the file to write; standard output without it')
    .action(strimziCrds);
}

function versionNamed(text: string): string {
  try {
    return StrimziVersion.of(text).version;
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

function strimziCrds(version: string, { output }: StrimziCrdsOptions): void {
  try {
    const definitions = definitionsOf(version);
    if (output === undefined) {
      process.stdout.write(definitions);
    } else {
      writeFileSync(output, definitions);
    }
  } catch (error) {
    process.stderr.write(`${NAME}: ${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}

function say(sentence: string): void {
  process.stderr.write(`${NAME}: ${sentence}\n`);
}

function definitionsOf(version: string): string {
  kindsOf(version); // before anything is fetched
  const toolchain = strimziToolchain();
  if ('lack' in toolchain) {
    throw new Error(`the definitions of Strimzi ${version} are made with ${toolchain.lack}; install what is missing`);
  }
  const scratch = mkdtempSync(join(tmpdir(), 'cdk8s-load-balancers-strimzi-crds-'));
  try {
    return checked(version, made(version, toolchain.jdk, scratch));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function made(version: string, jdk: Jdk, scratch: string): string {
  say(`fetching the generator and the model of Strimzi ${version} with Maven`);
  const classPath = [
    fetched(version, CRD_GENERATOR, CRD_GENERATOR_SHA256, jdk, scratch),
    fetched(version, apiOf(version), STRIMZI_PINS[version]?.api, jdk, scratch),
  ];
  say('making the definitions');
  return madeDefinitions(version, jdk.java, classPath, join(scratch, 'definitions'));
}

/** Has a jar fetched that is needed for a version. */
function fetched(
  version: string,
  artifact: MavenArtifact,
  sha256: string | undefined,
  jdk: Jdk,
  scratch: string,
): string {
  const file = copied(version, artifact, jdk, scratch);
  mustBe(`${artifact.group}:${artifact.name}:${artifact.version}`, readFileSync(file), sha256);
  return file;
}

function copied(version: string, artifact: MavenArtifact, jdk: Jdk, scratch: string): string {
  try {
    return copyArtifact(artifact, jdk, scratch);
  } catch (error) {
    throw new Error(`${(error as Error).message}\nwhere there is no such artifact, take ${releaseFile(version)}`);
  }
}

function mustBe(what: string, content: string | Buffer, sha256: string | undefined): void {
  const found = createHash('sha256').update(content).digest('hex');
  if (sha256 !== undefined && found !== sha256) {
    throw new Error(
      `${what} is not what is known: its SHA-256 is ${found}, and ${sha256} was expected; do not use it before you know why`,
    );
  }
}

/** Definitions of the version that was asked for, and of no other. */
function checked(version: string, definitions: string): string {
  const objects = readKubernetesYaml(definitions).values.map(({ value }) => value as Json);
  const faults = crdFaults(objects, StrimziVersion.of(version));
  if (faults.length > 0) {
    throw new Error(
      `what was made does not belong to Strimzi ${version}: ${faults.join('; ')}; name the version that the artifact has`,
    );
  }
  const pins = STRIMZI_PINS[version];
  mustBe(`what was made of Strimzi ${version}`, definitions, pins?.definitions);
  if (!pins) {
    say(
      `nobody has compared the definitions of ${version} with the file of the release; fields and API versions are as expected`,
    );
  }
  return definitions;
}
