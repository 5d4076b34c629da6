import { compareVersions } from '../../contract/compare-versions';
import { KubernetesVersion } from '../../contract/kubernetes-version';
import { printable } from '../../contract/printable';
import { OPERATOR } from '../../kafka/strimzi/releases';

import { type ControllerDefinition, knownKinds } from '../../rules/controller-definition';
import { KUBERNETES, NEWEST_KUBERNETES } from '../../rules/kubernetes-upgrades.facts';
import { kindNamed, optionsOf } from '../context/context-controllers';
import { VERSION_SYNTAX } from '../context/context-fields.facts';
import { operatorOf } from '../context/context-file';
import type { GivenVersions } from '../context/given-versions';
import { Misuse } from '../misuse';

/** What the command line says of versions. */
export interface VersionOptions {
  readonly kubernetesFrom?: string;
  readonly kubernetesTo?: string;
  readonly strimziFrom?: string;
  readonly strimziTo?: string;
  /** `NAME@VERSION` each. */
  readonly controllerFrom?: readonly string[];
  readonly controllerTo?: readonly string[];
}

/** Versions of what runs on either side, by name. */
export interface VersionsOfSides {
  readonly before: GivenVersions;
  readonly after: GivenVersions;
}

/**
 * The versions that the command line gives; nothing where it gives none.
 *
 * @throws where one of them cannot be read, or is given for one side alone
 */
export function versionsGiven(options: VersionOptions): VersionsOfSides | undefined {
  const { kubernetesFrom, kubernetesTo, strimziFrom, strimziTo, controllerFrom = [], controllerTo = [] } = options;
  const [from, to] = [controllersIn(controllerFrom, 'from'), controllersIn(controllerTo, 'to')];
  for (const name of new Set([...from.keys(), ...to.keys()])) {
    refuseOne('controller', from.get(name), to.get(name), `${name}@`);
  }
  refuseOne('kubernetes', kubernetesFrom, kubernetesTo);
  refuseOne('strimzi', strimziFrom, strimziTo);
  const sides = {
    before: { by: 'from', versions: { ...kubernetes(kubernetesFrom), ...operator(strimziFrom), ...fields(from) } },
    after: { by: 'to', versions: { ...kubernetes(kubernetesTo), ...operator(strimziTo), ...fields(to) } },
  } as const;
  return Object.keys(sides.before.versions).length === 0 ? undefined : sides;
}

function fields(versions: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries(versions);
}

function refuseOne(product: string, from?: string, to?: string, start = ''): void {
  if ((from === undefined) !== (to === undefined)) {
    const [has, lacks] = from === undefined ? ['to', 'from'] : ['from', 'to'];
    throw new Misuse(
      `--${product}-${has} ${printable(`${start}${from ?? to}`)} has nothing to be compared with; add --${product}-${lacks} ${start}VERSION`,
    );
  }
}

function kubernetes(text: string | undefined): Record<string, string> {
  return text === undefined
    ? {}
    : { [KUBERNETES]: KubernetesVersion.of(readable(text, 'kubernetes', NEWEST_KUBERNETES)).version };
}

/** A version that is older than all that are known here stays as it is written. */
function operator(text: string | undefined): Record<string, string> {
  return text === undefined
    ? {}
    : { [OPERATOR.name]: operatorOf(readable(text, 'strimzi', OPERATOR.newest)).strimzi?.version ?? plain(text) };
}

function readable(text: string, product: string, example: string): string {
  if (!VERSION_SYNTAX.test(text)) {
    throw new Misuse(
      `'${printable(text)}' is not a version; write --${product}-from and --${product}-to like ${example}`,
    );
  }
  return text;
}

function controllersIn(entries: readonly string[], end: 'from' | 'to'): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of entries) {
    const at = entry.lastIndexOf('@');
    const [name, version] = [entry.slice(0, Math.max(at, 0)), entry.slice(at + 1)];
    const written = `--controller-${end} ${printable(entry)}`;
    if (name === '' || !VERSION_SYNTAX.test(version)) {
      throw new Misuse(`${written} is not a controller and its version; write it like ${versioned()[0].name}@2.8.1`);
    }
    const kind = versioned().find((one) => one.name === name);
    if (!kind) {
      throw new Misuse(`${written}: ${whyNot(name)}`);
    }
    if (found.has(name)) {
      throw new Misuse(`${written}: ${name} is named twice; name it once`);
    }
    found.set(name, newestPatch(plain(version), kind));
  }
  return found;
}

/** Those whose versions are told apart. */
function versioned(): ControllerDefinition[] {
  return knownKinds().filter(({ name }) => optionsOf(name).version !== undefined);
}

function whyNot(name: string): string {
  const names = versioned().map((one) => one.name);
  return name === OPERATOR.name || name === KUBERNETES
    ? `${name} has options of its own; write --${name}-from and --${name}-to`
    : kindNamed(name)
      ? `nothing is known of what its versions change; leave it out, or write one of ${names.join(', ')}`
      : `controller '${printable(name)}' is unknown; write one of ${names.join(', ')}`;
}

/** A minor version is the newest patch of it that a fact names. */
function newestPatch(version: string, { upgrades = [], catalogue, facts }: ControllerDefinition): string {
  if (version.split('.').length > 2) {
    return version;
  }
  const known = [
    facts.source.version,
    ...upgrades.flatMap(({ since = '' }) => since),
    ...catalogue.annotations.map(({ fact }) => fact.since ?? ''),
  ].flatMap((one) => /^v?(\d+\.\d+\.\d+)/.exec(one)?.[1] ?? []);
  const patches = known.filter((one) => one.startsWith(`${version}.`)).sort(compareVersions);
  return patches.at(-1) ?? `${version}.0`;
}

/** The numbers of a version: `v2.8.1-rc1` is `2.8.1`. */
function plain(version: string): string {
  return /\d+(\.\d+)*/.exec(version)?.[0] ?? version;
}
