import { Gke } from '../../src';
import { changesIn, type RowOptions, saidOf, service } from './rows';

// What GKE has written on a live Service is in no manifest, and an apply leaves it.

const CLASS = 'networking.gke.io/l4-regional-internal';
const WRITTEN = {
  'service.kubernetes.io/backend-service': 'k8s2-abc-edge-echo',
  'cloud.google.com/neg-status': '{"network_endpoint_groups":{"0":"k8s2-abc"},"zones":["europe-west1-b"]}',
};

const live = service({
  class: CLASS,
  annotations: WRITTEN,
  finalizers: ['gke.networking.io/l4-ilb-v2'],
  metadata: { uid: '1', resourceVersion: '2' },
  status: { loadBalancer: { ingress: [{ ip: '10.0.0.5' }] } },
});
const written = service({ class: CLASS });
const options: RowOptions = { installed: [Gke.passthrough()], before: { isLive: true } };

test.each([undefined, 'client-apply', 'server-apply'] as const)('a dump against its manifest, by %s', (writer) => {
  expect(saidOf(changesIn(live, written, { ...options, ...(writer && { writer }) }))).toEqual(['kept edge/echo']);
});

test('who replaces the whole Service takes them off', () => {
  const [{ outcome, effects: causes }] = changesIn(live, written, { ...options, writer: 'put' });
  expect(outcome).not.toBe('kept');
  expect(causes.map(({ field }) => field)).toEqual(
    expect.arrayContaining(['metadata.finalizers', ...Object.keys(WRITTEN)]),
  );
});

test('what is in two manifests is an edit', () => {
  const old = service({ class: CLASS, annotations: WRITTEN });
  expect(changesIn(old, written, { installed: [Gke.passthrough()] })[0].effects.map(({ field }) => field)).toEqual(
    expect.arrayContaining(Object.keys(WRITTEN)),
  );
});
