import { type Json, mapIn, mapsIn } from '../../contract/json';
import { printable } from '../../contract/printable';
import { podTemplateOf } from '../../contract/workload';
import { OTHER_CONTROLLERS, UNLISTED, UNLISTED_IMAGE } from '../../controllers/marks.facts';
import type { Install, Side, SideBalancer } from '../../diff/side';
import { OPERATOR } from '../../kafka/strimzi/upgrades.facts';
import { podNameOf } from '../../later/kafka-services';
import { type ReportedService, titleOf } from '../../later/later';
import type { BalancerToReport } from '../../report/report-options';
import { definitionOf, unwrapped } from '../../rules/controller-definition';
import { KUBERNETES } from '../../rules/kubernetes-upgrades.facts';
import { type Manifest, ManifestIndex } from '../../rules/manifest-objects';
import { type BalancedFiles, balancedIn } from '../balanced-files';
import { installsOfCharts, installsOfKustomizations } from '../context/charts-seen';
import type { CheckContext } from '../context/check-context';
import { partsOfControllers, runningControllers } from '../context/controllers-seen';
import { type InputsAmong, withInputs } from '../context/install-inputs';
import { runsImage } from '../context/seen';
import type { Found } from '../owner-finder';
import { isDump } from './live';
import type { ReadSide } from './read-sides';

/** A side of a difference, and what the command says of it beside its balancers. */
export interface DiffedSide {
  readonly side: Side;
  readonly read: ReadSide;
  readonly files: BalancedFiles;
  /** What a report has of each balancer. */
  readonly reported: ReadonlyMap<SideBalancer, BalancerToReport>;
}

/**
 * A side as the engine takes it: both sides call files the same.
 *
 * @param older of the newer side, the other one
 */
export function sideOf(read: ReadSide, older?: DiffedSide): DiffedSide {
  const files = balancedIn(
    {
      ...read.read,
      manifests: read.read.manifests.map((manifest) => commonly(manifest, read)),
      patchFiles: common(read),
    },
    read.context,
    older?.side.manifests,
  );
  const { manifests, whole, context } = files;
  const isLive = isDump(whole) || (whole.length === 0 && (read.read.emptyLists ?? []).length > 0);
  const found = withoutGenerated(files.services, isLive).flatMap((service) => files.find(service));
  const reported = new Map(found.map((one) => [balancerOf(one), one.balancer]));
  return {
    side: {
      name: read.name,
      manifests: whole,
      balancers: [...reported.keys()],
      ...(isLive && { isLive }),
      // what is inferred shows some controllers, and never that no other one runs
      ...(context.controllers &&
        context.areControllersInferred !== true && { controllers: context.controllers.map(({ name }) => name) }),
      installs: installsOn(inputsAmong(read, manifests)),
      versions: versionsIn(context),
      keeper: context.keeper,
      ...(context.nodePools && { nodePools: Object.values(context.nodePools) }),
      gaps: read.read.unreadable.map(({ place: { file, line }, what }) =>
        printable(`${read.shown(read.common(file))}:${line} cannot be read: ${what}`),
      ),
    },
    read,
    files,
    reported,
  };
}

function commonly<M extends Manifest>(manifest: M, { common: called }: ReadSide): M {
  return { ...manifest, file: called(manifest.file) };
}

function common({ read: { patchFiles = new Set() }, common: called }: ReadSide): Set<string> {
  return new Set([...patchFiles].map(called));
}

/** A cluster has what was made under the name that was generated; its maker would be there for it once more. */
function withoutGenerated(services: readonly ReportedService[], isLive: boolean): readonly ReportedService[] {
  return isLive
    ? services.filter(({ object: { metadata }, madeOf }) => !madeOf || metadata.name !== undefined)
    : services;
}

function balancerOf({ service: written, balancer, state, guess, hasOwner }: Found): SideBalancer {
  const { owner, controller, unknown, made, namespace, name, service } = balancer;
  const id = `${namespace}/${name}`;
  return {
    id,
    title: printable(calledAs(written, id)),
    service,
    written,
    ...(controller && { owner, controller }),
    ...(guess !== undefined && { guess }),
    ...(!controller && unknown !== undefined && { unowned: unknown }),
    ...(!controller && hasOwner && { otherOwner: owner }),
    ownership: state,
    ...(made && { made }),
  };
}

/** For people: its name, or what makes it. */
function calledAs({ madeOf, madeBy = '', object }: ReportedService, id: string): string {
  if (!madeOf) {
    return id;
  }
  const { kind } = madeOf.object;
  const [, listener] = /, (listener '.*')$/.exec(madeBy) ?? [];
  if (listener === undefined) {
    return `${kind} ${titleOf(madeOf.object)}`;
  }
  const pod = podNameOf(object);
  const broker = /\d+$/.exec(pod ?? '')?.[0];
  return `${titleOf(madeOf.object)}, ${listener}, ${broker === undefined ? (pod ?? 'bootstrap') : `broker ${broker}`}`;
}

/** What installs controllers, with what it is installed with. */
function installsOn(among: InputsAmong): Install[] {
  const installs = [...installsIn(among.manifests), ...installsOfKustomizations(among.kustomizations)];
  return installs.map((install) => withInputs(install, among, installs));
}

/** What installations may be made of beside their own objects. */
function inputsAmong(read: ReadSide, manifests: readonly Manifest[]): InputsAmong {
  const { documents = [], kustomizations = [] } = read.read;
  const [others, rendering] = [documents, kustomizations].map((all) => all.map((one) => commonly(one, read)));
  return { manifests, documents: others, kustomizations: rendering };
}

function installsIn(manifests: readonly Manifest[]): Install[] {
  const byObject = new Map<Json, Manifest>(manifests.map((manifest) => [manifest.object, manifest]));
  const index = new ManifestIndex(manifests);
  const workloads = [...runningControllers(index), ...partsOfControllers(index)].flatMap(({ value, by }) =>
    by.flatMap(({ json }) => {
      const manifest = byObject.get(json);
      return manifest ? [{ controller: value.name, manifest }] : [];
    }),
  );
  return [
    ...workloads,
    ...installsOfOthers(manifests.filter((one) => !workloads.some(({ manifest }) => manifest === one))),
    ...installsOfCharts(manifests),
  ];
}

/** The workloads that run controllers without rules here. */
function installsOfOthers(manifests: readonly Manifest[]): Install[] {
  return manifests.flatMap((manifest) => {
    const containers = mapsIn(mapIn(podTemplateOf(manifest.object), 'spec'), 'containers');
    const others = OTHER_CONTROLLERS.filter(({ images = [] }) =>
      containers.some((container) => images.some((image) => runsImage(container, image))),
    ).map(({ id }) => id);
    const isUnlisted = containers.some(({ image }) => UNLISTED_IMAGE.test(String(image)));
    const names = others.length > 0 ? others : isUnlisted ? [UNLISTED] : [];
    return names.map((controller) => ({ controller, manifest }));
  });
}

/** The versions of what runs in the cluster, as far as they are known. */
function versionsIn({ kubernetes, strimzi, controllers = [], versions }: CheckContext): Record<string, string> {
  const installed = controllers.flatMap((controller): [string, string][] => {
    const { version } = definitionOf(controller)?.versionOf?.(unwrapped(controller)) ?? {};
    return version === undefined ? [] : [[controller.name, version]];
  });
  return {
    ...(kubernetes && { [KUBERNETES]: kubernetes.version }),
    ...(strimzi && { [OPERATOR.name]: strimzi.version }),
    ...Object.fromEntries(installed),
    ...versions,
  };
}
