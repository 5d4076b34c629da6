import { Size } from 'cdk8s';
import { freePorts, pause } from '../real/program';

import { newScene, objects, received, rendered, sent } from './harness/scene';

// The bandwidth that a tenant really gets, of an HAProxy that can limit it.

const HAPROXY = process.env.HAPROXY_WITH_BANDWIDTH ?? 'haproxy';
const MEBIBYTE = 1024 * 1024;

const scene = newScene();

describe('bandwidth', () => {
  const LIMIT = 4;

  async function limited(): Promise<[number, number, number]> {
    const [a, more, b] = await freePorts(3);
    const at = await scene.flooding();
    const tenants = [
      { name: 'team-a', port: a, more, bandwidth: Size.mebibytes(LIMIT) },
      { name: 'team-b', port: b },
    ];
    const services = {
      'infra/shared-tenants': '',
      'team-a/db': '',
      'team-b/db': '',
      'team-a/db:5432': at,
      'team-a/db:5433': at,
      'team-b/db:5432': at,
    };
    const { configuration } = rendered(objects(tenants, false), services);
    await scene.start(HAPROXY, configuration, [a, more, b]);
    return [a, more, b];
  }

  test('of a tenant is that of all its connections on all its ports, and others have their own', async () => {
    const [a, more, b] = await limited();
    const one = await received([a], 3);
    await pause(1000);
    const six = await received([a, a, a, more, more, more], 3);
    for (const rate of [one, six]) {
      expect(rate / MEBIBYTE).toBeGreaterThan(LIMIT * 0.7);
      expect(rate / MEBIBYTE).toBeLessThan(LIMIT * 1.3);
    }
    expect((await received([b], 1)) / MEBIBYTE).toBeGreaterThan(LIMIT * 4);
  });

  test('is limited in the other direction as well', async () => {
    const [a, more] = await limited();
    const rate = await sent([a, more], 3);
    expect(rate / MEBIBYTE).toBeGreaterThan(LIMIT * 0.6);
    expect(rate / MEBIBYTE).toBeLessThan(LIMIT * 1.4);
  });
});
