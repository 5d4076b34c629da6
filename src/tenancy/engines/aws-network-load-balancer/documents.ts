import { AWS_GATEWAY_VERSION } from '../../../controllers/aws-load-balancer-controller/facts';
import type { Attachment, Document } from '../contract/publishing';
import { gatewayDocuments } from '../gateway/documents';
import { PRESERVE_CLIENT_IP, PROXY_PROTOCOL_V2 } from './facts';

export interface TargetSettings {
  readonly preserveClientIp?: boolean;
  readonly proxyProtocol?: boolean;
}

/**
 * Listeners and routes, and for each Service the setting that its pods are the targets: without it the controller takes nodes,
 * which a ClusterIP Service has no ports on, and then changes nothing of the whole balancer any more.
 */
export function nlbDocuments(attachment: Attachment, settings: TargetSettings = {}): Document[] {
  const configurations = attachment.services.map(({ name }) => ({
    apiVersion: AWS_GATEWAY_VERSION,
    kind: 'TargetGroupConfiguration',
    metadata: { name, namespace: attachment.namespace },
    spec: {
      targetReference: { kind: 'Service', name },
      defaultConfiguration: targetProperties(settings),
    },
  }));
  return [...configurations, ...gatewayDocuments(attachment)];
}

export function targetProperties(settings: TargetSettings): Document {
  const attributes = attributesOf(settings);
  return { targetType: 'ip', ...(attributes.length > 0 ? { targetGroupAttributes: attributes } : {}) };
}

function attributesOf({ preserveClientIp, proxyProtocol }: TargetSettings): Document[] {
  return [
    { key: PRESERVE_CLIENT_IP, value: preserveClientIp },
    { key: PROXY_PROTOCOL_V2, value: proxyProtocol },
  ]
    .filter(({ value }) => value !== undefined)
    .map(({ key, value }) => ({ key, value: String(value) }));
}
