import type { Json } from '../../contract/json';
import type { LikelyOwner } from '../../rules/claimants';
import { type Claim, claimsOf, nodePortClaim } from '../../rules/claims';
import type { ControllerDefinition } from '../../rules/controller-definition';
import { bootstrapOf, brokersOf, titleOf } from '../document/kafka-json';
import type { IKafkaCluster } from './i-kafka-cluster';

/**
 * What the Services of one listener claim beside other objects. Names in DNS within one Kafka are validated by a rule of the
 * document, which knows what brokers advertise.
 */
export function claimsOfServices(
  { kafka }: IKafkaCluster,
  services: readonly Json[],
  kind: ControllerDefinition | undefined,
): Claim[] {
  return services.flatMap((service) => claimsOf(service, kind)).map((claim) => ({ ...claim, document: kafka }));
}

/** The same of a listener that no construct plans. */
export function claimsOfUnplanned(
  cluster: IKafkaCluster,
  services: readonly Json[],
  owner: LikelyOwner | undefined,
): Claim[] {
  return claimsOfServices(cluster, services, owner?.kind).map((claim) =>
    owner?.isSure === false && claim.who === owner.kind.name ? { ...claim, isUnsure: true } : claim,
  );
}

/** The node ports that a listener asks for. */
export function claimsOfNodePorts({ clusterName, namespace }: IKafkaCluster, listener: Json): Claim[] {
  const ports = [bootstrapOf(listener), ...brokersOf(listener)]
    .map(({ nodePort }) => nodePort)
    .filter(Number.isInteger);
  const kafka = namespace === undefined ? clusterName : `${namespace}/${clusterName}`;
  return [...new Set(ports)].map((port) => ({
    of: `${titleOf(listener)} of Kafka ${kafka}`,
    ...nodePortClaim(`${port}`),
  }));
}
