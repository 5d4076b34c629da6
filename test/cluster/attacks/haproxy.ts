import type { Body } from '../harness/api';
import { strongOf, tenantOf } from './scenarios';
import { type Attack, everyWay, MERGE, servicesOf } from './ways';

/** What HAProxy reads of Services, and Services that it may not lose. */
export function haproxy(): Attack[] {
  const scenario = 'haproxy';
  const [tenant, strong] = [tenantOf(scenario), strongOf(scenario)];
  const db = `${servicesOf(scenario)}/db`;
  const keys = [
    'haproxy.org/server-ssl',
    'haproxy.com/server-ssl',
    'ingress.kubernetes.io/x',
    'cookie-persistence-no-dynamic',
    'backend-config-snippet',
    'haproxy.org/backend-config-snippet',
    'pod-maxconn',
    'haproxy.org/',
    'HAProxy.org/server-ssl',
  ];
  const byNumber = 'the controller takes a port by its number, and leads to the pods of that Service';
  const more: [what: string, change: (now: Body) => Body, harmless?: string][] = [
    [
      'its port is another',
      (now) => ({ ...now, spec: { ...now.spec, ports: [{ ...now.spec.ports[0], port: 5499 }] } }),
    ],
    ['it leads elsewhere', (now) => ({ ...now, spec: { type: 'ExternalName', externalName: 'example.com' } })],
    [
      'its port is one of UDP',
      (now) => ({ ...now, spec: { ...now.spec, ports: [{ ...now.spec.ports[0], protocol: 'UDP' }] } }),
      byNumber,
    ],
    [
      'its port is one of SCTP beside one of TCP of another number',
      (now) => ({
        ...now,
        spec: {
          ...now.spec,
          ports: [
            { ...now.spec.ports[0], protocol: 'SCTP' },
            { name: 'other', port: 5499 },
          ],
        },
      }),
      byNumber,
    ],
    [
      'it has 257 ports',
      (now) => ({
        ...now,
        spec: {
          ...now.spec,
          ports: [...now.spec.ports, ...Array.from({ length: 256 }, (_, i) => ({ name: `p${i}`, port: 6000 + i }))],
        },
      }),
    ],
  ];
  return [
    ...keys.map(
      (key): Attack => ({
        what: `${tenant} annotates its Service with ${key}`,
        scenario,
        who: tenant,
        harmless: ['HAProxy.org/server-ssl', 'ingress.kubernetes.io/x'].includes(key)
          ? 'no annotation that the controller reads'
          : undefined,
        act: (api) => api.call('PATCH', `${db}?dryRun=All`, { metadata: { annotations: { [key]: 'x' } } }, MERGE),
      }),
    ),
    ...[tenant, strong].flatMap((who) =>
      more.flatMap(([what, change, harmless]) => everyWay(scenario, who, what, db, change, { harmless }).slice(0, 4)),
    ),
    ...[tenant, strong].flatMap((who): Attack[] => [
      {
        what: `${who} deletes a Service that the platform published`,
        scenario,
        who,
        act: (api) => api.call('DELETE', `${db}?dryRun=All`),
      },
      {
        what: `${who} deletes all its Services`,
        scenario,
        who,
        act: (api) => api.call('DELETE', `${servicesOf(scenario)}?dryRun=All`),
      },
    ]),
    {
      what: `${tenant} deletes a published Service to which it gave a finalizer of the publisher`,
      scenario,
      who: tenant,
      harmless: 'it stays until it is withdrawn: no one may take the finalizer away',
      act: async (api) => {
        await api.call(
          'PATCH',
          `${servicesOf(scenario)}/db`,
          { metadata: { finalizers: ['metacontroller.io/decoratorcontroller-mine'] } },
          MERGE,
        );
        return api.call('DELETE', `${servicesOf(scenario)}/db`);
      },
    },
    ...[tenant, strong].flatMap((who): Attack[] =>
      ['', '/status'].map((below) => ({
        what: `${who} takes that finalizer away${below && ' by the status'}`,
        scenario,
        who,
        act: (api) =>
          api.call('PATCH', `${servicesOf(scenario)}/db${below}?dryRun=All`, { metadata: { finalizers: null } }, MERGE),
      })),
    ),
  ];
}
