import { isMap, type Json, mapIn, mapsIn } from '../contract/json';
import { readKubernetesYaml } from '../contract/kubernetes-yaml';
import { flagsAmong, wordsOf } from '../contract/program-flags';
import { podTemplateOf } from '../contract/workload';
import type { YamlPath } from '../contract/yaml-source';
import { titleOf } from '../later/later';
import type { Manifest } from '../rules/manifest-objects';
import { fieldAt } from './said';
import type { Install } from './side';

/** A setting of an installation, and its place. */
export interface Setting {
  /** For people: `Deployment kube-system/lbc, --cluster-name`. */
  readonly field: string;
  /** The flag, variable or value of a chart, without dashes. */
  readonly name: string;
  readonly value: unknown;
  readonly manifest: Manifest;
  readonly path: YamlPath;
  /** True if the value is never printed. */
  readonly isHidden?: true;
  /** Set for an image, and for the version of a chart. */
  readonly isVersionOf?: 'image' | 'chart';
}

const SETTINGS = new WeakMap<Install, ReadonlyMap<string, Setting>>();

/** The settings that may change load balancers, by the fields in which they are. */
export function settingsOf(install: Install): ReadonlyMap<string, Setting> {
  const known = SETTINGS.get(install) ?? readSettings(install);
  SETTINGS.set(install, known);
  return known;
}

type Found = Pick<Setting, 'name' | 'value' | 'path' | 'isVersionOf'> & { readonly key?: string };

function readSettings({ manifest, beside = [] }: Install): ReadonlyMap<string, Setting> {
  const { object } = manifest;
  const title = `${object.kind} ${titleOf(object)}`;
  const template = podTemplateOf(object);
  const own = template ? settingsOfWorkload(object, template) : settingsOfRelease(object);
  const found = own.filter(({ name }) => !HARMLESS.test(name));
  return new Map([
    ...found.map(({ key, ...one }): [string, Setting] => {
      const named = key ?? fieldAt(one.path);
      return [named, { ...one, field: `${title}, ${named}`, manifest }];
    }),
    ...beside.map(({ manifest: other, value }): [string, Setting] => {
      const field = `${other.object.kind} ${titleOf(other.object)}`;
      return [field, { field, name: field, value, manifest: other, path: [], isHidden: true }];
    }),
  ]);
}

/** Flags of logs, metrics, profiles, elections and queues, and values of charts that decide how and where pods run. */
const HARMLESS =
  /^(v|vmodule|logtostderr|alsologtostderr|stderrthreshold|add-dir-header)$|^(log|logging|zap|metrics|health|profiling|pprof|leader-elect|leader-election|kube-api|sync-period)(-|$)|-(bind-addr|bind-port|bind-address)$|-max-concurrent-reconciles$|^(logLevel|resources|pod(Labels|Annotations|DisruptionBudget)|affinity|tolerations|nodeSelector|topologySpreadConstraints|priorityClassName|serviceMonitor)$/;

function settingsOfWorkload(object: Json, template: Json): Found[] {
  const { replicas } = mapIn(object, 'spec');
  const { serviceAccountName = 'default' } = mapIn(template, 'spec');
  const ofPod: YamlPath = ['spec', 'template', 'spec'];
  return [
    ...(replicas === 0 ? [{ name: 'replicas', value: 0, path: ['spec', 'replicas'] }] : []),
    { name: 'serviceAccountName', value: serviceAccountName, path: [...ofPod, 'serviceAccountName'] },
    ...mapsIn(template.spec, 'containers').flatMap((container, i): Found[] => {
      const path: YamlPath = [...ofPod, 'containers', i];
      const { envFrom, image } = container;
      return [
        ...flagsAmong(wordsOf(container)).map(({ name, value }) => {
          return { key: `--${name}`, name, value, path: [...path, 'args'] };
        }),
        ...mapsIn(container, 'env').map(({ name, value, valueFrom }) => {
          const key = `variable ${String(name)}`;
          return { key, name: key, value: value ?? valueFrom ?? '', path: [...path, 'env'] };
        }),
        { key: 'envFrom', name: 'envFrom', value: envFrom, path: [...path, 'envFrom'] },
        ...(i === 0
          ? [{ key: 'image', name: 'image', value: image, path: [...path, 'image'], isVersionOf: 'image' as const }]
          : []),
      ];
    }),
  ];
}

/** Fields of the release of a chart that decide how it is rolled out. */
const ROLLOUT: ReadonlySet<string> = new Set([
  ...['interval', 'timeout', 'maxHistory', 'install', 'upgrade', 'rollback', 'test', 'uninstall', 'driftDetection'],
  ...['syncPolicy', 'project', 'info', 'revisionHistoryLimit', 'ignoreDifferences', 'dependsOn'],
]);

function settingsOfRelease({ spec }: Json): Found[] {
  const fields = Object.entries(isMap(spec) ? spec : {}).filter(([key]) => !ROLLOUT.has(key));
  return fieldsIn(Object.fromEntries(fields), ['spec']);
}

function fieldsIn(map: Json, path: YamlPath): Found[] {
  return Object.entries(map).flatMap(([name, value]): Found[] => {
    const at = [...path, name];
    const values = valuesIn(name, value);
    if (values) {
      return Object.entries(values).map(([key, one]) => ({ name: key, value: one, path: [...at, key] }));
    }
    if (isMap(value)) {
      return fieldsIn(value, at);
    }
    if (Array.isArray(value) && value.every(isMap)) {
      return value.flatMap((one, i) => fieldsIn(one, [...at, i]));
    }
    const isVersion = typeof map.chart === 'string' && (name === 'version' || name === 'targetRevision');
    return [{ name, value, path: at, ...(isVersion && { isVersionOf: 'chart' }) }];
  });
}

/** The values of a chart in a field of a release; undefined for another field. */
function valuesIn(name: string, value: unknown): Json | undefined {
  switch (name) {
    case 'values':
    case 'valuesObject':
    case 'valuesContent':
    case 'set':
      return isMap(value) ? value : typeof value === 'string' ? valuesOfText(value) : undefined;
    case 'parameters':
      return Array.isArray(value)
        ? Object.fromEntries(value.filter(isMap).map((one) => [String(one.name), one.value]))
        : undefined;
    default:
      return undefined;
  }
}

/** The settings of a text; undefined if it is not a map in YAML or JSON. */
export function valuesOfText(text: string): Json | undefined {
  const { values, faults } = readKubernetesYaml(text);
  const [first] = values;
  return faults.length === 0 && values.length === 1 && isMap(first.value) ? first.value : undefined;
}
