import type { Random } from '../../../support/random';
import { casesIn } from '../../../support/yaml-cases';
import { type Body, documents, type Family, type TruthWord, truthOf, withPatch } from './folder-pair';

// Gateways of Envoy Gateway, with their classes, parameters and routes. What is true is what the Service that is made of them would be:
// envoyproxy/gateway v1.9.1, internal/infrastructure/kubernetes/proxy/resource_provider.go and internal/gatewayapi.

interface Mutation {
  readonly name: string;
  /** What both sides have before it. */
  readonly from?: Body;
  readonly change: Body;
  readonly truth: TruthWord;
}

const { objects, changes }: { objects: Body; changes: readonly Mutation[] } = casesIn(__dirname, 'gateways.yaml');

function pairOf(_: Random, number: number) {
  const { name, from = {}, change, truth } = changes[number % changes.length];
  const before = withPatch(objects, from);
  const textOf = ({ more, ...parts }: Body) => documents(...Object.values(parts), ...more);
  return {
    changes: [`gateway: ${name}`],
    before: { 'gateway.yaml': textOf(before) },
    after: { 'gateway.yaml': textOf(withPatch(before, change)) },
    context: 'controllers: [aws-load-balancer-controller]\n',
    options: { prune: true },
    // all Gateways of a class that merges them have a Service that is named by it
    truths: new Map([
      [`envoy-gateway-system/envoy-${before.proxy.spec.mergeGateways ? 'shared' : 'edge-public'}-*`, truthOf(truth)],
    ]),
  };
}

/** Pairs in which a Gateway changes, or what decides of it. */
export const GATEWAYS: Family = { name: 'gateways', changes: changes.map(({ name }) => name), pairOf };
