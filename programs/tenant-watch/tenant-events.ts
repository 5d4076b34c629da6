import type { Document } from '../../src/tenancy/engines/contract/publishing';
import type { WatchConfig } from '../../src/tenancy/runtime/program-config';
import { ApiError, type ClusterApi } from './cluster-api';

/** Something to say about an object of a tenant. */
export interface Notice {
  readonly type: 'Normal' | 'Warning';
  /** One word, in camel case. */
  readonly reason: string;
  readonly message: string;
  readonly about: EventSubject;
}

/** The object that an event is about. */
export interface EventSubject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
}

/** How long the API server keeps an event, in ms, and so how long one can be counted on. kubernetes: --event-ttl */
const KEPT = 60 * 60 * 1000;

interface Posted {
  readonly name: string;
  last: number;
  count: number;
}

/** Posts events, and counts one on instead of posting it again. */
export class TenantEvents {
  private readonly posted = new Map<string, Posted>();

  public constructor(
    private readonly api: ClusterApi,
    private readonly config: Pick<WatchConfig, 'component'>,
  ) {}

  public async post(notice: Notice, now: Date): Promise<void> {
    const { about, reason } = notice;
    const key = `${about.namespace}/${about.kind}/${about.name}/${reason}`;
    const known = this.posted.get(key);
    const events = `/api/v1/namespaces/${about.namespace}/events`;
    if (known && now.getTime() - known.last < KEPT) {
      known.count++;
      known.last = now.getTime();
      const { message } = notice;
      const change = { count: known.count, lastTimestamp: seconds(now), message };
      const found = await undefinedIfNotFound(this.api.patch(`${events}/${known.name}`, change, 'merge'));
      if (found) {
        return;
      }
    }
    const name = `${about.name.slice(0, 200)}.${now.getTime().toString(16)}${this.posted.size.toString(16)}`;
    await this.api.create(events, this.eventOf(notice, name, now));
    this.posted.set(key, { name, last: now.getTime(), count: 1 });
  }

  private eventOf({ about, type, reason, message }: Notice, name: string, now: Date): Document {
    const { component } = this.config;
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name, namespace: about.namespace },
      involvedObject: about,
      type,
      reason,
      message,
      source: { component },
      reportingComponent: component,
      reportingInstance: component,
      firstTimestamp: seconds(now),
      lastTimestamp: seconds(now),
      count: 1,
    };
  }
}

/** An answer; nothing where the object is not there. */
export async function undefinedIfNotFound<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) {
      return undefined;
    }
    throw error;
  }
}

function seconds(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}
