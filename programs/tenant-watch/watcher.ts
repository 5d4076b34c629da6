import type { Document, KnownTenants, PortOwner, Reading } from '../../src/tenancy/engines/contract/publishing';
import { STATISTICS_READERS } from '../../src/tenancy/engines/statistics';
import type { WatchConfig, WatchedBalancer } from '../../src/tenancy/runtime/program-config';
import { GATEWAY_API } from '../../src/tenancy/tenancy.facts';
import type { ClusterApi } from './cluster-api';
import { samplesOf } from './metrics-text';
import { SuspendedTenants } from './suspended-tenants';
import { type Overflow, type Round, Tally } from './tally';
import { type EventSubject, TenantEvents, undefinedIfNotFound } from './tenant-events';

/** Reads metrics of a proxy. */
export type Scrape = (url: string) => Promise<string>;

/** From which part of its limit on a tenant is said to be throttled: proxies throttle to a little less than the limit. */
const THROTTLED = 0.95;

/** What watches the tenants of one shared load balancer; a round is a look at everything. */
export class Watcher {
  public readonly tally = new Tally();
  public readonly suspended: SuspendedTenants;
  /** Proxies that answered in the last round, and rounds that failed. */
  public proxies = 0;
  public failures = 0;
  public lastRound?: Date;
  private readonly events: TenantEvents;

  public constructor(
    private readonly api: ClusterApi,
    private readonly scrape: Scrape,
    public readonly config: WatchConfig,
  ) {
    this.suspended = new SuspendedTenants(api, config);
    this.events = new TenantEvents(api, config);
  }

  /** Does everything that can be done; returns what could not. */
  public async round(now: Date): Promise<readonly Error[]> {
    const failed: Error[] = [];
    const attempt = async (what: () => Promise<void>) => {
      try {
        await what();
      } catch (error) {
        this.failures++;
        failed.push(error as Error);
      }
    };
    await attempt(async () => {
      const { suspended, resumed } = await this.suspended.look();
      for (const tenant of suspended) {
        await attempt(() => this.tell(tenant, 'Suspended', SUSPENDED, now));
      }
      for (const tenant of resumed) {
        await attempt(() => this.tell(tenant, 'Resumed', RESUMED, now));
      }
    });
    await attempt(async () => {
      const { overflows, moved } = await this.count(attempt);
      const served = overflows.filter(({ tenant }) => !this.suspended.names.includes(tenant));
      for (const overflow of served) {
        await attempt(() => this.tellOverflow(overflow, now));
      }
      const seconds = this.lastRound && (now.getTime() - this.lastRound.getTime()) / 1000;
      for (const [tenant, bytes] of moved) {
        await attempt(() => this.tellThrottled(tenant, bytes, seconds, now));
      }
    });
    this.lastRound = now;
    return failed;
  }

  private async count(attempt: (what: () => Promise<void>) => Promise<void>): Promise<Round> {
    const readings = new Map<string, Reading[]>();
    const silent: string[] = [];
    const reader = STATISTICS_READERS.get(this.config.reader);
    for (const [number, balancer] of this.config.balancers.entries()) {
      const { pods } = balancer;
      if (!reader || !pods) {
        continue;
      }
      const known = this.knownAt(balancer, number);
      const selector = encodeURIComponent(
        Object.entries(pods.labels)
          .map((pair) => pair.join('='))
          .join(','),
      );
      const { items } = await this.api.get(`/api/v1/namespaces/${pods.namespace}/pods?labelSelector=${selector}`);
      const running = (items as Document[]).filter(({ status }) => status?.phase === 'Running' && status.podIP);
      await Promise.all(
        running.map(async ({ metadata, status }) => {
          silent.push(metadata.uid);
          await attempt(async () => {
            const host = String(status.podIP).includes(':') ? `[${status.podIP}]` : status.podIP;
            const text = await this.scrape(`http://${host}:${reader.port}${reader.path}`);
            readings.set(metadata.uid, reader.read(samplesOf(text), known));
          });
        }),
      );
    }
    this.proxies = readings.size;
    return this.tally.add(
      readings,
      silent.filter((uid) => !readings.has(uid)),
    );
  }

  private knownAt({ ports }: WatchedBalancer, number: number): KnownTenants {
    const { tenants } = this.config;
    return {
      isTenant: (namespace) => Object.hasOwn(tenants, namespace),
      isLimitedAlone: (namespace) =>
        tenants[namespace]?.connections !== undefined && tenants[namespace].hasSourceRanges !== true,
      ownerOf: (port): PortOwner | undefined => {
        const [tenant, service] = ports[port]?.split('/') ?? [];
        if (tenant !== undefined) {
          return { tenant, service };
        }
        const [atRunTime] = Object.entries(tenants).find(
          ([, { range }]) => number === 0 && range && port >= range.first && port <= range.last,
        ) ?? [undefined];
        return atRunTime === undefined ? undefined : { tenant: atRunTime };
      },
    };
  }

  private async tellOverflow({ tenant, service, port, count }: Overflow, now: Date): Promise<void> {
    const about = service === undefined ? await this.holderOf(tenant, port) : await this.serviceOf(tenant, service);
    if (about) {
      const { connections } = this.config.tenants[tenant];
      const where = port === undefined ? '' : ` to port ${port}`;
      const limit = connections === undefined ? '' : ` of ${connections}, of which each proxy has its share`;
      const message = `${count} connections${where} were refused: the tenant is at its limit${limit}`;
      await this.events.post({ type: 'Warning', reason: 'ConnectionLimitReached', message, about }, now);
    }
  }

  private async tellThrottled(
    tenant: string,
    bytes: { readonly in: number; readonly out: number },
    seconds: number | undefined,
    now: Date,
  ): Promise<void> {
    const { bytesPerSecond } = this.config.tenants[tenant] ?? {};
    if (bytesPerSecond === undefined || !seconds) {
      return;
    }
    const rate = Math.max(bytes.in, bytes.out) / seconds;
    if (rate >= bytesPerSecond * THROTTLED) {
      const message = `connections are throttled: the tenant is at its limit of ${bytesPerSecond} bytes a second in one direction`;
      await this.tell(tenant, 'BandwidthLimitReached', message, now, 'Warning');
    }
  }

  /** Says something at every Service that the platform publishes of a tenant. */
  private async tell(
    tenant: string,
    reason: string,
    message: string,
    now: Date,
    type: 'Normal' | 'Warning' = 'Normal',
  ): Promise<void> {
    for (const service of this.config.tenants[tenant].services) {
      const about = await this.serviceOf(tenant, service);
      if (about) {
        await this.events.post({ type, reason, message, about }, now);
      }
    }
  }

  private async serviceOf(namespace: string, name: string): Promise<EventSubject | undefined> {
    const service = await undefinedIfNotFound(this.api.get(`/api/v1/namespaces/${namespace}/services/${name}`));
    return service && { apiVersion: 'v1', kind: 'Service', namespace, name, uid: service.metadata.uid };
  }

  /** What was created at run time with a port: the Service that owns the ListenerSet. */
  private async holderOf(namespace: string, port: number | undefined): Promise<EventSubject | undefined> {
    const { version } = GATEWAY_API;
    const sets = await undefinedIfNotFound(this.api.get(`/apis/${version}/namespaces/${namespace}/listenersets`));
    const set = ((sets?.items ?? []) as Document[]).find(({ spec }) =>
      (spec?.listeners as Document[] | undefined)?.some((listener) => listener.port === port),
    );
    const owner = (set?.metadata.ownerReferences as Document[] | undefined)?.find(({ controller }) => controller);
    const { apiVersion, kind, name, uid } = owner ?? { apiVersion: version, kind: 'ListenerSet', ...set?.metadata };
    return set && { apiVersion, kind, namespace, name, uid };
  }
}

const SUSPENDED = 'the platform has suspended this tenant: its ports stay reserved, and take no connection';
const RESUMED = 'the platform has resumed this tenant: its ports take connections again';
