// One sample in a process of its own: prints the milliseconds since the process began, with all Services of the files read, or
// the most memory that it took.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const [, , contestant, services, files, work] = process.argv;
const folder = path.join(work, `check-${services}-${files}`);
const other = path.join(work, `other-${services}-${files}`);

function service(i, targetType = 'ip') {
  return `apiVersion: v1
kind: Service
metadata:
  name: service-${i}
  namespace: team-${i % 50}
  annotations:
    service.beta.kubernetes.io/aws-load-balancer-nlb-target-type: ${targetType}
    service.beta.kubernetes.io/aws-load-balancer-scheme: internal
  finalizers:
    - service.k8s.aws/resources
spec:
  type: LoadBalancer
  loadBalancerClass: service.k8s.aws/nlb
  allocateLoadBalancerNodePorts: false
  selector:
    app: app-${i}
  ports:
    - port: 443
      protocol: TCP
`;
}

const contestants = {
  /** Writes the files for the others. */
  prepare() {
    fs.mkdirSync(folder, { recursive: true });
    const each = Number(services) / Number(files);
    for (let file = 0; file < Number(files); file++) {
      const texts = Array.from({ length: each }, (_, i) => service(file * each + i));
      fs.writeFileSync(path.join(folder, `${file}.yaml`), texts.join('---\n'));
    }
  },
  /** Writes as many Services as 50 MB have, each with a mistake. */
  prepareWrong() {
    fs.mkdirSync(folder, { recursive: true });
    const texts = [];
    for (let length = 0; length < 50e6; length += texts.at(-1).length) {
      texts.push(`${service(texts.length, 'pod')}---\n`);
    }
    fs.writeFileSync(path.join(folder, '0.yaml'), texts.join(''));
  },
  /** The parser alone, with what it takes to say where something is. */
  parser() {
    parse(folder);
  },
  /** The command. */
  ours() {
    if (checked('text') !== 0) {
      throw new Error('the Services are right, and the command does not say so');
    }
  },
  /** The command that reports on paths, money and quotas. */
  report() {
    if (exitCodeOf('report', folder) !== 0) {
      throw new Error('the Services can be read, and the command does not say so');
    }
  },
  /** Writes a second version of the files, in which one Service of a hundred has another scheme. */
  prepareOther() {
    fs.mkdirSync(other, { recursive: true });
    const text = (i) => (i % 100 === 0 ? service(i).replace('scheme: internal', 'scheme: internet-facing') : service(i));
    const each = Number(services) / Number(files);
    for (let file = 0; file < Number(files); file++) {
      const texts = Array.from({ length: each }, (_, i) => text(file * each + i));
      fs.writeFileSync(path.join(other, `${file}.yaml`), texts.join('---\n'));
    }
  },
  /** The parser for both versions. */
  parserOfBoth() {
    parse(folder);
    parse(other);
  },
  /** The command that says what the change does to live balancers. */
  diff() {
    if (exitCodeOf('diff', folder, other, '--strict') !== 1) {
      throw new Error('balancers are replaced, and the command does not say so');
    }
  },
  /** The command in MiB, in the format that takes most. */
  memory() {
    if (checked('sarif') !== 1) {
      throw new Error('the Services are wrong, and the command does not say so');
    }
    return process.resourceUsage().maxRSS / 1024;
  },
};

/** Reads all files of a folder by the parser alone. */
function parse(from) {
  const { LineCounter, parseAllDocuments } = require('yaml');
  for (const file of fs.readdirSync(from)) {
    const text = fs.readFileSync(path.join(from, file), 'utf8');
    for (const document of parseAllDocuments(text, { lineCounter: new LineCounter() })) {
      document.toJS();
    }
  }
}

/** What a check exits with. */
function checked(format) {
  return exitCodeOf('check', folder, '--format', format);
}

/** What the command exits with. */
function exitCodeOf(...words) {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = () => true;
  require('../lib/cli/main').main(['node', 'cdk8s-load-balancers', ...words]);
  process.stdout.write = write;
  const code = process.exitCode ?? 0;
  process.exitCode = 0;
  return code;
}

const measured = contestants[contestant]();
process.stdout.write(`${measured ?? process.uptime() * 1e3}\n`);
