import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseAllDocuments, stringify } from 'yaml';
import type { Api, Body, Ref } from '../../real/api';

/** The program that `npm run test:kyverno` builds. */
export function kyverno(): string {
  const file = process.env.KYVERNO;
  if (!file) {
    throw new Error('there is no Kyverno: run `npm run test:kyverno`, which builds it');
  }
  return file;
}

/** What `kyverno apply` says. */
interface Applied {
  /** The Services that it wrote, by name. */
  readonly services: ReadonlyMap<string, Body>;
  readonly said: string;
}

/**
 * Lets `kyverno apply` check Services by a policy.
 *
 * @param namespaces the labels of namespaces by name
 * @param operation what the request is; of an update the old object is the new one
 */
export function applied(
  policy: Body,
  namespaces: Readonly<Record<string, Body>>,
  services: readonly Ref[],
  operation: 'CREATE' | 'UPDATE' = 'CREATE',
): Applied {
  const folder = mkdtempSync(join(tmpdir(), 'kyverno-'));
  const write = (name: string, ...objects: unknown[]) => {
    const file = join(folder, name);
    writeFileSync(file, objects.map((object) => stringify(object)).join('---\n'));
    return file;
  };
  const values = {
    apiVersion: 'cli.kyverno.io/v1alpha1',
    kind: 'Value',
    metadata: { name: 'values' },
    globalValues: { 'request.operation': operation },
    namespaceSelector: Object.entries(namespaces).map(([name, labels]) => ({ name, labels })),
  };
  const out = mkdtempSync(join(folder, 'out-'));
  const said = execFileSync(
    kyverno(),
    [
      ...['apply', write('policy.yaml', policy), '--resource', write('services.yaml', ...services)],
      ...['--values-file', write('values.yaml', values), '--output', out, '--remove-color'],
    ],
    { encoding: 'utf8' },
  );
  const written = readdirSync(out).flatMap((file) =>
    parseAllDocuments(readFileSync(join(out, file), 'utf8')).map((document) => document.toJSON() as Ref | null),
  );
  const found = written.filter((object) => object !== null);
  return { said, services: new Map(found.map((object) => [object.metadata.name, object])) };
}

/** What answers an AdmissionReview with another. */
export type Answering = (review: Body) => Promise<Body>;

/** What Kyverno's webhook for mutating policies answers, in a process of its own. */
export class KyvernoAnswers {
  private readonly child: ChildProcess;
  private readonly waiting: ((line: string) => void)[] = [];
  private said = '';

  /** @param namespaces those whose labels it looks up */
  public constructor(policy: Body, namespaces: readonly Body[], folder: string) {
    const file = join(folder, `${policy.metadata.name}.json`);
    writeFileSync(file, JSON.stringify({ Policy: policy, Namespaces: namespaces }));
    this.child = spawn(kyverno(), ['webhook', file], { stdio: ['pipe', 'pipe', 'pipe'] });
    this.child.stderr?.on('data', (chunk) => {
      this.said += chunk;
    });
    if (this.child.stdout) {
      createInterface(this.child.stdout).on('line', (line) => this.waiting.shift()?.(line));
    }
    this.child.once('close', () => {
      for (const answer of this.waiting.splice(0)) answer('');
    });
  }

  public async answer(review: Body): Promise<Body> {
    const line = new Promise<string>((resolve) => this.waiting.push(resolve));
    this.child.stdin?.write(`${JSON.stringify(review)}\n`);
    const answer = await line;
    if (answer === '') {
      throw new Error(`Kyverno has ended: ${this.said}`);
    }
    return JSON.parse(answer);
  }

  public async close(): Promise<void> {
    this.child.stdin?.end();
    if (this.child.exitCode === null) {
      await once(this.child, 'close');
    }
  }
}

/** An address that the API server asks, with the certificate that it has made for itself. */
export class AdmissionWebhook {
  public static async open(folder: string, answering: Readonly<Record<string, Answering>>): Promise<AdmissionWebhook> {
    const certificates = join(folder, 'certificates');
    const cert = readFileSync(join(certificates, 'apiserver.crt'));
    const webhook = new AdmissionWebhook(answering, cert, readFileSync(join(certificates, 'apiserver.key')));
    await new Promise<void>((resolve) => webhook.server.listen(0, '127.0.0.1', resolve));
    return webhook;
  }

  private readonly server: Server;

  private constructor(
    answering: Readonly<Record<string, Answering>>,
    private readonly cert: Buffer,
    key: Buffer,
  ) {
    this.server = createServer({ cert, key }, async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) {
        chunks.push(chunk);
      }
      try {
        const review = JSON.parse(Buffer.concat(chunks).toString());
        const answer = await answering[(request.url ?? '/').slice(1).split('?')[0]](review);
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(answer));
      } catch (error) {
        response.statusCode = 500;
        response.end((error as Error).message);
      }
    });
  }

  /** What a webhook configuration says of one of its answers. */
  public client(name: string): Body {
    const { port } = this.server.address() as AddressInfo;
    return { url: `https://127.0.0.1:${port}/${name}`, caBundle: this.cert.toString('base64') };
  }

  public async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

/**
 * Has the API server ask as Kyverno has it asked about a policy with conditions.
 * kyverno/kyverno v1.19.1: pkg/controllers/webhook/validating.go (buildWebhookRules), controller.go (buildForJSONPoliciesMutation).
 */
export function kyvernoWebhook(policy: Body, clientConfig: Body): Body {
  const { matchConditions, matchConstraints, failurePolicy } = policy.spec;
  return {
    name: `mpol.validate.kyverno.svc-fail-finegrained-${policy.metadata.name}`,
    clientConfig,
    failurePolicy,
    sideEffects: 'NoneOnDryRun',
    admissionReviewVersions: ['v1'],
    namespaceSelector: matchConstraints.namespaceSelector,
    rules: matchConstraints.resourceRules,
    matchConditions,
  };
}

/** Writes the configuration of webhooks that change requests; the API server asks them by the names of the configurations. */
export async function configure(api: Api, name: string, webhooks: readonly Body[]): Promise<void> {
  await api.create({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name },
    webhooks,
  });
}
