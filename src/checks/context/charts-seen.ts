import { type Json, mapIn, textsAt } from '../../contract/json';
import type { Install } from '../../diff/side';
import type { Manifest } from '../../rules/manifest-objects';
import { CHART_SOURCES, CHARTS, RELEASES } from './evidence.facts';

/** The controllers that objects of GitOps install by their charts: no workload of them is among the objects. */
export function installsOfCharts(manifests: readonly Manifest[]): Install[] {
  return manifests.flatMap((manifest) => {
    const { object } = manifest;
    const charts = [...chartsIn(object, RELEASES), ...chartsOfSource(object, manifests)];
    return controllersOf(charts).map((controller) => ({ controller, manifest }));
  });
}

/** A kind of object that has a chart installed, with the steps to the charts that it names. */
interface ReleaseFact {
  readonly group: string;
  readonly kind: string;
  readonly paths: readonly (readonly string[])[];
}

function controllersOf(charts: readonly string[]): string[] {
  return CHARTS.filter(({ chart }) => charts.includes(chart)).map(({ controller }) => controller);
}

function chartsIn(object: Json, facts: readonly ReleaseFact[]): string[] {
  const fact = facts.find(
    ({ group, kind }) => kind === object.kind && String(object.apiVersion).startsWith(`${group}/`),
  );
  return (fact?.paths ?? []).flatMap((path) => textsAt(object, path)).map(nameOf);
}

/** The charts of what a release names as its source. */
function chartsOfSource(release: Json, manifests: readonly Manifest[]): string[] {
  const { kind, name, namespace = mapIn(release, 'metadata').namespace } = mapIn(mapIn(release, 'spec'), 'chartRef');
  const found = manifests.filter(({ object }) => {
    const metadata = mapIn(object, 'metadata');
    return kind !== undefined && object.kind === kind && metadata.name === name && metadata.namespace === namespace;
  });
  return found.flatMap(({ object }) => chartsIn(object, CHART_SOURCES));
}

/** A chart may be named with its repository, or as a package: `eks/aws-load-balancer-controller`. */
function nameOf(chart: string): string {
  return chart.slice(chart.lastIndexOf('/') + 1);
}
