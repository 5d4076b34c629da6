import { ApiObject, JsonPatch } from 'cdk8s';
import type { Construct } from 'constructs';

/** A Deployment of echo servers that listen on 8443. */
export function workload(scope: Construct, id: string): ApiObject {
  const labels = { app: id.toLowerCase() };
  const deployment = new ApiObject(scope, id, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: id.toLowerCase() },
  });
  deployment.addJsonPatch(
    JsonPatch.add('/spec', {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            { name: 'echo', image: 'registry.example/echo:1.4.2', ports: [{ name: 'https', containerPort: 8443 }] },
          ],
        },
      },
    }),
  );
  return deployment;
}
