import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { parse } from 'yaml';
import { Confidence } from '../../src/contract/kubernetes.facts';
import {
  BalancerChoice,
  BalancerTarget,
  ClientAddressMeans,
  type LoadBalancerModel,
} from '../../src/contract/load-balancer-model';
import { LoadBalancerScheme } from '../../src/contract/options';
import type { BilledBalancer } from '../../src/cost/balancers';
import type { BillOptions } from '../../src/cost/charges';
import { casesIn } from '../support/yaml-cases';

const SOURCE = { repository: 'tests', version: '1', file: 'balancers.ts' };

const PLAIN: LoadBalancerModel = {
  product: 'none',
  name: 'addresses of nodes',
  scheme: LoadBalancerScheme.INTERNET_FACING,
  target: BalancerTarget.NODE_PORT,
  choice: BalancerChoice.EVEN,
  clientAddress: ClientAddressMeans.SOURCE,
  listeners: 1,
  publicAddresses: { count: 0, perZone: false },
  limits: [],
  source: SOURCE,
  confidence: Confidence.SOURCE,
};

const PRODUCTS: Readonly<Record<string, Partial<LoadBalancerModel>>> = casesIn(__dirname, 'balancers.yaml').products;

export const INTERNAL = LoadBalancerScheme.INTERNAL;

type Given = Omit<Partial<BilledBalancer>, 'made'> & { readonly made?: Partial<LoadBalancerModel> };

/** A balancer of a product, for the Service `shop/web` unless something else is given. */
export function balancer(product: string, { made, ...given }: Given = {}): BilledBalancer {
  return {
    owner: 'cloud',
    namespace: 'shop',
    name: 'web',
    ...given,
    made: { ...PLAIN, product, ...PRODUCTS[product], ...made },
  };
}

/** Several of them, with names of their own. */
export function balancers(count: number, product: string, given: Given = {}): BilledBalancer[] {
  return Array.from({ length: count }, (_, index) => balancer(product, { name: `web-${index}`, ...given }));
}

/** Balancers in a file of cases: of one product, and as many as are counted. */
export type Written = Given & { readonly product: string; readonly count?: number };

export function balancersOf(written: readonly Written[]): BilledBalancer[] {
  return written.flatMap(({ product, count, ...given }) =>
    count === undefined ? balancer(product, given) : balancers(count, product, given),
  );
}

export const readCases = <T>(file: string): T => parse(readFileSync(join(__dirname, file), 'utf8'));

const amount = fc.integer({ min: 0, max: 100_000 }).map((thousandths) => thousandths / 1_000);
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });

/** Balancers of all products, some shared, some with figures of their own. */
export const anyBalancers: fc.Arbitrary<BilledBalancer[]> = fc.array(
  fc
    .record({
      product: fc.constantFrom(...Object.keys(PRODUCTS), 'acme/balancer'),
      owner: fc.constantFrom('one', 'two'),
      namespace: fc.constantFrom('edge', 'kafka', 'shop'),
      name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      tenant: maybe(fc.constantFrom('ann', 'bob')),
      zones: maybe(fc.integer({ min: 1, max: 4 })),
      listeners: fc.integer({ min: 0, max: 60 }),
      scheme: fc.constantFrom(undefined, ...Object.values(LoadBalancerScheme)),
      sharedBy: maybe(fc.constantFrom('x', 'y')),
      targets: maybe(fc.integer({ min: 0, max: 50 })),
      ports: maybe(fc.uniqueArray(fc.constantFrom('80/TCP', '443/TCP', '53/UDP'))),
      gbPerMonth: maybe(amount),
      newPerSecond: maybe(amount),
    })
    .map(({ product, listeners, scheme, sharedBy, gbPerMonth, newPerSecond, ...given }) =>
      balancer(product, {
        ...given,
        traffic: { gbPerMonth, newPerSecond },
        made: { listeners, scheme, ...(sharedBy !== undefined && { sharedBy }) },
      }),
    ),
  { maxLength: 12 },
);

export const anyOptions: fc.Arbitrary<BillOptions> = fc.record({
  region: maybe(fc.constantFrom('eu-west-1', 'us-east-1', 'westeurope', 'fsn1', 'mars')),
  zones: maybe(fc.integer({ min: 0, max: 3 })),
  zoneCrossings: maybe(fc.constantFrom(0, 0.667, 1.3333)),
  gbPerMonth: maybe(amount),
  gbOutPerMonth: maybe(amount),
});
