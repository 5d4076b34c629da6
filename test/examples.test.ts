import { runExample } from './support/examples';

// What the docs promise of the library is seen in the examples. What the one says that fails is in the docs itself.

test.each([
  ['kafka-on-eks', 'type: loadbalancer'],
  ['kafka-behind-a-gateway', 'type: tlsroute'],
  ['tenants', 'kind: ValidatingAdmissionPolicy'],
  ['platform', 'kind: ValidatingWebhookConfiguration'],
])('the example %s writes %s, and says nothing on standard error', (name, text) => {
  const { files, said } = runExample(name);
  expect(said).toBe('');
  expect(Object.values(files).join('')).toContain(text);
});
