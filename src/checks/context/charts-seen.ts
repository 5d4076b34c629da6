import { isMap } from '../../contract/json';
import type { Install } from '../../diff/side';
import type { Manifest } from '../../rules/manifest-objects';
import { CHARTS, RELEASES } from './charts.facts';

/** The controllers that objects of GitOps install by their charts: no workload of them is among the objects. */
export function installsOfCharts(manifests: readonly Manifest[]): Install[] {
  return manifests.flatMap((manifest) => {
    const { apiVersion, kind } = manifest.object;
    const release = RELEASES.find((one) => one.kind === kind && String(apiVersion).startsWith(`${one.group}/`));
    const charts = (release?.paths ?? []).flatMap((path) => textsAt(manifest.object, path)).map(nameOf);
    return CHARTS.filter(({ chart }) => charts.includes(chart)).map(({ controller }) => ({ controller, manifest }));
  });
}

/** The texts at the end of some steps; a list has its items looked into. */
function textsAt(value: unknown, [step, ...others]: readonly string[]): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item) => textsAt(item, step === undefined ? [] : [step, ...others]));
  }
  if (step === undefined) {
    return typeof value === 'string' ? [value] : [];
  }
  return isMap(value) ? textsAt(value[step], others) : [];
}

/** A chart may be named with its repository, or as a package: `eks/aws-load-balancer-controller`. */
function nameOf(chart: string): string {
  return chart.slice(chart.lastIndexOf('/') + 1);
}
