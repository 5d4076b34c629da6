import { checkedFiles } from './checked';

const service = (policy = 'Cluster', namespace = 'namespace: shop, ') => `apiVersion: v1
kind: Service
metadata: {${namespace}name: web}
spec:
  type: LoadBalancer
  loadBalancerClass: service.k8s.aws/nlb
  externalTrafficPolicy: ${policy}
  selector: {app: web}
  ports: [{port: 80}]
`;

function foundIn(files: Readonly<Record<string, string>>): string[] {
  return checkedFiles(files)
    .findings.filter(({ ruleId }) => ruleId === 'object-in-two-files')
    .map(
      ({ level, place, what }) => `${level} ${place.file.split('/').slice(-1)}:${place.line}:${place.column} ${what}`,
    );
}

test('a Service that two files of one folder have, and not alike, is reported at the second one', () => {
  const [said, ...others] = foundIn({ 'a.yaml': service(), 'b.yaml': `---\n${service('Local')}` });
  expect(others).toEqual([]);
  expect(said).toMatch(
    /^warning b\.yaml:4:\d+ Service shop\/web is in \S+a\.yaml:1 as well, with other fields: applied together, the last one wins$/,
  );
});

test.each<[string, Readonly<Record<string, string>>]>([
  ['alike', { 'a.yaml': service(), 'b.yaml': service() }],
  ['in folders of their own', { 'base/a.yaml': service(), 'overlays/a.yaml': service('Local') }],
  ['for different clusters', { 'web-prod.yaml': service(), 'web-staging.yaml': service('Local') }],
  ['without a namespace', { 'a.yaml': service('Cluster', ''), 'b.yaml': service('Local', '') }],
  ['in different namespaces', { 'a.yaml': service(), 'b.yaml': service('Local', 'namespace: other, ') }],
  ['from a cluster', { 'a.yaml': service(), 'b.yaml': `${service('Local')}status: {loadBalancer: {}}\n` }],
  ['patches', { 'a.yaml': service(), 'a-patch.yaml': service('Local') }],
  [
    'named later',
    { 'a.yaml': service().replace('web}', '$(NAME)}'), 'b.yaml': service('Local').replace('web}', '$(NAME)}') },
  ],
])('Services that are %s are no mistake', (_, files) => {
  expect(foundIn(files)).toEqual([]);
});

test('copies of a Service in folders of their own claim nothing from each other', () => {
  const named = service().replace(
    'name: web}',
    'name: web, annotations: {service.beta.kubernetes.io/aws-load-balancer-name: edge}}',
  );
  const { findings } = checkedFiles({ 'base/a.yaml': named, 'overlays/a.yaml': named.replace('Cluster', 'Local') });
  expect(findings.filter(({ ruleId }) => ruleId.startsWith('claimed-twice'))).toEqual([]);
  const other = checkedFiles({ 'base/a.yaml': named, 'overlays/a.yaml': named.replace('name: web,', 'name: other,') });
  expect(other.findings.filter(({ ruleId }) => ruleId.startsWith('claimed-twice'))).toHaveLength(2);
});

const object = (apiVersion: string, kind: string, metadata: string, spec: string) =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {${metadata}}\nspec: ${spec}\n`;

test.each<[string, string, string, string]>([
  ['apps/v1', 'Deployment', 'namespace: shop, name: web', 'Deployment shop/web'],
  ['networking.k8s.io/v1', 'IngressClass', 'name: web', 'IngressClass web'],
  ['gateway.networking.k8s.io/v1', 'GatewayClass', 'name: web', 'GatewayClass web'],
  ...['ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy', 'ValidatingWebhookConfiguration'].flatMap((kind) =>
    (kind.endsWith('Policy') ? [kind, `${kind}Binding`] : [kind]).map((one): [string, string, string, string] => [
      'admissionregistration.k8s.io/v1',
      one,
      'name: web',
      `${one} web`,
    ]),
  ),
  ['example.com/v1', 'Thing', 'namespace: shop, name: web', 'Thing shop/web'],
])('a %s %s in three files is reported once, with the files', (api, kind, metadata, title) => {
  const files = { 'a.yaml': object(api, kind, metadata, '{a: 1}'), 'b.yaml': object(api, kind, metadata, '{a: 1}') };
  const [said, ...others] = foundIn({ ...files, 'c.yaml': object(api, kind, metadata, '{a: 2}') });
  expect(others).toEqual([]);
  expect(said).toMatch(new RegExp(`^warning c\\.yaml:3:\\d+ ${title} is in \\S+a\\.yaml:1 and \\S+b\\.yaml:1 as well`));
  expect(foundIn(files)).toEqual([]);
});
