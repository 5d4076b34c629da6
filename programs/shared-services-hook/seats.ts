import type { Document } from '../../src/tenancy/engines/contract/publishing';
import type { HookConfig } from '../../src/tenancy/runtime/program-config';
import { balancerIn, type SyncRequest } from './cluster-state';

/** A port of a balancer that is set aside for a port of a Service. */
export interface Seat {
  /** The Service, by its uid. */
  readonly uid: string;
  readonly servicePort: number;
  readonly port: number;
  /** Since when it is given up, in seconds; it is free some seconds later, when nothing is written for it any more. */
  readonly since?: number;
}

/**
 * The ports of one balancer that are set aside, in the order in which they were. One object has them all, and one caller at a time
 * changes it: so two Services that come at once never get one port, nor one port more than there are.
 */
export class SeatTable {
  /** @param object what has the table as its annotation; a table that was lost begins empty */
  public static of(object: Document | undefined, { keys }: HookConfig): SeatTable {
    const text = object?.metadata.annotations?.[keys.seats];
    return new SeatTable(typeof text === 'string' ? text.split(',').flatMap(seatOf) : []);
  }

  /** The table that the hook was sent for a Service; nothing where ports are not set aside. */
  public static sentWith({ related }: SyncRequest, config: HookConfig): SeatTable | undefined {
    const { seats } = config;
    return seats && SeatTable.of(balancerIn(related, { kind: 'Service' }, seats), config);
  }

  public constructor(public readonly seats: readonly Seat[]) {}

  /** The ports that a Service may publish, by its own. */
  public portsFor({ metadata }: Document): Record<number, number> {
    const own = this.seats.filter(({ uid, since }) => uid === metadata.uid && since === undefined);
    return Object.fromEntries(own.map(({ servicePort, port }) => [servicePort, port]));
  }

  /** The ports that others have, those among them that are given up just now. */
  public portsOfOthers({ metadata }: Document): number[] {
    return this.seats.filter(({ uid }) => uid !== metadata.uid).map(({ port }) => port);
  }

  public get text(): string {
    return this.seats
      .map(
        ({ uid, servicePort, port, since }) => `${uid}/${servicePort}=${port}${since === undefined ? '' : `~${since}`}`,
      )
      .join(',');
  }
}

/** Whether an object is the one that has the table: its label can be written on any Service. */
export function hasTable({ metadata }: Document, { seats }: HookConfig): boolean {
  return metadata.name === seats?.name && metadata.namespace === seats?.namespace;
}

function seatOf(text: string): Seat[] {
  const match = /^([^/]+)\/(\d+)=(\d+)(?:~(\d+))?$/.exec(text);
  return match
    ? [
        {
          uid: match[1],
          servicePort: Number(match[2]),
          port: Number(match[3]),
          ...(match[4] === undefined ? {} : { since: Number(match[4]) }),
        },
      ]
    : [];
}
