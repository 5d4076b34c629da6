import type { Document, PortHolderKind } from '../../src/tenancy/engines/contract/publishing';
import type { HookConfig } from '../../src/tenancy/runtime/program-config';

/** Who has which port of a balancer, besides one Service. */
export class PortHolders {
  private readonly sets: readonly Document[];
  private readonly own: ReadonlySet<number>;

  /**
   * @param kind how objects say who has which port
   * @param gateway the balancer; a Gateway has listeners of its own
   * @param sets all objects that are known to hold ports
   * @param mine the one of the Service, where there is one
   * @param setAside ports that are set aside for others, whether they are in a set yet or not
   */
  public constructor(
    private readonly config: HookConfig,
    private readonly kind: PortHolderKind,
    gateway: Document | undefined,
    sets: readonly Document[],
    private readonly mine: Document | undefined,
    private readonly setAside: readonly number[] = [],
  ) {
    const [balancer] = config.balancers;
    const listeners = (gateway?.spec?.listeners ?? []) as Document[];
    this.own = new Set([...(config.reserved ?? []), ...listeners.map(({ port }) => port)]);
    this.sets = sets.filter(
      (set) =>
        set.metadata.uid !== mine?.metadata.uid && kind.isAt(set, balancer, config.settings) && canHold(config, set),
    );
  }

  /** Whether the Service has no right to a port: a port that is in use is never removed, and of two the older one has it. */
  public hasOther(port: number): boolean {
    if (this.own.has(port) || this.setAside.includes(port)) {
      return true;
    }
    const others = this.sets.filter((set) => this.hasPort(set, port));
    const { mine } = this;
    return (
      others.length > 0 && !(mine && this.hasPort(mine, port) && others.every((other) => this.isBefore(mine, other)))
    );
  }

  /** Whether the Service has a port already. */
  public isMine(port: number): boolean {
    return this.mine !== undefined && this.hasPort(this.mine, port);
  }

  /** What all others have. */
  public portsOfOthers(): number[] {
    return [...this.setAside, ...this.sets.flatMap((set) => this.kind.portsOf(set))];
  }

  /** The ports of those that come before the Service: of all others where it has none yet. */
  public portsBefore(): number[] {
    const { mine } = this;
    return this.sets.filter((other) => !mine || this.isBefore(other, mine)).flatMap((set) => this.kind.portsOf(set));
  }

  /** Which of two has a port that both want: what the platform published, then the older, then by name. */
  private isBefore(one: Document, other: Document): boolean {
    const first = [this.isPublished(one) ? '0' : '1', one.metadata.creationTimestamp, nameOf(one)];
    const second = [this.isPublished(other) ? '0' : '1', other.metadata.creationTimestamp, nameOf(other)];
    const i = first.findIndex((value, at) => value !== second[at]);
    return i >= 0 && first[i] < second[i];
  }

  private hasPort(set: Document, port: number): boolean {
    return this.kind.portsOf(set).includes(port);
  }

  private isPublished(set: Document): boolean {
    return isPublishedSet(this.config, set);
  }
}

/** Whether a set is what the platform published for a tenant: it has the name of a balancer. */
function isPublishedSet({ balancers, tenants }: HookConfig, { metadata }: Document): boolean {
  return balancers.some(({ name }) => name === metadata.name) && Object.hasOwn(tenants, metadata.namespace);
}

/** Whether a set can have a port at all: third parties have none, nor who is not admitted. */
function canHold({ tenants }: HookConfig, { metadata, status }: Document): boolean {
  const isShut = ({ type, status: is, reason }: Document) =>
    type === 'Accepted' && is === 'False' && reason === NOT_ALLOWED;
  return Object.hasOwn(tenants, metadata.namespace) && !((status?.conditions ?? []) as Document[]).some(isShut);
}

/** The reason of a set that its Gateway does not let in. kubernetes-sigs/gateway-api v1.6.3: apis/v1/listenerset_types.go */
const NOT_ALLOWED = 'NotAllowed';

function nameOf({ metadata }: Document): string {
  return `${metadata.namespace}/${metadata.name}`;
}
