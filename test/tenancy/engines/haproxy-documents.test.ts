import type { AttachedService, Attachment, Document } from '../../../src/tenancy/engines/contract/publishing';
import { type HaproxySettings, haproxyDocuments, haproxyTable } from '../../../src/tenancy/engines/haproxy/documents';

const DB: AttachedService = { name: 'db', ports: [{ port: 30017, servicePort: 5432 }] };
const CACHE: AttachedService = { name: 'cache', ports: [{ port: 6379, servicePort: 6379 }] };
const BALANCER = { name: 'shared', namespace: 'infra' };

function documents(more: Partial<Attachment> = {}, settings: Partial<HaproxySettings> = {}): Document[] {
  const attachment = { name: 'shared', namespace: 'team-a', balancer: BALANCER, services: [DB], ...more };
  return haproxyDocuments(attachment, { ingressClass: 'lb', ...settings });
}

function frontend(more: Partial<Attachment> = {}, settings: Partial<HaproxySettings> = {}): Document {
  return documents(more, settings)[0].spec[0].frontend;
}

const suspension = (type: string) => ({
  type,
  action: 'reject',
  cond: 'if',
  cond_test: '{ str(team-a) -m str -f opt@patterns/suspended }',
});

const withRanges = (...sourceRanges: string[]) => ({ services: [{ ...DB, sourceRanges }] });

test('one object for a tenant, with a frontend for each port and the class of the installation', () => {
  const [object, ...others] = documents({ services: [DB, CACHE] });
  expect(others).toEqual([]);
  expect(object.metadata).toEqual({ name: 'shared', namespace: 'team-a', annotations: { 'ingress.class': 'lb' } });
  expect(object.spec.map(({ service }: Document) => service)).toEqual([
    { name: 'db', port: 5432 },
    { name: 'cache', port: 6379 },
  ]);
});

test('nothing attached is nothing written', () => {
  expect(documents({ services: [] })).toEqual([]);
});

test('a port without wishes is bound, closed to a suspended tenant, and no more', () => {
  expect(frontend()).toEqual({
    name: 'team-a.db.5432',
    mode: 'tcp',
    binds: { v4: { name: 'v4', port: 30017 } },
    tcp_request_rule_list: [suspension('connection')],
  });
});

test('two tenants with a Service of one name have frontends of different names, which the controller compares without namespaces', () => {
  expect(frontend().name).not.toBe(frontend({ namespace: 'team-b' }).name);
  // nor can one tenant be another by dashes
  const [one, other] = [
    documents({ namespace: 'a-b', services: [{ ...DB, name: 'c' }] }),
    documents({ namespace: 'a', services: [{ ...DB, name: 'b-c' }] }),
  ];
  expect(one[0].spec[0].name).not.toBe(other[0].spec[0].name);
});

describe('clients', () => {
  test.each([
    ['without the PROXY protocol, when the connection comes', undefined, 'connection'],
    ['with it, once its header was read', true, 'session'],
  ])('%s', (_, proxyProtocol, type) => {
    const made = frontend(withRanges('10.0.0.0/8'), { proxyProtocol });
    expect(made.tcp_request_rule_list).toEqual([
      suspension(type),
      { type, action: 'reject', cond: 'unless', cond_test: 'clients' },
    ]);
    expect(made.binds.v4.accept_proxy).toBe(proxyProtocol);
  });

  test('many ranges are several lines, since one that is too long takes all tenants down', () => {
    const ranges = Array.from({ length: 45 }, (_, i) => `10.${i}.0.0/16`);
    const lists: Document[] = frontend(withRanges(...ranges, ranges[0])).acl_list;
    expect(lists.map(({ value }) => value.split(' ').length)).toEqual([20, 20, 5]);
    expect(new Set(lists.flatMap(({ value }) => value.split(' ')))).toEqual(new Set(ranges));
    expect(lists.every(({ acl_name, criterion }) => acl_name === 'clients' && criterion === 'src')).toBe(true);
  });

  test('the order of ranges makes no difference', () => {
    expect(frontend(withRanges('10.1.0.0/16', '10.0.0.0/16'))).toEqual(
      frontend(withRanges('10.0.0.0/16', '10.1.0.0/16')),
    );
  });
});

describe('limits', () => {
  const TABLE = 'tcpcr_infra_infra.shared.tenants';

  test('connections of a tenant are counted over all its ports, and refused before a port is full', () => {
    const [object] = documents({ services: [DB, CACHE], connections: 8 });
    for (const { frontend: made } of object.spec) {
      expect(made.tcp_request_rule_list).toEqual([
        suspension('connection'),
        {
          type: 'connection',
          action: 'track-sc',
          track_stick_counter: 0,
          track_key: 'str(team-a)',
          track_table: TABLE,
        },
        { type: 'connection', action: 'reject', cond: 'if', cond_test: '{ sc0_conn_cur gt 8 }' },
      ]);
      expect(made.maxconn).toBeGreaterThan(8);
    }
  });

  test('clients that may not connect are not counted', () => {
    const rules: Document[] = frontend({ ...withRanges('10.0.0.0/8'), connections: 8 }).tcp_request_rule_list;
    expect(rules.map(({ action }) => action)).toEqual(['reject', 'reject', 'track-sc', 'reject']);
  });

  test('bandwidth of a tenant is shared by all its connections, in each direction', () => {
    const made = frontend({ bytesPerSecond: 5_242_880 });
    expect(made.filter_list).toEqual(
      ['in', 'out'].map((way) => ({
        type: `bwlim-${way}`,
        bandwidth_limit_name: `tenant-${way}`,
        limit: 5_242_880,
        key: 'str(team-a)',
        table: TABLE,
      })),
    );
    expect(made.tcp_request_rule_list.map(({ type, action }: Document) => [type, action])).toEqual([
      ['connection', 'reject'],
      ['content', 'set-bandwidth-limit'],
      ['content', 'set-bandwidth-limit'],
    ]);
  });

  test('the table that is named is the one of the platform', () => {
    const [service, table] = haproxyTable(BALANCER, { ingressClass: 'lb' });
    const [{ frontend: made, service: behind }] = table.spec;
    expect(`tcpcr_${table.metadata.namespace}_${made.name}`).toBe(TABLE);
    expect(made.binds).toBeUndefined();
    expect(behind).toEqual({ name: service.metadata.name, port: service.spec.ports[0].port });
    expect(service.spec.selector).toBeUndefined();
  });
});

test.each([
  ['IPv4 alone unless something is said', undefined, ['v4']],
  ['IPv4', { ipv4: true, ipv6: false }, ['v4']],
  ['IPv6', { ipv4: false, ipv6: true }, ['v6']],
  ['both', { ipv4: true, ipv6: true }, ['v4', 'v6']],
])('families: %s', (_, families, binds) => {
  expect(Object.keys(frontend({}, { families }).binds)).toEqual(binds);
});
