import { IamEffect, IamPolicy, type IamStatement } from '../../src/identity';
import { casesIn, revived } from '../support/yaml-cases';

const CASES = revived(casesIn(__dirname, 'iam-policy.yaml'));

const READ: IamStatement = { sid: 'Read', actions: ['ec2:DescribeSubnets'], resources: ['*'] };
const large = (sid: string, arns: number): IamStatement => ({
  sid,
  actions: ['elasticloadbalancing:RegisterTargets'],
  resources: Array.from(
    { length: arns },
    (_, n) => `arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/${sid}/${n}`,
  ),
});

test('a policy becomes the document that IAM takes', () => {
  const conditions = { StringEquals: { 'aws:RequestTag/team': 'edge' } };
  const policy = new IamPolicy([READ, { ...READ, sid: undefined, effect: IamEffect.DENY, conditions }]);
  expect(policy.toPolicyDocument()).toEqual({
    Version: '2012-10-17',
    Statement: [
      { Sid: 'Read', Effect: 'Allow', Action: ['ec2:DescribeSubnets'], Resource: ['*'] },
      { Effect: 'Deny', Action: ['ec2:DescribeSubnets'], Resource: ['*'], Condition: conditions },
    ],
  });
});

test('the document is the same however often it is written', () => {
  const write = () => JSON.stringify(new IamPolicy([READ, large('Many', 3)]).toPolicyDocument());
  expect(write()).toBe(write());
});

test('both together have what is listed twice once, and names that differ', () => {
  const other: IamStatement = { ...READ, actions: ['ec2:DescribeVpcs'] };
  const { statements } = new IamPolicy([READ])
    .plus(new IamPolicy([{ ...READ, sid: 'Again' }, other]))
    .plus(new IamPolicy([{ ...other, resources: ['arn:aws:ec2:*:*:vpc/*'] }]));
  expect(statements.map(({ sid }) => sid)).toEqual(['Read', 'Read2', 'Read3']);
});

test('what counts for the limit has no white space, and a token stands for 100 characters', () => {
  const document = (text: string) =>
    new IamPolicy([{ ...READ, conditions: { StringEquals: { 'aws:RequestTag/a b': text } } }]);
  expect(new IamPolicy([READ]).size).toBe(
    '{"Version":"2012-10-17","Statement":[{"Sid":"Read","Effect":"Allow","Action":["ec2:DescribeSubnets"],"Resource":["*"]}]}'
      .length,
  );
  expect(document('x y').size - document('').size).toBe(2);
  expect(document('$' + '{Token[TOKEN.12]}').size - document('').size).toBe(100);
});

test('a policy is cut into parts that fit, in order and without loss', () => {
  const policy = new IamPolicy([READ, large('A', 40), large('B', 40), large('C', 40), large('D', 5)]);
  const parts = policy.split();
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.filter(({ size }) => size > 6144)).toEqual([]);
  expect(parts.flatMap(({ statements }) => statements)).toEqual(policy.statements);
  expect(new IamPolicy([READ]).split()).toHaveLength(1);
  expect(policy.split(100_000)).toHaveLength(1);
});

test('a statement that fits nowhere is refused, by its name', () => {
  expect(() => new IamPolicy([large('Huge', 200)]).split()).toThrow(
    /the statement 'Huge' has \d+ characters, more than 6144; .* \(iam-policy-size\)/,
  );
});

describe('refuses', () => {
  test.each<[string, Partial<IamStatement>, RegExp]>(CASES.refuses)('%s', (_, more, message) => {
    expect(() => new IamPolicy([{ ...READ, ...more }])).toThrow(message);
  });
});
