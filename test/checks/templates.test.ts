import { checkedText } from '../support/checked';

const gateway = (field: string) => `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: edge, namespace: infra}
spec:
  gatewayClassName: envoy
  infrastructure: {parametersRef: {group: gateway.envoyproxy.io, kind: EnvoyProxy, name: p}}
  listeners: [{name: http, port: 80, protocol: HTTP}]
---
apiVersion: gateway.envoyproxy.io/v1alpha1
kind: EnvoyProxy
metadata: {name: p, namespace: infra}
spec:
  provider:
    type: Kubernetes
    kubernetes:
      envoyService:
        annotations:
          ${field}
`;

function found(yaml: string): string[] {
  return checkedText(yaml).findings.map(
    ({ level, place, ruleId, object: { kind, name, madeBy } }) =>
      `${level} ${place.line} ${ruleId} ${kind} ${name}${madeBy ? ` <${madeBy}>` : ''}`,
  );
}

test('what is wrong in the template of a Service is found in the object that has it', () => {
  expect(found(gateway('cloud.google.com/load-balancer-type: Internal'))).toContain(
    'warning 18 annotation-deprecated EnvoyProxy p <Gateway infra/edge>',
  );
});

test('what no template says is found in the object that the Service is made of', () => {
  const all = found(gateway('example.com/color: blue'));
  expect(all.length).toBeGreaterThan(0);
  expect(all.every((line) => line.includes(' Gateway edge '))).toBe(true);
});

describe('an EnvoyProxy whose Gateway is elsewhere', () => {
  const proxy = (field: string) => gateway(field).split('---\n')[1];

  test('is judged all the same, as far as its template says it', () => {
    expect(found(proxy('cloud.google.com/load-balancer-type: Internal'))).toEqual([
      'warning 10 annotation-deprecated EnvoyProxy p <each Gateway with these parameters>',
    ]);
  });

  test.each([
    ['says nothing wrong', proxy('example.com/color: blue')],
    ['speaks of ports, which the Gateway has', proxy('service.beta.kubernetes.io/aws-load-balancer-ssl-ports: "8443"')],
    [
      'asks for no balancer',
      proxy('cloud.google.com/load-balancer-type: Internal').replace(
        'annotations',
        'type: ClusterIP\n        annotations',
      ),
    ],
  ])('and %s is left alone', (_, yaml) => {
    expect(found(yaml)).toEqual([]);
  });

  test('is not listed as a balancer', () => {
    expect(checkedText(proxy('example.com/color: blue')).notes).toEqual([
      expect.stringContaining('none of these files holds one'),
    ]);
  });
});
