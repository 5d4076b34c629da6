import { App, Chart } from 'cdk8s';
import type { Json } from '../../../src/contract/json';
import { isIn } from '../../../src/installations/strimzi/crd-faults';
import { StrimziClusterOperatorInstallation } from '../../../src/installations/strimzi/installation';
import { DEFINITIONS, TELLING_FIELDS } from '../../../src/installations/strimzi/installation.facts';
import type { StrimziClusterOperatorInstallationProps } from '../../../src/installations/strimzi/options';
import {
  STRIMZI_API,
  STRIMZI_GROUP,
  STRIMZI_OLD_API,
  STRIMZI_RELEASES,
} from '../../../src/kafka/strimzi/strimzi.facts';
import { StrimziVersion } from '../../../src/kafka/strimzi/strimzi-version';
import { filesWritten, stderrOf, synth } from '../../support/apps';

/** Every release that is known. */
export const VERSIONS = Object.keys(STRIMZI_RELEASES).map((version) => StrimziVersion.of(version));

export type Props = Partial<StrimziClusterOperatorInstallationProps>;

/** An operator in a chart of its own, in the namespace of that name. */
export function operatorIn(app: App, namespace: string, props: Props = {}) {
  const chart = new Chart(app, namespace, { namespace });
  const operator = new StrimziClusterOperatorInstallation(chart, 'Operator', {
    version: StrimziVersion.V1_2,
    ...props,
  });
  return { chart, operator };
}

/** What an installation alone writes. */
export function installed(props: Props = {}): Json[] {
  let objects: Json[] = [];
  stderrOf(() => {
    objects = synth(operatorIn(new App(), 'strimzi', props).chart);
  });
  return objects;
}

export function one(objects: readonly Json[], kind: string, name?: string): Json {
  const found = objects.filter((object) => object.kind === kind && (!name || object.metadata.name === name));
  expect(found).toHaveLength(1);
  return found[0];
}

/** The variables of the operator: texts, and the fields of the pod. */
export function variables(objects: readonly Json[]): Record<string, string> {
  const [container] = one(objects, 'Deployment').spec.template.spec.containers;
  return Object.fromEntries(
    container.env.map(({ name, value, valueFrom }: Json) => [name, value ?? valueFrom.fieldRef.fieldPath]),
  );
}

function schemaWith(paths: readonly string[]): Json {
  const heads = [...new Set(paths.map((path) => path.split('.')[0]))];
  const below = (head: string) =>
    paths.filter((path) => path.startsWith(`${head}.`)).map((path) => path.slice(head.length + 1));
  const properties = Object.fromEntries(heads.map((head) => [head, schemaWith(below(head))]));
  // lists are passed through
  return heads.includes('request') ? { type: 'array', items: { properties } } : { type: 'object', properties };
}

/** What the vendor's file has, as far as releases are told apart by it. */
export function definitions(version: StrimziVersion): Json[] {
  const served = [STRIMZI_OLD_API, STRIMZI_API].filter((api) => version.servesApiVersion(`${STRIMZI_GROUP}/${api}`));
  return DEFINITIONS.filter((row) => isIn(version, row)).map(({ name }) => {
    const fields = TELLING_FIELDS.filter((row) => row.definition === name && isIn(version, row));
    const openAPIV3Schema = schemaWith(['spec', ...fields.map(({ path }) => path)]);
    const [plural] = name.split('.');
    return {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name, labels: { app: 'strimzi', 'strimzi.io/crd-install': 'true' } },
      spec: {
        group: name.slice(plural.length + 1),
        names: { plural },
        versions: served.map((each, index) => ({
          name: each,
          served: true,
          storage: index === 0,
          schema: { openAPIV3Schema },
        })),
      },
    };
  });
}

const ALONE = /\(strimzi-(crds-missing|vulnerability)\)/;

/** What the synth of an app says of operators: errors and warnings, without those that are about one alone. */
export function saidOf(build: (app: App) => void): string[] {
  let errors = '';
  const warnings = stderrOf(() => {
    filesWritten((outdir) => {
      const app = new App({ outdir });
      build(app);
      try {
        app.synth();
      } catch (error) {
        errors = (error as Error).message;
      }
    });
  });
  return `${errors}\n${warnings}`
    .split('\n')
    .filter((line) => /\((strimzi-|controller-in-chart)/.test(line) && !ALONE.test(line))
    .map((line) => line.trim());
}

/** The rules that spoke, in that order. */
export const told = (build: (app: App) => void) => saidOf(build).map((line) => /\(([a-z-]+)\)$/.exec(line)?.[1]);
