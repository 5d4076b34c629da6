import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Api } from './api';
import { type Gates, Held } from './gates';

export const API_SERVER = 'API server';

/**
 * A webhook of the API server that is asked before a Service goes. It is asked after the API server has decided what to do with
 * the version that it read, and before it does it: that moment can be held.
 */
export class DeletionHook {
  public static async open(api: Api, folder: string, gates: Gates): Promise<DeletionHook> {
    const certificates = join(folder, 'certificates');
    const cert = readFileSync(join(certificates, 'apiserver.crt'));
    const hook = new DeletionHook(gates, cert, readFileSync(join(certificates, 'apiserver.key')));
    await new Promise<void>((resolve) => hook.server.listen(0, '127.0.0.1', resolve));
    await api.create({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'deletions' },
      webhooks: [
        {
          name: 'deletions.replay.example.com',
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          timeoutSeconds: 30,
          rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['services'], operations: ['DELETE'] }],
          clientConfig: {
            url: `https://127.0.0.1:${(hook.server.address() as AddressInfo).port}/`,
            caBundle: cert.toString('base64'),
          },
        },
      ],
    });
    return hook;
  }

  private readonly server: Server;
  /** Places at which removals wait. */
  private readonly armed = new Set<string>();

  private constructor(
    private readonly gates: Gates,
    cert: Buffer,
    key: Buffer,
  ) {
    this.server = createServer({ cert, key }, async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) {
        chunks.push(chunk);
      }
      const review = JSON.parse(Buffer.concat(chunks).toString());
      const { uid, namespace, oldObject } = review.request;
      // of a whole collection the request has no name
      const place = `${namespace}/${oldObject.metadata.name}`;
      if (this.armed.has(place)) {
        const held = new Held(API_SERVER, 'remove');
        response.once('close', () => held.done(0));
        await this.gates.pass(place, held);
      }
      const { apiVersion, kind } = review;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ apiVersion, kind, response: { uid, allowed: true } }));
    });
  }

  /** From now on the API server waits before it removes a Service. */
  public arm(place: string): void {
    this.armed.add(place);
  }

  public disarm(place: string): void {
    this.armed.delete(place);
  }

  public async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
