import { isMap, isSet, type Json, list, mapIn, mapsIn } from '../contract/json';
import { readKubernetesYaml } from '../contract/kubernetes-yaml';
import { flagsAmong } from '../contract/program-flags';
import { podTemplateOf } from '../contract/workload';
import type { YamlPath } from '../contract/yaml-source';
import { titleOf } from '../later/later';
import type { InstallEdits } from '../rules/install-edits';
import type { Manifest } from '../rules/manifest-objects';
import { HARMLESS_FLAGS, HARMLESS_OF_RELEASES } from './install-settings.facts';
import { fieldAt } from './said';
import type { Install, InstallInput } from './side';

// What a controller is installed with: flags, variables, and values of its chart, each by one name however it is written.

/** A setting with where it is. */
export interface Setting {
  /** For people: `Deployment kube-system/lbc, --cluster-name`. */
  readonly field: string;
  readonly value: unknown;
  readonly manifest: Manifest;
  readonly path: YamlPath;
  /** The name of its flag, where it is one or becomes one. */
  readonly flag?: string;
  /** Whether its value is never printed. */
  readonly isHidden?: true;
  /** The name of its value of a chart. */
  readonly chartValue?: string;
}

export const IMAGE = 'image';
export const CHART_VERSION = 'version of the chart';
export const REPLICAS = 'spec.replicas';

const SETTINGS = new WeakMap<Install, ReadonlyMap<string, Setting>>();

/** The settings of an installation by their names: few of them for many Services. */
export function settingsOf(install: Install, edits: InstallEdits | undefined): ReadonlyMap<string, Setting> {
  const known = SETTINGS.get(install) ?? readSettings(install, edits);
  SETTINGS.set(install, known);
  return known;
}

function readSettings(install: Install, edits: InstallEdits | undefined): ReadonlyMap<string, Setting> {
  const { manifest, beside = [] } = install;
  const template = podTemplateOf(manifest.object);
  const own = template ? settingsOfWorkload(manifest, template) : settingsOfRelease(manifest, edits);
  return new Map([...own, ...beside.map(settingBeside)]);
}

/** An object beside it; its value is never printed. */
function settingBeside({ manifest, value }: InstallInput): Named {
  const field = `${manifest.object.kind} ${titleOf(manifest.object)}`;
  return [field, { field, value, manifest, path: [], isHidden: true }];
}

type Named = [name: string, setting: Setting];

const named = (name: string, setting: Setting): Named => [name, setting];

function settingsOfWorkload(manifest: Manifest, template: Json): Named[] {
  const title = `${manifest.object.kind} ${titleOf(manifest.object)}`;
  const at = (name: string, value: unknown, path: YamlPath, more: Partial<Setting> = {}): Named => [
    name,
    { field: `${title}, ${name}`, value, manifest, path, ...more },
  ];
  const { replicas } = mapIn(manifest.object, 'spec');
  const { serviceAccountName = 'default' } = mapIn(template, 'spec');
  const ofPod: YamlPath = ['spec', 'template', 'spec'];
  return [
    ...(replicas === 0 ? [at(REPLICAS, 0, ['spec', 'replicas'])] : []),
    at('spec.template.spec.serviceAccountName', serviceAccountName, [...ofPod, 'serviceAccountName']),
    ...mapsIn(template.spec, 'containers').flatMap((container, i) => {
      const path: YamlPath = [...ofPod, 'containers', i];
      const { envFrom, image, command, args } = container;
      const texts = [...list<unknown>(command), ...list<unknown>(args)].map(String);
      return [
        ...flagsIn(texts).map(([written, value]): Named => {
          const flag = written.replace(/^-+/, '');
          return [`--${flag}`, { field: `${title}, ${written}`, value, manifest, path: [...path, 'args'], flag }];
        }),
        ...mapsIn(container, 'env').map(({ name, value, valueFrom }) =>
          at(`variable ${String(name)}`, value ?? valueFrom ?? '', [...path, 'env']),
        ),
        ...(isSet(envFrom) ? [at('envFrom', envFrom, [...path, 'envFrom'])] : []),
        ...(i === 0 ? [at(IMAGE, image, [...path, 'image'])] : []),
      ];
    }),
  ];
}

/** `--name=value`, `--name value` and `--name`; those that say nothing of balancers are left out. */
function flagsIn(texts: readonly string[]): [string, string][] {
  return flagsAmong(texts)
    .filter(({ name }) => !HARMLESS_FLAGS.test(name))
    .map(({ written, value }) => [written, value]);
}

/** Where values of a chart are written. */
interface ValuesAt extends Pick<Setting, 'manifest' | 'path'> {
  readonly title: string;
}

function valuesIn(values: Json, { path, title, ...at }: ValuesAt, edits: InstallEdits | undefined): Named[] {
  return Object.entries(values).map(([name, value]) => {
    const flag = edits?.flagOfValue?.[name];
    const where = { ...at, field: `${title}, ${name}`, path: [...path, name] };
    return flag === undefined
      ? [`value ${name}`, { ...where, value, chartValue: name }]
      : [`--${flag}`, { ...where, value: isSet(value) ? asFlag(value) : undefined, flag, chartValue: name }];
  });
}

/** A value as the templates of charts write it. */
function asFlag(value: unknown): string {
  if (Array.isArray(value)) {
    return value.map(String).join();
  }
  return isMap(value)
    ? Object.entries(value)
        .map(([key, one]) => `${key}=${String(one)}`)
        .join()
    : String(value);
}

function settingsOfRelease(manifest: Manifest, edits: InstallEdits | undefined): Named[] {
  const { object } = manifest;
  const title = `${object.kind} ${titleOf(object)}`;
  const spec = mapIn(object, 'spec');
  const found: Named[] = [];
  const rest = (one: Json, path: YamlPath): Json => {
    const left: Json = {};
    for (const [key, value] of Object.entries(one)) {
      const at = [...path, key];
      const values = valuesOfKey(key, value);
      if (values) {
        found.push(...valuesIn(values, { manifest, path: at, title: `${title}, ${at.join('.')}` }, edits));
      } else if (isChartVersion(key, one)) {
        found.push(named(CHART_VERSION, { field: `${title}, ${fieldAt(at)}`, value, manifest, path: at }));
      } else if (key === 'chart' && isMap(value) && isMap(value.spec)) {
        left[key] = { ...value, spec: rest(value.spec, [...at, 'spec']) };
      } else if (key === 'helm' && isMap(value)) {
        const others = rest(value, at);
        Object.assign(left, Object.keys(others).length > 0 && { helm: others });
      } else {
        left[key] = value;
      }
    }
    return left;
  };
  const others = rest(spec, ['spec']);
  const sources = isMap(others.source) ? { source: rest(others.source, ['spec', 'source']) } : {};
  const several = Array.isArray(others.sources)
    ? { sources: mapsIn(others, 'sources').map((source, i) => rest(source, ['spec', 'sources', i])) }
    : {};
  const own = Object.entries({ ...others, ...sources, ...several })
    .filter(([key]) => !HARMLESS_OF_RELEASES.has(key))
    .map(([key, value]) =>
      named(`spec.${key}`, { field: `${title}, spec.${key}`, value, manifest, path: ['spec', key] }),
    );
  return [...own, ...found];
}

/** Whether a field is the version of the chart that another one beside it names. */
function isChartVersion(key: string, { chart }: Json): boolean {
  return typeof chart === 'string' && (key === 'version' || key === 'targetRevision');
}

/** The values of a chart in a field of a release; nothing where the field is something else. */
function valuesOfKey(key: string, value: unknown): Json | undefined {
  switch (key) {
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

/** What a text holds that is YAML. */
function valuesOfText(text: string): Json | undefined {
  const { values, faults } = readKubernetesYaml(text);
  const [first] = values;
  return faults.length === 0 && values.length === 1 && isMap(first.value) ? first.value : undefined;
}
