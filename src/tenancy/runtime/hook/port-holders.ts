import type { Document } from '../../engines/contract/attachment';
import type { HookConfig } from './hook-config';

/** Who has which port of a balancer, besides one Service. */
export class PortHolders {
  private readonly sets: readonly Document[];
  private readonly own: ReadonlySet<number>;

  /**
   * @param gateway the Gateway, with listeners of its own
   * @param sets all ListenerSets that are known
   * @param mine the one of the Service, where there is one
   */
  public constructor(
    private readonly config: HookConfig,
    gateway: Document | undefined,
    sets: readonly Document[],
    private readonly mine: Document | undefined,
  ) {
    const [balancer] = config.balancers;
    const listeners = (gateway?.spec?.listeners ?? []) as Document[];
    this.own = new Set([...(config.reserved ?? []), ...listeners.map(({ port }) => port)]);
    this.sets = sets.filter(
      (set) =>
        set.metadata.uid !== mine?.metadata.uid && isAt(set, balancer) && set.spec?.listeners && canHold(config, set),
    );
  }

  /** Whether the Service has no right to a port: a port that is in use is never taken away, and of two the older one has it. */
  public hasOther(port: number): boolean {
    if (this.own.has(port)) {
      return true;
    }
    const others = this.sets.filter((set) => hasPort(set, port));
    const { mine } = this;
    return others.length > 0 && !(mine && hasPort(mine, port) && others.every((other) => this.isBefore(mine, other)));
  }

  /** Whether the Service has a port already. */
  public isMine(port: number): boolean {
    return this.mine?.spec?.listeners !== undefined && hasPort(this.mine, port);
  }

  /** What all others have. */
  public portsOfOthers(): number[] {
    return this.sets.flatMap(portsOf);
  }

  /** The ports of those that come before the Service: of all others where it has none yet. */
  public portsBefore(): number[] {
    const { mine } = this;
    return this.sets.filter((other) => !mine || this.isBefore(other, mine)).flatMap(portsOf);
  }

  /** Which of two has a port that both want: what the platform published, then the older, then by name. */
  private isBefore(one: Document, other: Document): boolean {
    const first = [this.isPublished(one) ? '0' : '1', one.metadata.creationTimestamp, nameOf(one)];
    const second = [this.isPublished(other) ? '0' : '1', other.metadata.creationTimestamp, nameOf(other)];
    const i = first.findIndex((value, at) => value !== second[at]);
    return i >= 0 && first[i] < second[i];
  }

  private isPublished(set: Document): boolean {
    return isPublishedSet(this.config, set);
  }
}

/** Whether a set is what the platform published for a tenant: it has the name of a balancer. */
function isPublishedSet({ balancers, tenants }: HookConfig, { metadata }: Document): boolean {
  return balancers.some(({ name }) => name === metadata.name) && Object.hasOwn(tenants, metadata.namespace);
}

/** Whether a set belongs to a balancer. */
function isAt(set: Document, balancer: { readonly name: string; readonly namespace: string }): boolean {
  const { name, namespace } = set.spec?.parentRef ?? {};
  return name === balancer.name && (namespace ?? set.metadata.namespace) === balancer.namespace;
}

/** Whether a set can have a port at all: third parties have none, nor who is not admitted. */
function canHold({ tenants }: HookConfig, { metadata, status }: Document): boolean {
  const isShut = ({ type, status: is, reason }: Document) =>
    type === 'Accepted' && is === 'False' && reason === NOT_ALLOWED;
  return Object.hasOwn(tenants, metadata.namespace) && !((status?.conditions ?? []) as Document[]).some(isShut);
}

/** The reason of a set that its Gateway does not let in. kubernetes-sigs/gateway-api v1.6.3: apis/v1/listenerset_types.go */
const NOT_ALLOWED = 'NotAllowed';

function hasPort(set: Document, port: number): boolean {
  return portsOf(set).includes(port);
}

function portsOf({ spec }: Document): number[] {
  return (spec.listeners as Document[]).map(({ port }) => port);
}

function nameOf({ metadata }: Document): string {
  return `${metadata.namespace}/${metadata.name}`;
}
