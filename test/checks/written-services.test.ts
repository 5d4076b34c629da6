import { checkedText } from '../support/checked';
import { casesIn, revived, titled } from '../support/yaml-cases';
import { fileOf, type Row } from './pieces';

const { pieces, rows } = casesIn(__dirname, 'written-services.yaml');

const IDS = [
  'annotation-value',
  'aws-scheme-unread',
  'class-misspelt',
  'class-nearly-known',
  'exposed-port',
  'exported-manifest',
  'finalizer-left',
  'health-check-node-port-twice',
  'hetzner-no-address',
  'load-balancer-ip',
  'mixed-protocols',
  'nodes-excluded',
  'plain-target-of-https',
  'service-field-unknown',
  'tls-without-certificate',
];

test.each(titled<Row>(rows))('%s', (_, { of, found, context = {} }) => {
  const { findings, unreadable } = checkedText(fileOf(pieces, of), revived(context));
  expect(unreadable).toEqual([]);
  expect(
    findings.filter(({ ruleId }) => IDS.includes(ruleId)).map(({ level, ruleId }) => `${level} ${ruleId}`),
  ).toEqual(found);
});
