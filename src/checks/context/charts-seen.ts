import { textsAt } from '../../contract/json';
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

/** A chart may be named with its repository, or as a package: `eks/aws-load-balancer-controller`. */
function nameOf(chart: string): string {
  return chart.slice(chart.lastIndexOf('/') + 1);
}
