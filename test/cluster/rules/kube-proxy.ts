import { spawnSync } from 'node:child_process';
import { IptablesRules } from './iptables-rules';
import { NftablesRules } from './nftables-rules';
import type { Rules } from './packet';

/** A node, as its kube-proxy knows it. */
export interface ProxiedNode {
  readonly name: string;
  readonly ip: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** What every kube-proxy of a cluster watches. */
export interface ProxiedCluster {
  readonly podCIDR: string;
  readonly nodes: readonly ProxiedNode[];
  readonly services: readonly object[];
  readonly endpointSlices: readonly object[];
}

/** What the kube-proxy of one node writes. */
export interface WrittenRules {
  readonly iptables: string;
  readonly nftables: string;
  /** Ready pods on the node by `namespace/name`: health checks of the Service are answered with 503 without one. */
  readonly readyPods: Readonly<Record<string, number>>;
}

export const MODES = ['iptables', 'nftables'] as const;

export type Mode = (typeof MODES)[number];

/** The rules that kube-proxy's own generators write for a cluster, by node. */
export function writtenRules(cluster: ProxiedCluster): Record<string, WrittenRules> {
  const program = process.env.CONTROL_PLANE;
  if (!program) {
    throw new Error('there is no generator of rules: run `npm run test:cluster`, which builds it');
  }
  const input = JSON.stringify(cluster);
  const { status, stdout, stderr } = spawnSync(program, ['rules'], { input, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) {
    throw new Error(`kube-proxy wrote no rules:\n${stderr}`);
  }
  return JSON.parse(stdout);
}

/** The text of a node's rules, to be walked through. */
export function readRules(written: WrittenRules, mode: Mode, node: ProxiedNode): Rules {
  return mode === 'iptables'
    ? new IptablesRules(written.iptables, [node.ip])
    : new NftablesRules(written.nftables, [node.ip]);
}
