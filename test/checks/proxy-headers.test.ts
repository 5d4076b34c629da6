import { foundIn, saidBy } from '../support/checked';
import { casesIn, revived, titled } from '../support/yaml-cases';
import { fileOf, type Row } from './pieces';

const { pieces, rows, remedies } = casesIn(__dirname, 'proxy-headers.yaml');

test.each(titled<Row>(rows))('%s', (_, { of, controllers, found }) => {
  const rules = foundIn(fileOf(pieces, of), { controllers: revived(controllers) })
    .filter((one) => one.includes('proxy-header'))
    .map((one) => one.replace(/^warning \d+ /, ''));
  expect(rules).toEqual(found);
});

test.each<Row>(remedies)('the remedy is the annotation that the owner reads: $remedy', ({ controller, of, remedy }) => {
  const said = saidBy('proxy-header-missing', fileOf(pieces, of), { controllers: [revived(controller)] });
  expect(said.join()).toContain(remedy);
});

test('the annotation of the other kind of balancer is replaced by the one that works', () => {
  const aws = 'service.beta.kubernetes.io/aws-load-balancer';
  const annotations = `${aws}-type: nlb, ${aws}-proxy-protocol: "*"`;
  const controllers = [revived({ '$AwsCloudProvider.nlb': [] })];
  const [said] = saidBy('aws-cloud-ignored-annotation', fileOf(pieces, [{ service: { annotations } }]), {
    controllers,
  });
  expect(said).toContain(`write ${aws}-target-group-attributes: proxy_protocol_v2.enabled=true in its place`);
});
