import { list, sorted } from '../../contract/json';
import { findingOf } from '../../contract/rule';
import { parentRefJson } from '../../gateway/parent-ref';
import { configurationOf, shown } from '../document/kafka-json';
import type { KafkaTlsRouteGateway } from '../listener/kafka-tls-route-gateway';
import type { MergedListener, WantedListener } from '../listener/listener-merge';
import { MANIFEST_CONTRADICTS_PLAN } from '../listener/listener-provenance';
import { listenerTree } from '../listener/listener-tree';
import { referencesTo } from '../listener/route-parents';
import type { IKafkaCluster } from '../operator/i-kafka-cluster';
import { LISTENER_TYPES } from '../strimzi/operator-services.facts';
import { GatewayFit, portToAdvertise } from './gateway-fit';
import type { KafkaTlsRouteListenerProps } from './kafka-tls-route-listener';

/** What a listener behind Gateways is to hold: its props decide what all routes have. */
export function wantedRouteListener(path: string, props: KafkaTlsRouteListenerProps): WantedListener {
  const { advertisedPort, advertisedPortTemplate, routeAnnotations = {}, routeLabels = {} } = props;
  if (advertisedPort !== undefined && advertisedPortTemplate !== undefined) {
    throw new Error(`${path}: advertisedPort and advertisedPortTemplate are both given; keep one`);
  }
  const template = advertisedPort === undefined ? advertisedPortTemplate : String(advertisedPort);
  const tree = { ...props, advertisedPortTemplate: template };
  const metadata = { annotations: routeAnnotations, labels: routeLabels };
  return {
    name: props.name,
    owner: 'strimzi',
    planner: 'routeAnnotations or routeLabels',
    props: listenerTree(path, LISTENER_TYPES.tlsRoute, tree),
    plan: { configuration: { bootstrap: metadata } },
    everyBroker: metadata,
    namesBrokers: false,
  };
}

/** A listener with its Gateways, and the port under which they serve it. */
export function routedListener(
  cluster: IKafkaCluster,
  parents: readonly KafkaTlsRouteGateway[],
  { json: listener, contradictions }: MergedListener,
): MergedListener {
  const configuration = { ...configurationOf(listener) };
  const { namespace } = cluster;
  const wanted = parents.map(({ gateway, sectionName }) => sorted(parentRefJson(gateway, sectionName)));
  if (list(configuration.parentRefs).length === 0) {
    configuration.parentRefs = wanted;
  }
  const json = { ...listener, configuration };
  const present = shown(configuration.parentRefs);
  const lost = wanted.filter((_, i) => referencesTo(json, parents[i], namespace).length === 0);
  const findings = lost.map((one) => ({
    what: `listener '${listener.name}': the manifest sets configuration.parentRefs ${present}, but the props set ${shown(one)}`,
    remedy: 'take it out of the manifest, or request the same',
    value: present,
  }));
  const fits = parents.map((parent) => new GatewayFit(cluster, json, parent));
  const port = portToAdvertise(cluster, json, fits);
  if (port !== undefined) {
    configuration.advertisedPortTemplate = String(port);
  }
  return {
    json: sorted({ ...json, configuration: sorted(configuration) }),
    contradictions: [
      ...contradictions,
      ...findings.map((finding) => findingOf(MANIFEST_CONTRADICTS_PLAN, finding, 'strimzi')),
    ],
  };
}
