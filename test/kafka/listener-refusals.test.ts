import type { StrimziVersion } from '../../src';
import type { Json } from '../../src/contract/json';
import { errorsOf } from '../support/apps';
import { table } from '../support/yaml-cases';
import { listen, type Props } from './listeners';

test.each<[string, StrimziVersion, Json[], Props, string[]]>(
  table('kafka/listener-refusals.yaml', 'a listener is refused with'),
)('a listener is refused with %s', (_, strimzi, listeners, props, fragments) => {
  const { chart } = listen(props, strimzi, listeners);
  const errors = errorsOf(chart).join('\n');
  for (const fragment of fragments) expect(errors).toContain(fragment);
});
