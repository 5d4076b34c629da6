// Made by scripts/hook/write.ts of its sources in src/tenancy; not to be edited.

// scripts/watch/main.ts
var import_node_fs = require("node:fs");

// src/tenancy/watch/program/cluster-api.ts
var CONTENT_TYPES = {
  merge: "application/merge-patch+json",
  apply: "application/apply-patch+yaml"
};
var ApiError = class extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
  status;
};
function clusterApi(address2, token, timeoutMs = 1e4) {
  async function request(method, path, document, contentType = "application/json") {
    const response = await fetch(`${address2}${path}`, {
      method,
      headers: { authorization: `Bearer ${token()}`, accept: "application/json", "content-type": contentType },
      body: document && JSON.stringify(document),
      signal: AbortSignal.timeout(timeoutMs)
    });
    const text = await response.text();
    if (!response.ok) {
      throw new ApiError(response.status, `${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    }
    return JSON.parse(text);
  }
  return {
    get: (path) => request("GET", path),
    create: (path, document) => request("POST", path, document),
    patch: (path, document, type) => request("PATCH", path, document, CONTENT_TYPES[type])
  };
}

// src/tenancy/watch/program/server.ts
var import_node_http = require("node:http");

// src/tenancy/watch/program/metrics-text.ts
var LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/;
var LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;
function samplesOf(text) {
  return text.split("\n").flatMap((line) => {
    const [, name, labels = "", value] = line.startsWith("#") ? [] : LINE.exec(line) ?? [];
    return name === void 0 || !Number.isFinite(Number(value)) ? [] : [{ name, value: Number(value), labels: labelsOf(labels) }];
  });
}
function labelsOf(text) {
  return Object.fromEntries([...text.matchAll(LABEL)].map(([, key, value]) => [key, unescaped(value)]));
}
function unescaped(value) {
  return value.replace(/\\(.)/g, (_, escaped2) => escaped2 === "n" ? "\n" : escaped2);
}
function escaped(value) {
  return value.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n");
}

// src/tenancy/watch/program/usage.facts.ts
var USAGE_METRICS = {
  connections: "shared_load_balancer_tenant_connections",
  bytes: "shared_load_balancer_tenant_bytes_total",
  refused: "shared_load_balancer_tenant_refused_connections_total",
  limit: "shared_load_balancer_tenant_connection_limit",
  isSuspended: "shared_load_balancer_tenant_suspended",
  proxies: "shared_load_balancer_proxies",
  failures: "shared_load_balancer_watch_failures_total",
  /** The label with the namespace and the name of the shared load balancer. */
  balancerLabel: "shared_load_balancer"
};

// src/tenancy/watch/program/usage-text.ts
function usageText({ tally, config: config2, suspended, proxies, failures }) {
  const tenants = Object.keys(config2.tenants).sort();
  const none = { connections: 0, bytesIn: 0, bytesOut: 0, limited: 0, refused: 0 };
  const balancer = `${USAGE_METRICS.balancerLabel}="${escaped(config2.shared)}"`;
  const ofTenant = (tenant, more = "") => `{${balancer},tenant="${escaped(tenant)}"${more}}`;
  const each = (line) => tenants.flatMap((tenant) => line(tenant, tally.tenants.get(tenant) ?? none));
  const { connections, bytes, refused, limit, isSuspended } = USAGE_METRICS;
  const lines = [
    `# TYPE ${connections} gauge`,
    ...each((tenant, sum) => [`${connections}${ofTenant(tenant)} ${sum.connections}`]),
    `# TYPE ${bytes} counter`,
    ...each((tenant, { bytesIn, bytesOut }) => [
      `${bytes}${ofTenant(tenant, ',direction="in"')} ${bytesIn}`,
      `${bytes}${ofTenant(tenant, ',direction="out"')} ${bytesOut}`
    ]),
    `# TYPE ${refused} counter`,
    ...each((tenant, sum) => [
      `${refused}${ofTenant(tenant, ',reason="limit"')} ${sum.limited}`,
      `${refused}${ofTenant(tenant, ',reason="other"')} ${sum.refused}`
    ]),
    `# TYPE ${limit} gauge`,
    ...each((tenant) => {
      const most = config2.tenants[tenant].connections;
      return most === void 0 ? [] : [`${limit}${ofTenant(tenant)} ${most}`];
    }),
    `# TYPE ${isSuspended} gauge`,
    ...each((tenant) => [`${isSuspended}${ofTenant(tenant)} ${suspended.names.includes(tenant) ? 1 : 0}`]),
    `# TYPE ${USAGE_METRICS.proxies} gauge`,
    `${USAGE_METRICS.proxies}{${balancer}} ${proxies}`,
    `# TYPE ${USAGE_METRICS.failures} counter`,
    `${USAGE_METRICS.failures}{${balancer}} ${failures}`
  ];
  return `${lines.join("\n")}
`;
}

// src/tenancy/watch/program/server.ts
var PATIENCE = 10;
function usageServer(watch2, now = () => /* @__PURE__ */ new Date()) {
  const started = now();
  return (0, import_node_http.createServer)(({ url }, response) => {
    if (url === "/metrics") {
      response.writeHead(200, { "content-type": "text/plain; version=0.0.4" }).end(usageText(watch2));
    } else if (url === "/healthz") {
      const since = now().getTime() - (watch2.lastRound ?? started).getTime();
      const isLate = since > watch2.config.intervalSeconds * 1e3 * PATIENCE;
      response.writeHead(isLate ? 500 : 200).end(isLate ? "no round has ended for long\n" : "ok\n");
    } else {
      response.writeHead(404).end("there are /metrics and /healthz\n");
    }
  });
}

// src/tenancy/engines/envoy-gateway/facts.ts
var ENVOY_PORT_SHIFT = { below: 1024, by: 1e4 };
var ENVOY_STATISTICS = {
  port: 19001,
  path: "/stats/prometheus",
  clusters: {
    envoy_cluster_upstream_cx_active: "connections",
    envoy_cluster_upstream_cx_tx_bytes_total: "bytesIn",
    envoy_cluster_upstream_cx_rx_bytes_total: "bytesOut"
  },
  clusterLabel: "envoy_cluster_name",
  clusterName: /^(?:tcp|tls)route\/([^/]+)\//,
  listeners: {
    envoy_connection_limit_limited_connections: { counted: "limited", label: "envoy_connection_limit_prefix" },
    envoy_rbac_denied: { counted: "refused", label: "envoy_rbac_prefix" }
  },
  listenerName: /^tcp-(\d+)$/
};

// src/tenancy/engines/envoy-gateway/statistics.ts
var { clusters, listeners, clusterName, listenerName } = ENVOY_STATISTICS;
var ENVOY_READER = {
  port: ENVOY_STATISTICS.port,
  path: ENVOY_STATISTICS.path,
  read: (samples, tenants) => samples.flatMap((sample) => {
    const ofCluster = clusters[sample.name];
    const ofListener = listeners[sample.name];
    return [
      ...ofCluster ? readCluster(sample, ofCluster, tenants) : [],
      ...ofListener ? readListener(sample, ofListener, tenants) : []
    ];
  })
};
function readCluster({ labels, value, name }, counted, tenants) {
  const [, tenant] = clusterName.exec(labels[ENVOY_STATISTICS.clusterLabel] ?? "") ?? [];
  return tenant !== void 0 && tenants.isTenant(tenant) ? [{ tenant, counted, value, of: `${name} ${labels[ENVOY_STATISTICS.clusterLabel]}` }] : [];
}
function readListener({ labels, value, name }, { counted, label: label2 }, tenants) {
  const podPort = Number(listenerName.exec(labels[label2] ?? "")?.[1]);
  const { below, by } = ENVOY_PORT_SHIFT;
  const port2 = [podPort, podPort - by].find((one, i) => (i === 0 || one < below) && tenants.ownerOf(one) !== void 0);
  const owner = port2 === void 0 ? void 0 : tenants.ownerOf(port2);
  return owner ? [{ ...owner, counted, value, port: port2, of: `${name} ${labels[label2]}` }] : [];
}

// src/tenancy/engines/haproxy/facts.ts
var HAPROXY_STATISTICS = {
  port: 1024,
  path: "/metrics",
  frontends: {
    haproxy_frontend_current_sessions: "connections",
    haproxy_frontend_bytes_in_total: "bytesIn",
    haproxy_frontend_bytes_out_total: "bytesOut"
  },
  denied: ["haproxy_frontend_denied_connections_total", "haproxy_frontend_denied_sessions_total"],
  label: "proxy",
  frontendName: /^tcpcr_([a-z0-9-]+)_\1\.(.+)\.\d+$/
};

// src/tenancy/engines/haproxy/statistics.ts
var { frontends, denied, label, frontendName } = HAPROXY_STATISTICS;
var HAPROXY_READER = {
  port: HAPROXY_STATISTICS.port,
  path: HAPROXY_STATISTICS.path,
  read: (samples, tenants) => samples.flatMap(({ name, labels, value }) => {
    const [, tenant, service] = frontendName.exec(labels[label] ?? "") ?? [];
    if (tenant === void 0 || !tenants.isTenant(tenant)) {
      return [];
    }
    const of = `${name} ${labels[label]}`;
    const counted = denied.includes(name) ? tenants.isLimitedAlone(tenant) ? "limited" : "refused" : frontends[name];
    return counted ? [{ tenant, service, counted, value, of }] : [];
  })
};

// src/tenancy/engines/statistics.ts
var STATISTICS_READERS = {
  "envoy-gateway": ENVOY_READER,
  haproxy: HAPROXY_READER
};

// src/tenancy/tenancy.facts.ts
var GATEWAY_API = {
  group: "gateway.networking.k8s.io",
  version: "gateway.networking.k8s.io/v1"
};

// src/tenancy/watch/program/suspended-tenants.ts
var HEARD = 1e3;
var SuspendedTenants = class {
  constructor(api2, config2) {
    this.api = api2;
    this.config = config2;
  }
  api;
  config;
  names = [];
  isFirst = true;
  /** What the list has; what it had before the program started may be old. */
  told;
  touched = /* @__PURE__ */ new Map();
  async look() {
    const { label: label2, value } = this.config.suspension;
    const selector = encodeURIComponent(`${label2}=${value}`);
    const { items } = await this.api.get(`/api/v1/namespaces?labelSelector=${selector}`);
    const names = items.map(({ metadata }) => metadata.name).filter((name) => Object.hasOwn(this.config.tenants, name)).sort();
    const before = this.names;
    this.names = names;
    await this.tell();
    const change = this.isFirst ? { suspended: [], resumed: [] } : {
      suspended: names.filter((name) => !before.includes(name)),
      resumed: before.filter((name) => !names.includes(name))
    };
    this.isFirst = false;
    return change;
  }
  async tell() {
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
  async writeList({ namespace, name, key }) {
    const text = this.names.map((tenant) => `${tenant}
`).join("");
    if (text === this.told) {
      return;
    }
    const path = `/api/v1/namespaces/${namespace}/configmaps/${name}?fieldManager=${this.config.component}&force=true`;
    const document = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data: { [key]: text } };
    await this.api.patch(path, document, "apply");
    this.told = text;
  }
  /** An annotation makes the controller look at the namespace of a ListenerSet anew. */
  async touch(tenant) {
    const { label: label2, value } = this.config.suspension;
    const state = this.names.includes(tenant) ? value : null;
    const path = `/apis/${GATEWAY_API.version}/namespaces/${tenant}/listenersets`;
    const known = this.touched.get(tenant);
    if (known === String(state)) {
      return;
    }
    const { items } = await this.api.get(path);
    const others = items.filter(({ metadata }) => (metadata.annotations?.[label2] ?? null) !== state);
    if (others.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, HEARD));
    }
    for (const { metadata } of others) {
      await this.api.patch(`${path}/${metadata.name}`, { metadata: { annotations: { [label2]: state } } }, "merge");
    }
    this.touched.set(tenant, String(state));
  }
};

// src/tenancy/watch/program/tally.ts
var Tally = class {
  tenants = /* @__PURE__ */ new Map();
  last = /* @__PURE__ */ new Map();
  rounds = 0;
  /**
   * One round.
   *
   * @param proxies what each proxy says, by its name; one that did not answer is left out and keeps what it had
   * @param silent the proxies that did not answer, and are there
   */
  add(proxies, silent = []) {
    const seen = /* @__PURE__ */ new Map();
    for (const [key, value] of this.last) {
      if (silent.some((proxy) => key.startsWith(`${proxy} `))) seen.set(key, value);
    }
    for (const sum of this.tenants.values()) {
      sum.connections = 0;
    }
    const overflows = /* @__PURE__ */ new Map();
    const moved = /* @__PURE__ */ new Map();
    for (const [proxy, readings] of proxies) {
      for (const reading of readings) {
        const grown = this.grown(`${proxy} ${reading.of}`, reading, seen);
        const { tenant, counted, service, port: port2 } = reading;
        this.sumOf(tenant)[counted] += grown;
        if (counted === "limited" && grown > 0) {
          const key = `${tenant}/${service}:${port2}`;
          overflows.set(key, { tenant, service, port: port2, count: (overflows.get(key)?.count ?? 0) + grown });
        }
        const way = WAYS[counted];
        if (way) {
          const of = moved.get(tenant) ?? { in: 0, out: 0 };
          of[way] += grown;
          moved.set(tenant, of);
        }
      }
    }
    this.last = seen;
    const isFirst = this.rounds++ === 0;
    return isFirst ? { overflows: [], moved: /* @__PURE__ */ new Map() } : { overflows: [...overflows.values()], moved };
  }
  grown(key, { counted, value }, seen) {
    if (counted === "connections") {
      return value;
    }
    const before = this.last.get(key);
    seen.set(key, value);
    return before === void 0 || value < before ? value : value - before;
  }
  sumOf(tenant) {
    const known = this.tenants.get(tenant);
    const sum = known ?? { connections: 0, bytesIn: 0, bytesOut: 0, limited: 0, refused: 0 };
    this.tenants.set(tenant, sum);
    return sum;
  }
};
var WAYS = { bytesIn: "in", bytesOut: "out" };

// src/tenancy/watch/program/tenant-events.ts
var KEPT = 60 * 60 * 1e3;
var TenantEvents = class {
  constructor(api2, config2) {
    this.api = api2;
    this.config = config2;
  }
  api;
  config;
  posted = /* @__PURE__ */ new Map();
  async post(notice, now) {
    const { about, reason } = notice;
    const key = `${about.namespace}/${about.kind}/${about.name}/${reason}`;
    const known = this.posted.get(key);
    const events = `/api/v1/namespaces/${about.namespace}/events`;
    if (known && now.getTime() - known.last < KEPT) {
      known.count++;
      known.last = now.getTime();
      const { message } = notice;
      const change = { count: known.count, lastTimestamp: seconds(now), message };
      const found = await unlessGone(this.api.patch(`${events}/${known.name}`, change, "merge"));
      if (found) {
        return;
      }
    }
    const name = `${about.name.slice(0, 200)}.${now.getTime().toString(16)}${this.posted.size.toString(16)}`;
    await this.api.create(events, this.eventOf(notice, name, now));
    this.posted.set(key, { name, last: now.getTime(), count: 1 });
  }
  eventOf({ about, type, reason, message }, name, now) {
    const { component } = this.config;
    return {
      apiVersion: "v1",
      kind: "Event",
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
      count: 1
    };
  }
};
async function unlessGone(answer) {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) {
      return void 0;
    }
    throw error;
  }
}
function seconds(time) {
  return `${time.toISOString().slice(0, 19)}Z`;
}

// src/tenancy/watch/program/watcher.ts
var THROTTLED = 0.95;
var Watcher = class {
  constructor(api2, scrape, config2) {
    this.api = api2;
    this.scrape = scrape;
    this.config = config2;
    this.suspended = new SuspendedTenants(api2, config2);
    this.events = new TenantEvents(api2, config2);
  }
  api;
  scrape;
  config;
  tally = new Tally();
  suspended;
  /** Proxies that answered in the last round, and rounds that failed. */
  proxies = 0;
  failures = 0;
  lastRound;
  events;
  /** Does everything that can be done; returns what could not. */
  async round(now) {
    const failed = [];
    const attempt = async (what) => {
      try {
        await what();
      } catch (error) {
        this.failures++;
        failed.push(error);
      }
    };
    await attempt(async () => {
      const { suspended, resumed } = await this.suspended.look();
      for (const tenant of suspended) {
        await attempt(() => this.tell(tenant, "Suspended", SUSPENDED, now));
      }
      for (const tenant of resumed) {
        await attempt(() => this.tell(tenant, "Resumed", RESUMED, now));
      }
    });
    await attempt(async () => {
      const { overflows, moved } = await this.count(attempt);
      const served = overflows.filter(({ tenant }) => !this.suspended.names.includes(tenant));
      for (const overflow of served) {
        await attempt(() => this.tellOverflow(overflow, now));
      }
      const seconds2 = this.lastRound && (now.getTime() - this.lastRound.getTime()) / 1e3;
      for (const [tenant, bytes] of moved) {
        await attempt(() => this.tellThrottled(tenant, bytes, seconds2, now));
      }
    });
    this.lastRound = now;
    return failed;
  }
  async count(attempt) {
    const readings = /* @__PURE__ */ new Map();
    const silent = [];
    const reader = STATISTICS_READERS[this.config.reader ?? ""];
    for (const [number, balancer] of this.config.balancers.entries()) {
      const { pods } = balancer;
      if (!reader || !pods) {
        continue;
      }
      const known = this.knownAt(balancer, number);
      const selector = encodeURIComponent(
        Object.entries(pods.labels).map((pair) => pair.join("=")).join(",")
      );
      const { items } = await this.api.get(`/api/v1/namespaces/${pods.namespace}/pods?labelSelector=${selector}`);
      const running = items.filter(({ status }) => status?.phase === "Running" && status.podIP);
      await Promise.all(
        running.map(async ({ metadata, status }) => {
          silent.push(metadata.uid);
          await attempt(async () => {
            const host2 = String(status.podIP).includes(":") ? `[${status.podIP}]` : status.podIP;
            const text = await this.scrape(`http://${host2}:${reader.port}${reader.path}`);
            readings.set(metadata.uid, reader.read(samplesOf(text), known));
          });
        })
      );
    }
    this.proxies = readings.size;
    return this.tally.add(
      readings,
      silent.filter((uid) => !readings.has(uid))
    );
  }
  knownAt({ ports }, number) {
    const { tenants } = this.config;
    return {
      isTenant: (namespace) => Object.hasOwn(tenants, namespace),
      isLimitedAlone: (namespace) => tenants[namespace]?.connections !== void 0 && tenants[namespace].hasSourceRanges !== true,
      ownerOf: (port2) => {
        const [tenant, service] = ports[port2]?.split("/") ?? [];
        if (tenant !== void 0) {
          return { tenant, service };
        }
        const [atRunTime] = Object.entries(tenants).find(
          ([, { range }]) => number === 0 && range && port2 >= range.first && port2 <= range.last
        ) ?? [void 0];
        return atRunTime === void 0 ? void 0 : { tenant: atRunTime };
      }
    };
  }
  async tellOverflow({ tenant, service, port: port2, count }, now) {
    const about = service === void 0 ? await this.holderOf(tenant, port2) : await this.serviceOf(tenant, service);
    if (about) {
      const { connections } = this.config.tenants[tenant];
      const where = port2 === void 0 ? "" : ` to port ${port2}`;
      const limit = connections === void 0 ? "" : ` of ${connections}, of which each proxy has its share`;
      const message = `${count} connections${where} were refused: the tenant is at its limit${limit}`;
      await this.events.post({ type: "Warning", reason: "ConnectionLimitReached", message, about }, now);
    }
  }
  async tellThrottled(tenant, bytes, seconds2, now) {
    const { bytesPerSecond } = this.config.tenants[tenant] ?? {};
    if (bytesPerSecond === void 0 || !seconds2) {
      return;
    }
    const rate = Math.max(bytes.in, bytes.out) / seconds2;
    if (rate >= bytesPerSecond * THROTTLED) {
      const message = `connections are throttled: the tenant is at its limit of ${bytesPerSecond} bytes a second in one direction`;
      await this.tell(tenant, "BandwidthLimitReached", message, now, "Warning");
    }
  }
  /** Says something at every Service that the platform publishes of a tenant. */
  async tell(tenant, reason, message, now, type = "Normal") {
    for (const service of this.config.tenants[tenant].services) {
      const about = await this.serviceOf(tenant, service);
      if (about) {
        await this.events.post({ type, reason, message, about }, now);
      }
    }
  }
  async serviceOf(namespace, name) {
    const service = await unlessGone(this.api.get(`/api/v1/namespaces/${namespace}/services/${name}`));
    return service && { apiVersion: "v1", kind: "Service", namespace, name, uid: service.metadata.uid };
  }
  /** What was created at run time with a port: the Service that owns the ListenerSet. */
  async holderOf(namespace, port2) {
    const { version } = GATEWAY_API;
    const sets = await unlessGone(this.api.get(`/apis/${version}/namespaces/${namespace}/listenersets`));
    const set = (sets?.items ?? []).find(
      ({ spec }) => spec?.listeners?.some((listener) => listener.port === port2)
    );
    const owner = set?.metadata.ownerReferences?.find(({ controller }) => controller);
    const { apiVersion, kind, name, uid } = owner ?? { apiVersion: version, kind: "ListenerSet", ...set?.metadata };
    return set && { apiVersion, kind, namespace, name, uid };
  }
};
var SUSPENDED = "the platform has suspended this tenant: its ports stay reserved, and take no connection";
var RESUMED = "the platform has resumed this tenant: its ports take connections again";

// scripts/watch/main.ts
var [file, port] = process.argv.slice(2);
var config = JSON.parse((0, import_node_fs.readFileSync)(file, "utf8"));
var { KUBERNETES_SERVICE_HOST: host = "", KUBERNETES_SERVICE_PORT: https = "443" } = process.env;
var address = process.env.API_SERVER ?? `https://${host.includes(":") ? `[${host}]` : host}:${https}`;
var tokenFile = process.env.TOKEN_FILE ?? "/var/run/secrets/kubernetes.io/serviceaccount/token";
var api = clusterApi(address, () => (0, import_node_fs.readFileSync)(tokenFile, "utf8").trim());
var watch = new Watcher(
  api,
  async (url) => {
    const response = await fetch(url, { signal: AbortSignal.timeout(5e3) });
    if (!response.ok) {
      throw new Error(`${url}: ${response.status}`);
    }
    return response.text();
  },
  config
);
var server = usageServer(watch);
server.listen(Number(port));
var timer;
var isEnding = false;
async function rounds() {
  for (const { message } of await watch.round(/* @__PURE__ */ new Date())) {
    process.stderr.write(`${message}
`);
  }
  if (!isEnding) {
    timer = setTimeout(rounds, config.intervalSeconds * 1e3);
  }
}
rounds();
process.once("SIGTERM", () => {
  isEnding = true;
  clearTimeout(timer);
  server.close();
  server.closeIdleConnections();
});
