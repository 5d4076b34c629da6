import { CONTEXT, Folder, service } from './repository';

const KUSTOMIZATION = 'resources: [echo.yaml]\npatches: [{ path: patch.yaml, target: { kind: Service } }]\n';
const patch = (value: string) => `- { op: add, path: /metadata/annotations/scheme, value: ${value} }\n`;

describe('what kustomize renders is not what is compared', () => {
  const side = (name: string, more: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries({ 'load-balancers.yaml': CONTEXT, 'echo.yaml': service('echo'), ...more }).map(([file, text]) => [
        `${name}/${file}`,
        text,
      ]),
    );

  test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>, string | undefined]>([
    [
      'a patch that is no object',
      { 'kustomization.yaml': KUSTOMIZATION, 'patch.yaml': patch('internal') },
      { 'kustomization.yaml': KUSTOMIZATION, 'patch.yaml': patch('internet-facing') },
      'patch in patch.yaml',
    ],
    [
      'the same patch',
      { 'kustomization.yaml': KUSTOMIZATION, 'patch.yaml': patch('internal') },
      { 'kustomization.yaml': KUSTOMIZATION, 'patch.yaml': patch('internal') },
      undefined,
    ],
    [
      'a kustomization without an ending',
      { Kustomization: 'resources: [echo.yaml]\n' },
      { Kustomization: 'resources: [echo.yaml]\nnamePrefix: x-\n' },
      'kustomization Kustomization',
    ],
  ])('%s', (_, before, after, title) => {
    const outcomes = new Folder({ ...side('old', before), ...side('new', after) }).outcomes('old', 'new');
    expect(outcomes).toEqual({ 'edge/echo': 'kept', ...(title && { [title]: 'unknown' }) });
  });
});

describe('a webhook that may be on gives new Services another owner', () => {
  const context = (webhook: string) => `
controllers:
  - cloud-provider-aws
  - { name: aws-load-balancer-controller, version: 3.5.0${webhook} }
`;
  const classless = (scheme: string) => `
apiVersion: v1
kind: Service
metadata:
  name: echo
  namespace: edge
  annotations: { service.beta.kubernetes.io/aws-load-balancer-scheme: ${scheme} }
spec:
  type: LoadBalancer
  selector: { app: echo }
  ports: [{ name: tcp, port: 80 }]
`;
  const side = (name: string, scheme: string, webhook: string) => ({
    [`${name}/load-balancers.yaml`]: context(webhook),
    [`${name}/echo.yaml`]: classless(scheme),
  });

  test.each([
    ['is not spoken of', '', 'unknown'],
    ['is off', ', serviceMutatorWebhook: false', 'kept'],
    ['is on', ', serviceMutatorWebhook: true', 'replaced'],
  ])('where it %s', (_, webhook, outcome) => {
    const folder = new Folder({ ...side('old', 'internal', webhook), ...side('new', 'internet-facing', webhook) });
    expect(folder.outcomes('old', 'new')).toEqual({ 'edge/echo': outcome });
  });
});
