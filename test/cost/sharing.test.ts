import { billOf, differenceOf } from '../../src/cost/bill';
import { savedBy } from '../../src/cost/sharing';
import { balancer, balancers, INTERNAL } from './balancers';

const ports = (...numbers: number[]) => numbers.map((port) => `${port}/TCP`);

test('four balancers of a Kafka cluster are one', () => {
  const given = [9092, 9093, 9094, 9095].map((port) =>
    balancer('aws/nlb', { namespace: 'kafka', name: `broker-${port}`, zones: 3, ports: ports(port) }),
  );
  const { difference, ...counts } = savedBy(given);
  expect(counts).toEqual({ balancers: 4, enough: 1, withoutPorts: [] });
  expect(difference.text).toBe('USD 109.50 -> USD 27.38: - 3 × (0.0225 × 730 h + 3 zones × 3.65 public IPv4)');
  expect(`${difference.amounts}`).toBe('USD -82.13');
});

test('two Services with one port need two balancers, and so do owners, schemes and products', () => {
  const given = [
    balancer('aws/clb', { name: 'a', ports: ports(80) }),
    balancer('aws/clb', { name: 'b', ports: ports(80) }),
    balancer('aws/clb', { name: 'c', ports: ports(81) }),
    balancer('aws/clb', { name: 'd', ports: ports(82), made: { scheme: INTERNAL } }),
    balancer('aws/clb', { name: 'e', ports: ports(83), owner: 'other' }),
    balancer('aws/nlb', { name: 'f', ports: ports(84), zones: 1 }),
  ];
  expect(savedBy(given)).toMatchObject({ balancers: 6, enough: 5 });
});

test('no balancer has more listeners than one may have', () => {
  expect(savedBy(balancers(6, 'aws/nlb', { zones: 1, made: { listeners: 20 } }))).toMatchObject({
    balancers: 6,
    enough: 3,
    withoutPorts: [0, 1, 2, 3, 4, 5].map((index) => `shop/web-${index}`),
  });
});

test('what has no price of its own saves nothing', () => {
  for (const product of ['azure/standard', 'gcp/passthrough-external', 'none', 'acme/lb']) {
    expect(savedBy(balancers(3, product)).difference.text).toBe('no difference');
  }
});

test('Services of several namespaces share', () => {
  const given = ['a', 'a', 'b'].map((namespace, index) => balancer('aws/clb', { namespace, name: `web-${index}` }));
  expect(`${savedBy(given).difference.amounts}`).toBe('USD -36.50');
});

describe('the difference between two bills', () => {
  test('names terms that came and went', () => {
    const before = billOf([...balancers(2, 'aws/clb'), balancer('hetzner/lb11', { name: 'h' })]);
    const after = billOf([balancer('aws/nlb', { zones: 2 }), balancer('hetzner/lb11', { name: 'h' })]);
    const difference = differenceOf(before, after);
    expect(difference.text).toBe(
      'EUR 7.49 + USD 36.50 -> EUR 7.49 + USD 23.73: - 2 × 0.025 × 730 h + (0.0225 × 730 h + 2 zones × 3.65 public IPv4)',
    );
    expect(difference).toMatchObject({ balancers: -1, isKnown: true });
  });

  test('is not known where a term is missing', () => {
    const difference = differenceOf(billOf([]), billOf([balancer('aws/nlb')]));
    expect(difference).toMatchObject({ isKnown: false });
    expect(difference.text).toBe(
      'at least 0.00 -> at least USD 16.43: + (0.0225 × 730 h + (public IPv4: needs zones))',
    );
  });
});
