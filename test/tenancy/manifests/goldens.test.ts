import { join } from 'node:path';
import { Yaml } from 'cdk8s';
import { StrimziVersion } from '../../../src/kafka';
import { expectGolden, expectNoStrayGoldens } from '../../support/golden-files';
import { BY_NAME, fixture, type TenantApp, written } from './tenant-apps';

const { V0_51, V1_2 } = StrimziVersion;
const kafka = { url: fixture('kafka.yaml') };

const GOLDENS: Record<string, TenantApp> = {
  'services-by-port': { url: fixture('shop.yaml') },
  'services-that-stay': { url: fixture('shop.yaml'), keepType: true },
  'services-of-a-suspended-tenant': { url: fixture('shop.yaml'), options: { suspended: true } },
  'kafka-by-port': { ...kafka, kafka: { strimzi: V1_2 } },
  'kafka-by-port-on-0.51': { ...kafka, kafka: { strimzi: V0_51 } },
  'kafka-by-name': { ...kafka, kafka: { strimzi: V1_2 }, balancer: { engine: BY_NAME } },
};

const FOLDER = join(__dirname, 'goldens');

test.each(Object.entries(GOLDENS))('%s', (name, ask) => {
  const { documents, told } = written(ask);
  const said = told.replaceAll(`${join(__dirname, 'fixtures')}/`, '').trimEnd();
  const comment = said.replace(/^/gm, '# ');
  expectGolden(FOLDER, name, `${comment}\n---\n${Yaml.stringify(...documents)}`);
});

test('no golden is left over', () => expectNoStrayGoldens(FOLDER, Object.keys(GOLDENS)));
