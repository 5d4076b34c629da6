import type { Document } from '../../src/tenancy/engines/contract/publishing';
import type { WatchConfig } from '../../src/tenancy/runtime/program-config';
import { GATEWAY_API } from '../../src/tenancy/tenancy.facts';
import type { ClusterApi } from './cluster-api';

/** Who was suspended, and who came back, since the last look. */
export interface SuspensionChange {
  readonly suspended: readonly string[];
  readonly resumed: readonly string[];
}

/**
 * Milliseconds until a controller that is told to look has heard of the label: it hears of namespaces and of ListenerSets on two ways,
 * and one that looks too soon does not look again.
 */
const HEARD = 1000;

/** Tells the engine which tenants are suspended, where it does not see the labels of namespaces itself. */
export class SuspendedTenants {
  public names: readonly string[] = [];
  private isFirst = true;
  /** What the list has; what it had before the program started may be old. */
  private told?: string;
  private readonly touched = new Map<string, string>();

  public constructor(
    private readonly api: ClusterApi,
    private readonly config: WatchConfig,
  ) {}

  public async look(): Promise<SuspensionChange> {
    const { label, value } = this.config.suspension;
    const selector = encodeURIComponent(`${label}=${value}`);
    const { items } = await this.api.get(`/api/v1/namespaces?labelSelector=${selector}`);
    const names = (items as Document[])
      .map(({ metadata }) => metadata.name as string)
      .filter((name) => Object.hasOwn(this.config.tenants, name))
      .sort();
    const before = this.names;
    this.names = names;
    await this.tell();
    // at its start it cannot know what is new
    const change = this.isFirst
      ? { suspended: [], resumed: [] }
      : {
          suspended: names.filter((name) => !before.includes(name)),
          resumed: before.filter((name) => !names.includes(name)),
        };
    this.isFirst = false;
    return change;
  }

  private async tell(): Promise<void> {
    const { list, touchesListenerSets } = this.config;
    if (list) {
      await this.writeList(list);
    }
    if (touchesListenerSets) {
      for (const tenant of Object.keys(this.config.tenants).sort()) {
        await this.touch(tenant);
      }
    }
  }

  /** A list that is as it should be is not written: the engine reloads by it. */
  private async writeList({ namespace, name, key }: NonNullable<WatchConfig['list']>): Promise<void> {
    const text = this.names.map((tenant) => `${tenant}\n`).join('');
    if (text === this.told) {
      return;
    }
    const path = `/api/v1/namespaces/${namespace}/configmaps/${name}?fieldManager=${this.config.component}&force=true`;
    const document = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data: { [key]: text } };
    await this.api.patch(path, document, 'apply');
    this.told = text;
  }

  /** An annotation makes the controller look at the namespace of a ListenerSet anew. */
  private async touch(tenant: string): Promise<void> {
    const { label, value } = this.config.suspension;
    const state = this.names.includes(tenant) ? value : null;
    const path = `/apis/${GATEWAY_API.version}/namespaces/${tenant}/listenersets`;
    const known = this.touched.get(tenant);
    if (known === String(state)) {
      return;
    }
    const { items } = await this.api.get(path);
    const others = (items as Document[]).filter(({ metadata }) => (metadata.annotations?.[label] ?? null) !== state);
    if (others.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, HEARD));
    }
    for (const { metadata } of others) {
      await this.api.patch(`${path}/${metadata.name}`, { metadata: { annotations: { [label]: state } } }, 'merge');
    }
    this.touched.set(tenant, String(state));
  }
}
