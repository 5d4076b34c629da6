import type { Api, Body, Ref } from './api';

export interface NodeProps {
  readonly labels?: Record<string, string>;
  readonly taints?: Body[];
  /** @default true */
  readonly ready?: boolean;
  readonly providerID?: string;
  readonly internalIp?: string;
}

export function nodeRef(name: string): Ref {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name } };
}

/** A node without a kubelet: object and status. */
export async function addNode(api: Api, name: string, props: NodeProps = {}): Promise<void> {
  const { labels, taints, ready = true, providerID, internalIp } = props;
  const ref = nodeRef(name);
  await api.create({ ...ref, metadata: { name, labels }, spec: { taints, providerID } });
  const status = {
    conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', reason: 'Said', lastHeartbeatTime: null }],
    addresses: internalIp ? [{ type: 'InternalIP', address: internalIp }] : [],
  };
  await api.merge(ref, { status }, { subresource: 'status' });
}
