// Made by scripts/hook/write.ts of its sources in src/tenancy; not to be edited.

// scripts/hook/main.ts
var import_node_fs = require("node:fs");

// src/tenancy/tenancy.facts.ts
var SUSPENDED_LABEL = "cdk8s-load-balancers/suspended";
var SUSPENDED = "true";
var GATEWAY_API = {
  group: "gateway.networking.k8s.io",
  version: "gateway.networking.k8s.io/v1"
};
var MADE_BY_ANNOTATION = "metacontroller.k8s.io/decorator-controller";

// src/tenancy/engines/contract/attachment.ts
function routeName(service, port2) {
  return `${service.name}-${port2.servicePort}`;
}
function distinct(numbers) {
  return [...new Set(numbers)].sort((one, other) => one - other);
}

// src/tenancy/engines/gateway/documents.ts
var { group, version: apiVersion } = GATEWAY_API;
function gatewayDocuments(attachment) {
  return [listenerSet(attachment), ...attachment.services.flatMap((service) => routesOf(attachment, service))];
}
function listenerSet(attachment) {
  const { name, namespace, balancer, services } = attachment;
  const ports = services.flatMap((service) => service.ports);
  const own = distinct(ports.filter(({ hostnames }) => !hostnames).map(({ port: port2 }) => port2));
  const byHost = distinct(ports.filter(({ hostnames }) => hostnames).map(({ port: port2 }) => port2));
  return {
    apiVersion,
    kind: "ListenerSet",
    metadata: { name, namespace },
    spec: {
      parentRef: { group, kind: "Gateway", name: balancer.name, namespace: balancer.namespace },
      listeners: [
        ...own.map((port2) => listener(port2, { protocol: "TCP" }, "TCPRoute")),
        ...byHost.flatMap((port2) => tlsListeners(attachment, port2))
      ]
    }
  };
}
function tlsListeners({ domain, services, listenersByName }, port2) {
  const of = (hostname) => ({ protocol: "TLS", hostname, tls: { mode: "Passthrough" } });
  if (!listenersByName) {
    return [listener(port2, of(`*.${domain}`), "TLSRoute")];
  }
  const names = services.flatMap(
    ({ ports }) => ports.flatMap((one) => one.port === port2 ? one.hostnames ?? [] : [])
  );
  return [...new Set(names)].map((hostname, i) => ({
    ...listener(port2, of(hostname), "TLSRoute"),
    name: `${listenerName(port2, true)}-${i + 1}`
  }));
}
function listener(port2, of, kind) {
  return {
    name: listenerName(port2, of.protocol === "TLS"),
    port: port2,
    ...of,
    allowedRoutes: { namespaces: { from: "Same" }, kinds: [{ group, kind }] }
  };
}
function routesOf(attachment, service) {
  return service.ports.map((port2) => ({
    apiVersion,
    kind: port2.hostnames ? "TLSRoute" : "TCPRoute",
    metadata: { name: routeName(service, port2), namespace: attachment.namespace },
    spec: {
      parentRefs: [
        {
          group,
          kind: "ListenerSet",
          name: attachment.name,
          // without it a route is at all listeners that have its names
          ...port2.hostnames && attachment.listenersByName ? {} : { sectionName: listenerName(port2.port, !!port2.hostnames) }
        }
      ],
      ...port2.hostnames ? { hostnames: [...port2.hostnames] } : {},
      rules: [{ backendRefs: [backend(service, port2)] }]
    }
  }));
}
function backend(service, port2) {
  return { group: "", kind: "Service", name: service.name, port: port2.servicePort, weight: 1 };
}
function listenerName(port2, byHost) {
  return `${byHost ? "tls" : "tcp"}-${port2}`;
}

// src/tenancy/engines/aws-network-load-balancer/facts.ts
var AWS_GATEWAY_VERSION = "gateway.k8s.aws/v1";
var PRESERVE_CLIENT_IP = "preserve_client_ip.enabled";
var PROXY_PROTOCOL_V2 = "proxy_protocol_v2.enabled";

// src/tenancy/engines/aws-network-load-balancer/documents.ts
function nlbDocuments(attachment, settings = {}) {
  const configurations = attachment.services.map(({ name }) => ({
    apiVersion: AWS_GATEWAY_VERSION,
    kind: "TargetGroupConfiguration",
    metadata: { name, namespace: attachment.namespace },
    spec: {
      targetReference: { kind: "Service", name },
      defaultConfiguration: targetProperties(settings)
    }
  }));
  return [...configurations, ...gatewayDocuments(attachment)];
}
function targetProperties(settings) {
  const attributes = attributesOf(settings);
  return { targetType: "ip", ...attributes.length > 0 ? { targetGroupAttributes: attributes } : {} };
}
function attributesOf({ preserveClientIp, proxyProtocol }) {
  return [
    { key: PRESERVE_CLIENT_IP, value: preserveClientIp },
    { key: PROXY_PROTOCOL_V2, value: proxyProtocol }
  ].filter(({ value }) => value !== void 0).map(({ key, value }) => ({ key, value: String(value) }));
}

// src/tenancy/engines/envoy-gateway/facts.ts
var ENVOY_GATEWAY_VERSION = "gateway.envoyproxy.io/v1alpha1";
var ENVOY_ROUTE_CONNECTIONS = 1024;

// src/tenancy/engines/envoy-gateway/documents.ts
function envoyDocuments(attachment, settings = {}) {
  const { name, namespace, connections, services } = attachment;
  const spec = clientSpec(connections, settings.proxyProtocol);
  return [
    ...services.length > 0 && spec ? [clientTrafficPolicy(name, namespace, "ListenerSet", spec)] : [],
    ...services.length > 0 ? backendPolicy(attachment) : [],
    ...services.flatMap((service) => portPolicies(attachment, service)),
    ...hostPolicies(attachment),
    ...gatewayDocuments(attachment)
  ];
}
function clientSpec(connections, proxyProtocol) {
  return connections === void 0 && !proxyProtocol ? void 0 : {
    ...connections === void 0 ? {} : { connection: { connectionLimit: { value: connections } } },
    ...proxyProtocol ? { proxyProtocol: { optional: false } } : {}
  };
}
function clientTrafficPolicy(name, namespace, kind, spec) {
  return {
    apiVersion: ENVOY_GATEWAY_VERSION,
    kind: "ClientTrafficPolicy",
    metadata: { name, namespace },
    spec: { targetRefs: [{ group: GATEWAY_API.group, kind, name }], ...spec }
  };
}
function backendPolicy({ name, namespace, connections = 0 }) {
  return connections <= ENVOY_ROUTE_CONNECTIONS ? [] : [
    {
      apiVersion: ENVOY_GATEWAY_VERSION,
      kind: "BackendTrafficPolicy",
      metadata: { name, namespace },
      spec: {
        targetRefs: [{ group: GATEWAY_API.group, kind: "ListenerSet", name }],
        circuitBreaker: { maxConnections: connections, maxPendingRequests: connections }
      }
    }
  ];
}
function portPolicies({ namespace }, service) {
  const { ports } = service;
  const ranges = rangesOf(service);
  return ports.filter(({ hostnames }) => !hostnames).flatMap((port2) => {
    const name = routeName(service, port2);
    return ranges ? [securityPolicy(name, namespace, { kind: "TCPRoute", name }, ranges)] : [];
  });
}
function hostPolicies(attachment) {
  return sharedPorts(attachment).flatMap((port2) => {
    const [ranges, ...others] = rangesAt(attachment, port2);
    const sectionName = listenerName(port2, true);
    const target = { kind: "ListenerSet", name: attachment.name, sectionName };
    const policy = (clients) => (
      // with a dot, which no name of a Service has: that of no route
      securityPolicy(`${attachment.name}.${sectionName}`, attachment.namespace, target, clients)
    );
    return others.length > 0 ? [policy([])] : ranges ? [policy(ranges)] : [];
  });
}
function sharedPorts({ services }) {
  const ports = services.flatMap((service) => service.ports);
  return distinct(ports.filter(({ hostnames }) => hostnames).map(({ port: port2 }) => port2));
}
function rangesAt({ services }, port2) {
  const isHere = (one) => one.port === port2 && one.hostnames !== void 0;
  const found = services.filter(({ ports }) => ports.some(isHere)).map(rangesOf);
  const keys = found.map((ranges) => ranges?.join());
  return found.filter((_, i) => keys.indexOf(keys[i]) === i);
}
function rangesOf({ sourceRanges = [] }) {
  return sourceRanges.length === 0 ? void 0 : [...new Set(sourceRanges)].sort();
}
function securityPolicy(name, namespace, target, ranges) {
  return {
    apiVersion: ENVOY_GATEWAY_VERSION,
    kind: "SecurityPolicy",
    metadata: { name, namespace },
    spec: {
      targetRefs: [{ group: GATEWAY_API.group, ...target }],
      authorization: {
        defaultAction: "Deny",
        ...ranges.length > 0 ? { rules: [allowedClients(ranges)] } : {}
      }
    }
  };
}
function allowedClients(ranges) {
  return { name: "clients", action: "Allow", principal: { clientCIDRs: [...ranges] } };
}

// src/tenancy/engines/gateway/at-run-time.ts
var LISTENER_SET = { apiVersion: GATEWAY_API.version, kind: "ListenerSet", resource: "listenersets" };
var TLS_ROUTE = { apiVersion: GATEWAY_API.version, kind: "TLSRoute", resource: "tlsroutes" };
var TCP_ROUTE = { apiVersion: GATEWAY_API.version, kind: "TCPRoute", resource: "tcproutes" };
var LISTENERS = {
  kind: LISTENER_SET.kind,
  isAt: (set, balancer) => {
    const { name, namespace } = set.spec?.parentRef ?? {};
    return name === balancer.name && (namespace ?? set.metadata.namespace) === balancer.namespace;
  },
  portsOf: portsOfListeners,
  // `sectionName` names a listener, and the listener its port
  heldBy: (set, routes) => {
    const ports = new Map(listenersOf(set).map(({ name, port: port2 }) => [name, port2]));
    const held = {};
    for (const { spec } of routes) {
      const servicePort = spec?.rules?.[0]?.backendRefs?.[0]?.port;
      const port2 = ports.get(spec?.parentRefs?.[0]?.sectionName);
      if (typeof servicePort === "number" && typeof port2 === "number") {
        held[servicePort] = port2;
      }
    }
    return held;
  },
  find: (name, servicePort, { holders, routes }, balancers) => {
    const called = routeName({ name, ports: [] }, { port: servicePort, servicePort });
    const route = routes.find(({ metadata, spec }) => metadata.name === called && leadsTo(spec, name, servicePort));
    const parent = route?.spec.parentRefs?.[0];
    const at = balancers.find((one) => one.name === parent?.name);
    const holder = at && holders.find(({ metadata }) => metadata.name === at.name);
    const listener2 = listenersOf(holder).find((one) => one.name === parent?.sectionName);
    return at && listener2 && { at: at.name, holder, route, port: listener2.port, byHost: listener2.protocol === "TLS" };
  }
};
var THROUGH_GATEWAY = {
  balancer: { apiVersion: GATEWAY_API.version, kind: "Gateway", resource: "gateways" },
  holder: LISTENERS,
  reportsPorts: true,
  isConflicted: (port2) => listenerStatuses(port2).some((listener2) => isTrue(listener2?.conditions, "Conflicted")),
  pending: pendingOf
};
function pendingOf(state) {
  const { balancer, holder, route } = state;
  const parents = route?.status?.parents ?? [];
  const parent = parents.find(
    ({ parentRef }) => parentRef?.kind === LISTENER_SET.kind && parentRef.name === holder?.metadata.name && (parentRef.sectionName === void 0 ? state.byHost : parentRef.sectionName === listenerName(state.port, state.byHost))
  );
  return lacking("the shared Gateway", balancer?.status?.conditions, ["Accepted", "Programmed"]) ?? lacking("the ListenerSet", holder?.status?.conditions, ["Accepted"]) ?? listenerStatuses(state).map((listener2) => lacking("the listener", listener2?.conditions, ["Programmed"])).find((lack) => lack !== void 0) ?? lacking("the route", parent?.conditions, ["Accepted", "ResolvedRefs"]);
}
function listenersOf(set) {
  return set?.spec?.listeners ?? [];
}
function portsOfListeners(set) {
  return listenersOf(set).map(({ port: port2 }) => port2);
}
function leadsTo(spec, name, port2) {
  const backends = spec.rules?.[0]?.backendRefs ?? [];
  return backends.length === 1 && backends[0].name === name && backends[0].port === port2;
}
function listenerStatuses({ holder, port: port2, byHost }) {
  const called = listenerName(port2, byHost);
  const names = listenersOf(holder).map(({ name }) => name).filter((name) => name === called || byHost && name.startsWith(`${called}-`));
  const reported = holder?.status?.listeners ?? [];
  return (names.length > 0 ? names : [called]).map((name) => reported.find((one) => one.name === name));
}
function isTrue(conditions, type) {
  return (conditions ?? []).some((condition) => condition.type === type && condition.status === "True");
}
function lacking(what, conditions, types) {
  const type = types.find((one) => !isTrue(conditions, one));
  if (type === void 0) {
    return void 0;
  }
  const reason = (conditions ?? []).find((condition) => condition.type === type)?.reason;
  return `${what} is not ${WORDS[type]} yet${reason ? ` (${reason})` : ""}`;
}
var WORDS = {
  Accepted: "accepted",
  Programmed: "programmed",
  ResolvedRefs: "resolved"
};

// src/tenancy/engines/haproxy/facts.ts
var HAPROXY_VERSION = "ingress.v3.haproxy.org/v3";
var HAPROXY_CLASS_ANNOTATION = "ingress.class";
var FRONTEND_PREFIX = "tcpcr";
var VALUES_OF_LINE = 20;
var SPARE_CONNECTIONS = 64;
var SUSPENDED_TENANTS = { key: "suspended", file: "opt@patterns/suspended", suffix: "-tenants" };

// src/tenancy/engines/haproxy/documents.ts
var END_OF_LINE = " #";
function haproxyDocuments(attachment, settings) {
  const spec = attachment.services.flatMap(
    (service) => service.ports.map((port2) => frontendOf(attachment, service, port2, settings))
  );
  return spec.length === 0 ? [] : [tcpObject(attachment.name, attachment.namespace, settings, spec)];
}
function tcpObject(name, namespace, settings, spec) {
  return {
    apiVersion: HAPROXY_VERSION,
    kind: "TCP",
    metadata: { name, namespace, annotations: { [HAPROXY_CLASS_ANNOTATION]: settings.ingressClass } },
    spec
  };
}
function tableName({ name, namespace }) {
  return `${namespace ?? "default"}.${name}.tenants`;
}
function frontendOf(attachment, { name: service, sourceRanges }, { port: port2, servicePort }, settings) {
  const { namespace, balancer, connections, bytesPerSecond } = attachment;
  const name = `${namespace}.${service}.${servicePort}`;
  const key = `str(${namespace})`;
  const table = `${FRONTEND_PREFIX}_${balancer.namespace ?? "default"}_${tableName(balancer)}`;
  const type = settings.proxyProtocol ? "session" : "connection";
  const suspended = { type, action: "reject", cond: "if", cond_test: `{ ${key} -m str -f ${SUSPENDED_TENANTS.file} }` };
  const refused3 = sourceRanges ? [{ type, action: "reject", cond: "unless", cond_test: "clients" }] : [];
  const counted = connections === void 0 ? [] : counting(type, connections, key, table);
  const directions = bytesPerSecond === void 0 ? [] : ["in", "out"];
  const rules = [
    suspended,
    ...refused3,
    ...counted,
    ...directions.map((way) => ({
      type: "content",
      action: "set-bandwidth-limit",
      bandwidth_limit_name: `tenant-${way}${END_OF_LINE}`
    }))
  ];
  return {
    name,
    frontend: {
      name,
      mode: "tcp",
      binds: bindsAt(port2, settings),
      ...connections === void 0 ? {} : { maxconn: connections + SPARE_CONNECTIONS },
      ...sourceRanges ? { acl_list: clientLists(sourceRanges) } : {},
      ...directions.length > 0 ? {
        filter_list: directions.map((way) => ({
          type: `bwlim-${way}`,
          bandwidth_limit_name: `tenant-${way}`,
          limit: bytesPerSecond,
          key,
          table
        }))
      } : {},
      tcp_request_rule_list: rules
    },
    service: { name: service, port: servicePort }
  };
}
function counting(type, connections, key, table) {
  return [
    { type, action: "track-sc", track_stick_counter: 0, track_key: key, track_table: table },
    { type, action: "reject", cond: "if", cond_test: `{ sc0_conn_cur gt ${connections} }` }
  ];
}
function bindsAt(port2, { families, proxyProtocol }) {
  const more = proxyProtocol ? { accept_proxy: true } : {};
  return {
    ...families?.ipv4 === false ? {} : { v4: { name: "v4", port: port2, ...more } },
    ...families?.ipv6 ? { v6: { name: "v6", address: "::", port: port2, v6only: true, ...more } } : {}
  };
}
function clientLists(ranges) {
  const sorted = [...new Set(ranges)].sort();
  const lines = Math.ceil(sorted.length / VALUES_OF_LINE);
  return Array.from({ length: lines }, (_, i) => ({
    acl_name: "clients",
    criterion: "src",
    value: sorted.slice(i * VALUES_OF_LINE, (i + 1) * VALUES_OF_LINE).join(" ")
  }));
}

// src/tenancy/engines/haproxy/at-run-time.ts
var FRONTENDS = {
  kind: "TCP",
  isAt: ({ metadata }, _, settings) => metadata.annotations?.[HAPROXY_CLASS_ANNOTATION] === settings.ingressClass,
  portsOf: (object) => frontendsOf(object).map(portOf),
  heldBy: (object) => Object.fromEntries(frontendsOf(object).map((entry) => [entry.service?.port, portOf(entry)])),
  find: (name, servicePort, { holders }, balancers) => {
    const found = balancers.flatMap(
      (balancer) => holders.filter(({ metadata }) => metadata.name === balancer.name).flatMap(
        (holder) => frontendsOf(holder).filter(({ service }) => service?.name === name && service.port === servicePort).map((entry) => ({ at: balancer.name, holder, route: void 0, port: portOf(entry), byHost: false }))
      )
    );
    return found[0];
  }
};
var HAPROXY_AT_RUN_TIME = {
  publish: (attachment, settings) => haproxyDocuments(attachment, settings),
  kinds: [{ apiVersion: HAPROXY_VERSION, kind: "TCP", resource: "tcps" }],
  balancer: { apiVersion: "v1", kind: "Service", resource: "services" },
  holder: FRONTENDS,
  tellsConflicts: false,
  reportsPorts: false,
  isConflicted: () => false,
  pending: ({ balancer, holder, port: port2 }) => {
    if (!holder || !frontendsOf(holder).some((entry) => portOf(entry) === port2)) {
      return "the TCP object is not written yet";
    }
    return balancer?.status?.loadBalancer?.ingress?.length > 0 ? void 0 : "the Service of the shared load balancer has no address yet";
  }
};
function frontendsOf(object) {
  return Array.isArray(object?.spec) ? object.spec : [];
}
function portOf({ frontend }) {
  const { v4, v6 } = frontend?.binds ?? {};
  return (v4 ?? v6)?.port;
}

// src/tenancy/engines/publishers.ts
var PUBLISHERS = {
  "aws-network-load-balancer": {
    ...THROUGH_GATEWAY,
    publish: nlbDocuments,
    kinds: [
      { apiVersion: AWS_GATEWAY_VERSION, kind: "TargetGroupConfiguration", resource: "targetgroupconfigurations" },
      LISTENER_SET,
      TCP_ROUTE
    ],
    tellsConflicts: false,
    isIpv4Alone: true
  },
  "envoy-gateway": {
    ...THROUGH_GATEWAY,
    publish: envoyDocuments,
    kinds: [
      { apiVersion: ENVOY_GATEWAY_VERSION, kind: "ClientTrafficPolicy", resource: "clienttrafficpolicies" },
      { apiVersion: ENVOY_GATEWAY_VERSION, kind: "BackendTrafficPolicy", resource: "backendtrafficpolicies" },
      { apiVersion: ENVOY_GATEWAY_VERSION, kind: "SecurityPolicy", resource: "securitypolicies" },
      LISTENER_SET,
      TCP_ROUTE
    ],
    kindsByHost: [TLS_ROUTE],
    tellsConflicts: true
  },
  "existing-gateway": {
    ...THROUGH_GATEWAY,
    publish: gatewayDocuments,
    kinds: [LISTENER_SET, TCP_ROUTE],
    kindsByHost: [TLS_ROUTE],
    tellsConflicts: false
  },
  haproxy: HAPROXY_AT_RUN_TIME
};

// src/tenancy/runtime/hook/server.ts
var import_node_http = require("node:http");

// src/tenancy/runtime/hook/cluster-state.ts
function ofKind(map, kind) {
  return Object.entries(map ?? {}).filter(([key]) => key.split(".", 1)[0] === kind).flatMap(([, objects]) => Object.values(objects ?? {}));
}
function isOf(object, service) {
  const owners = object.metadata.ownerReferences ?? [];
  return owners.some(({ controller, uid }) => controller === true && uid === service.metadata.uid);
}
function isLeftBehind({ metadata }, { controller }) {
  const owners = metadata.ownerReferences ?? [];
  return metadata.annotations?.[MADE_BY_ANNOTATION] === controller && !owners.some((owner) => owner.controller === true);
}
function addressesOf({ hostname }, balancer) {
  if (hostname !== void 0) {
    return [{ hostname }];
  }
  const ofService = balancer?.status?.loadBalancer?.ingress ?? [];
  const ofGateway = balancer?.status?.addresses ?? [];
  return [
    ...ofService.map((one) => one.hostname ? { hostname: one.hostname } : { ip: one.ip, ipMode: "Proxy" }),
    ...ofGateway.filter(({ value }) => value).map(({ type, value }) => type === "Hostname" ? { hostname: value } : { ip: value, ipMode: "Proxy" })
  ];
}
function hostOf(address) {
  return address.hostname ?? address.ip;
}
function balancerIn(related, { kind }, balancer) {
  return ofKind(related, kind).find(
    ({ metadata }) => metadata.name === balancer.name && metadata.namespace === balancer.namespace
  );
}
function withCondition(service, type, finding, now) {
  const before = service.status?.conditions ?? [];
  const own = before.find((condition) => condition.type === type);
  const { status, reason, message } = finding;
  const { generation } = service.metadata;
  const next = {
    type,
    status,
    reason,
    message,
    ...generation === void 0 ? {} : { observedGeneration: generation },
    lastTransitionTime: own && own.status === status ? own.lastTransitionTime : now
  };
  return own ? before.map((condition) => condition === own ? next : condition) : [...before, next];
}
function conditionOf(object, type) {
  return (object?.status?.conditions ?? []).find((condition) => condition.type === type);
}

// src/tenancy/runtime/hook/place-ports.ts
function placePorts(ask) {
  const ports = [...new Set(ask.servicePorts)].sort((one, other) => one - other);
  if (ask.conflict === "FAIL") {
    return ports.map((port2) => asked(ask, port2));
  }
  const kept = /* @__PURE__ */ new Map();
  const taken = /* @__PURE__ */ new Set();
  for (const held of [...ask.held, Object.fromEntries(ports.map((port2) => [port2, port2]))]) {
    for (const servicePort of ports.filter((port2) => !kept.has(port2))) {
      const port2 = held[servicePort];
      if (port2 !== void 0 && isIn(ask, port2) && !taken.has(port2) && !ask.hasOther(port2)) {
        kept.set(servicePort, port2);
        taken.add(port2);
      }
    }
  }
  return ports.map((servicePort) => {
    const port2 = kept.get(servicePort) ?? free(ask, servicePort, taken);
    if (port2 === void 0) {
      return { servicePort, lack: "full" };
    }
    taken.add(port2);
    return { servicePort, port: port2 };
  });
}
function asked(ask, servicePort) {
  if (!isIn(ask, servicePort)) {
    return { servicePort, lack: "outside" };
  }
  return ask.hasOther(servicePort) ? { servicePort, lack: "conflict" } : { servicePort, port: servicePort };
}
function isIn({ range }, port2) {
  return port2 >= range.first && port2 <= range.last;
}
function free({ range, key, hasOther }, servicePort, taken) {
  const size = range.last - range.first + 1;
  const start = hash(`${key}:${servicePort}`) % size;
  for (let i = 0; i < size; i++) {
    const port2 = range.first + (start + i) % size;
    if (!taken.has(port2) && !hasOther(port2)) {
      return port2;
    }
  }
  return void 0;
}
function hash(text) {
  let value = 2166136261;
  for (let i = 0; i < text.length; i++) {
    value = Math.imul(value ^ text.charCodeAt(i), 16777619) >>> 0;
  }
  return value;
}
function withinCapacity(placed, capacity, holders) {
  if (!capacity) {
    return [...placed];
  }
  const ports = placed.flatMap(({ port: port2 }) => port2 === void 0 ? [] : [port2]).sort((one, other) => one - other);
  const room = (others) => Math.max(0, capacity.ports - (/* @__PURE__ */ new Set([...capacity.locked, ...others])).size);
  const kept = ports.filter((port2) => holders.isMine(port2)).slice(0, room(holders.portsBefore()));
  const free2 = Math.max(0, room(holders.portsOfOthers()) - kept.length);
  const served = [...kept, ...ports.filter((port2) => !holders.isMine(port2)).slice(0, free2)];
  return placed.map(
    (one) => one.port === void 0 || served.includes(one.port) ? one : { servicePort: one.servicePort, lack: "no-room" }
  );
}
function seated(placed, mine, { capacity }, holders) {
  const used = /* @__PURE__ */ new Set([...capacity?.locked ?? [], ...holders.portsOfOthers(), ...Object.values(mine)]);
  const isFull = capacity !== void 0 && used.size >= capacity.ports;
  return placed.map(
    (one) => one.port === void 0 || mine[one.servicePort] === one.port ? one : { servicePort: one.servicePort, lack: isFull ? "no-room" : "waiting" }
  );
}

// src/tenancy/runtime/hook/port-holders.ts
var PortHolders = class {
  /**
   * @param kind how objects say who has which port
   * @param gateway the balancer; a Gateway has listeners of its own
   * @param sets all objects that are known to hold ports
   * @param mine the one of the Service, where there is one
   * @param setAside ports that are set aside for others, whether they are in a set yet or not
   */
  constructor(config2, kind, gateway, sets, mine, setAside = []) {
    this.config = config2;
    this.kind = kind;
    this.mine = mine;
    this.setAside = setAside;
    const [balancer] = config2.balancers;
    const listeners = gateway?.spec?.listeners ?? [];
    this.own = /* @__PURE__ */ new Set([...config2.reserved ?? [], ...listeners.map(({ port: port2 }) => port2)]);
    this.sets = sets.filter(
      (set) => set.metadata.uid !== mine?.metadata.uid && kind.isAt(set, balancer, config2.settings) && canHold(config2, set)
    );
  }
  config;
  kind;
  mine;
  setAside;
  sets;
  own;
  /** Whether the Service has no right to a port: a port that is in use is never taken away, and of two the older one has it. */
  hasOther(port2) {
    if (this.own.has(port2) || this.setAside.includes(port2)) {
      return true;
    }
    const others = this.sets.filter((set) => this.hasPort(set, port2));
    const { mine } = this;
    return others.length > 0 && !(mine && this.hasPort(mine, port2) && others.every((other) => this.isBefore(mine, other)));
  }
  /** Whether the Service has a port already. */
  isMine(port2) {
    return this.mine !== void 0 && this.hasPort(this.mine, port2);
  }
  /** What all others have. */
  portsOfOthers() {
    return [...this.setAside, ...this.sets.flatMap((set) => this.kind.portsOf(set))];
  }
  /** The ports of those that come before the Service: of all others where it has none yet. */
  portsBefore() {
    const { mine } = this;
    return this.sets.filter((other) => !mine || this.isBefore(other, mine)).flatMap((set) => this.kind.portsOf(set));
  }
  /** Which of two has a port that both want: what the platform published, then the older, then by name. */
  isBefore(one, other) {
    const first = [this.isPublished(one) ? "0" : "1", one.metadata.creationTimestamp, nameOf(one)];
    const second = [this.isPublished(other) ? "0" : "1", other.metadata.creationTimestamp, nameOf(other)];
    const i = first.findIndex((value, at) => value !== second[at]);
    return i >= 0 && first[i] < second[i];
  }
  hasPort(set, port2) {
    return this.kind.portsOf(set).includes(port2);
  }
  isPublished(set) {
    return isPublishedSet(this.config, set);
  }
};
function isPublishedSet({ balancers, tenants }, { metadata }) {
  return balancers.some(({ name }) => name === metadata.name) && Object.hasOwn(tenants, metadata.namespace);
}
function canHold({ tenants }, { metadata, status }) {
  const isShut = ({ type, status: is, reason }) => type === "Accepted" && is === "False" && reason === NOT_ALLOWED;
  return Object.hasOwn(tenants, metadata.namespace) && !(status?.conditions ?? []).some(isShut);
}
var NOT_ALLOWED = "NotAllowed";
function nameOf({ metadata }) {
  return `${metadata.namespace}/${metadata.name}`;
}

// src/tenancy/runtime/hook/port-report.ts
var REASONS = {
  outside: "PortNotAllowed",
  full: "NoFreePort",
  "no-room": "BalancerFull",
  "no-set": "TooManyServices",
  "name-taken": "NameTaken",
  "host-taken": "HostNameTaken",
  conflict: "PortConflict",
  pending: "Pending"
};
function verdictOn({ outcomes, host, range, addresses, isReported }) {
  const bad = Object.keys(REASONS).filter(
    (state) => outcomes.some((outcome) => outcome.state === state)
  );
  if (bad.length > 0) {
    const message = bad.map(
      (state) => sentence(
        state,
        outcomes.filter((outcome) => outcome.state === state),
        range
      )
    ).join("; ");
    return { status: "False", reason: REASONS[bad[0]], message };
  }
  if (addresses.length === 0) {
    return { status: "False", reason: "Pending", message: "the shared load balancer has no address yet" };
  }
  return isReported ? { status: "True", reason: "Programmed", message: `served at ${host}` } : {
    status: "True",
    reason: "Published",
    message: `published at ${host}; the shared load balancer reports no more`
  };
}
function sentence(state, outcomes, range) {
  const ports = `${outcomes.length > 1 ? "ports" : "port"} ${outcomes.map(({ port: port2 }) => port2).join(", ")}`;
  const are = outcomes.length > 1 ? "are" : "is";
  const among = range === void 0 ? "" : ` of ${range}`;
  switch (state) {
    case "outside":
      return `${ports} ${are} not among those of this namespace: choose ports${among}`;
    case "full":
      return `no port${among} is left for ${ports}: delete a Service, or ask the platform for more`;
    case "no-room":
      return `the shared load balancer has no room left for ${ports}: delete a Service, or ask the platform for another load balancer`;
    case "name-taken":
      return `${outcomes[0].why} exists and does not belong to this Service: rename one of the two`;
    case "host-taken":
      return `${outcomes.map(({ why }) => why).join(", ")}: choose ${outcomes.length > 1 ? "other names" : "another name"}, or take ${outcomes.length > 1 ? "them" : "it"} from there`;
    case "no-set":
      return "this namespace publishes as many Services as it may: delete one, or ask the platform for more";
    case "conflict":
      return `${ports} ${are} taken: choose ${outcomes.length > 1 ? "others" : "another"}${among}`;
    case "pending":
      return `${ports}: ${outcomes[0].why}`;
  }
}
function loadBalancerStatus(service, report, keys) {
  const { outcomes, addresses } = report;
  const own = outcomes.filter(({ state }) => state !== "host-taken");
  if (own.length > 0 && own.every(({ state }) => state === "served") && addresses.length > 0) {
    return { ingress: [...addresses] };
  }
  if (outcomes.some(({ state }) => state === "conflict") && addresses.length > 0) {
    const ports = outcomes.map(({ servicePort: port2, state }) => ({
      port: port2,
      protocol: "TCP",
      ...state === "conflict" ? { error: keys.portConflict } : {}
    }));
    return { ingress: addresses.map((address) => ({ ...address, ports })) };
  }
  const isOurs = (service.status?.conditions ?? []).some(({ type }) => type === keys.condition);
  const isThere = outcomes.some(({ state }) => state === "served" || state === "pending");
  return isOurs && isThere ? service.status.loadBalancer ?? {} : {};
}
function endpointsText(ports, hosts) {
  return ports.filter(({ port: port2 }) => port2 !== void 0).flatMap(
    ({ servicePort, port: port2 }) => hosts.map((host) => `${servicePort}=${host.includes(":") ? `[${host}]` : host}:${port2}`)
  ).join(",");
}
function portsOfText(text) {
  const found = {};
  for (const part of typeof text === "string" ? text.split(",") : []) {
    const match = /^(\d{1,5})=.*:(\d{1,5})$/.exec(part.trim());
    if (match) {
      found[Number(match[1])] = Number(match[2]);
    }
  }
  return found;
}

// src/contract/kubernetes.facts.ts
var SOURCE_RANGES_ANNOTATION = "service.beta.kubernetes.io/load-balancer-source-ranges";

// src/gateway/gateway.facts.ts
var AT_MOST = {
  listeners: 64,
  addresses: 16,
  infrastructureLabels: 8,
  infrastructureAnnotations: 16,
  routeKinds: 8,
  certificates: 64,
  description: 64,
  parents: 32,
  hostnames: 1024,
  backends: 16,
  weight: 1e6,
  grants: 16
};

// src/tenancy/runtime/hook/few.ts
var MOST_TEXTS = 4;
var MOST_CHARACTERS = 64;
function few(texts) {
  const shown = texts.slice(0, MOST_TEXTS).map((text) => cut(text));
  const more = texts.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
function cut(text) {
  const characters = [...text];
  return characters.length > MOST_CHARACTERS ? `${characters.slice(0, MOST_CHARACTERS).join("")}…` : text;
}

// src/tenancy/runtime/hook/host-names.ts
var MOST_NAMES = 16;
function hostNamesOf({ metadata }, { keys }) {
  const text = metadata.annotations?.[keys.hostnames];
  if (typeof text !== "string") {
    return void 0;
  }
  const names = text.split(",").map((name) => name.trim());
  return [...new Set(names)].sort();
}
function hostNameRefusal(service, { domain }, config2) {
  const names = hostNamesOf(service, config2);
  if (!names) {
    return void 0;
  }
  const { hostnames } = config2.keys;
  const foreign = names.filter((name) => !isIn2(domain, name));
  if (config2.tlsPort === void 0) {
    return refused(
      "HostNamesNotServed",
      `the shared load balancer does not route by host name: remove the annotation ${hostnames}, and use a port of this namespace`
    );
  }
  if (domain === void 0) {
    return refused(
      "HostNameNotAllowed",
      `this namespace has no domain for host names: ask the platform for one, or remove the annotation ${hostnames}`
    );
  }
  if (names.length > MOST_NAMES) {
    return refused(
      "TooManyHostNames",
      `${names.length} host names are more than the ${MOST_NAMES} of one Service: split it`
    );
  }
  if (foreign.length > 0) {
    return refused(
      "HostNameNotAllowed",
      `${few(foreign.map((name) => name || "(nothing)"))}: write names of one label in ${domain}, such as ${service.metadata.name}.${domain}`
    );
  }
  if ((service.spec.ports ?? []).length !== 1) {
    return refused(
      "HostNamesNeedOnePort",
      `a Service with the annotation ${hostnames} must have one port: give the others a Service of their own`
    );
  }
  return void 0;
}
function takenNames(names, { object: service, related }, set) {
  const routes = ofKind(related, "TLSRoute").filter(({ metadata }) => metadata.namespace === service.metadata.namespace).sort((one, other) => orderOf(one) < orderOf(other) ? -1 : 1);
  const own = routes.filter((route) => isOf(route, service));
  const others = routes.filter((route) => !isOf(route, service));
  return names.flatMap((name) => {
    const mine = own.find((route) => hasName(route, name));
    const before = others.find(
      (other) => (hasName(other, name) || hasStarOver(other, name, set)) && !(mine && orderOf(mine) < orderOf(other))
    );
    return before ? [{ name, holder: holderOf(before) }] : [];
  });
}
function holderOf({ metadata }) {
  const publisher = serviceOf(metadata);
  return publisher ? `Service ${publisher.name}` : `TLSRoute ${metadata.name}`;
}
function serviceOf({ ownerReferences }) {
  return (ownerReferences ?? []).find(({ kind }) => kind === "Service");
}
function hasName({ spec }, name) {
  return (spec?.hostnames ?? []).includes(name);
}
function hasStarOver({ spec }, name, set) {
  const isThere = (spec?.parentRefs ?? []).some((parent) => parent.name === set);
  return isThere && (spec?.hostnames ?? []).includes(`*.${name.split(".").slice(1).join(".")}`);
}
function orderOf({ metadata }) {
  return [serviceOf(metadata) ? 1 : 0, metadata.creationTimestamp, metadata.name].join(" ");
}
function isIn2(domain, name) {
  const label = domain !== void 0 && name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : "";
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label);
}
function refused(reason, message) {
  return { status: "False", reason, message };
}

// src/tenancy/runtime/hook/refusal.ts
function refusalOf(service, tenant, { canRestrictClients, isIpv4Alone }, isByName = false) {
  const ports = service.spec.ports ?? [];
  const others = [...new Set(ports.map(protocolOf).filter((protocol) => protocol !== "TCP"))].sort();
  const ranges = sourceRangesOf(service);
  if (!tenant) {
    return refused2("NotATenant", "this namespace has no ports at the shared load balancer: ask the platform to add it");
  }
  if (tenant.suspended) {
    return refused2("Suspended", "the platform has withdrawn what this namespace publishes; its ports stay reserved");
  }
  if (others.length > 0) {
    return refused2(
      "ProtocolNotServed",
      `the shared load balancer serves TCP and not ${others.join(", ")}: give these ports a Service of their own`
    );
  }
  if (ports.length > AT_MOST.listeners) {
    return refused2(
      "TooManyPorts",
      `${ports.length} ports are more than the ${AT_MOST.listeners} of one Service: split it`
    );
  }
  if (isIpv4Alone && (service.spec.ipFamilies ?? []).includes("IPv6")) {
    return refused2(
      "IpFamilyNotServed",
      "the shared load balancer has IPv4 alone: set spec.ipFamilyPolicy to SingleStack and spec.ipFamilies to IPv4"
    );
  }
  if (ranges && !canRestrictClients) {
    return refused2(
      "SourceRangesNotKept",
      `the shared load balancer cannot keep other clients than ${few(ranges)} away: remove loadBalancerSourceRanges, or use a load balancer of your own`
    );
  }
  if (ranges && isByName) {
    return refused2(
      "SourceRangesNotKept",
      "clients of a port that is shared by host name cannot be told apart: remove loadBalancerSourceRanges, or the host names"
    );
  }
  return void 0;
}
function mayBePublished(service, config2, publisher) {
  const { name, namespace, deletionTimestamp, labels } = service.metadata;
  const { type, loadBalancerClass } = service.spec;
  const tenant = tenantOf(config2, namespace);
  return deletionTimestamp === void 0 && type === "LoadBalancer" && loadBalancerClass === config2.loadBalancerClass && Object.entries(config2.serviceLabels).every(([key, value]) => labels?.[key] === value) && tenant?.ports !== void 0 && !tenant.published?.includes(name) && hostNamesOf(service, config2) === void 0 && refusalOf(service, tenant, powersOf(config2, publisher)) === void 0;
}
function tenantOf({ tenants }, namespace) {
  return Object.hasOwn(tenants, namespace) ? tenants[namespace] : void 0;
}
function powersOf({ sourceRanges }, { isIpv4Alone }) {
  return { canRestrictClients: sourceRanges, isIpv4Alone: isIpv4Alone === true };
}
function withoutRange({ ports }) {
  return ports ? void 0 : refused2(
    "NoRuntimePorts",
    "this namespace has no ports for Services that are created at run time: ask the platform for some"
  );
}
function refused2(reason, message) {
  return { status: "False", reason, message };
}
function protocolOf({ protocol = "TCP" }) {
  return protocol;
}
var ALL_CLIENTS = ["0.0.0.0/0", "::/0"];
function sourceRangesOf({ metadata, spec }) {
  const text = metadata.annotations?.[SOURCE_RANGES_ANNOTATION] ?? "";
  const written = spec.loadBalancerSourceRanges?.length ? spec.loadBalancerSourceRanges : text.split(",");
  const ranges = written.map((range) => range.trim()).filter((range) => range !== "");
  return ranges.every((range) => ALL_CLIENTS.includes(range)) ? void 0 : [...new Set(ranges)].sort();
}

// src/tenancy/runtime/hook/seats.ts
var SeatTable = class _SeatTable {
  constructor(seats) {
    this.seats = seats;
  }
  seats;
  /** @param object what has the table as its annotation; a table that was lost begins empty */
  static of(object, { keys }) {
    const text = object?.metadata.annotations?.[keys.seats];
    return new _SeatTable(typeof text === "string" ? text.split(",").flatMap(seatOf) : []);
  }
  /** The table that the hook was sent for a Service; nothing where ports are not set aside. */
  static sentWith({ related }, config2) {
    const { seats } = config2;
    return seats && _SeatTable.of(balancerIn(related, { kind: "Service" }, seats), config2);
  }
  /** The ports that a Service may publish, by its own. */
  portsFor({ metadata }) {
    const own = this.seats.filter(({ uid, since }) => uid === metadata.uid && since === void 0);
    return Object.fromEntries(own.map(({ servicePort, port: port2 }) => [servicePort, port2]));
  }
  /** The ports that others have, those among them that are given up just now. */
  portsOfOthers({ metadata }) {
    return this.seats.filter(({ uid }) => uid !== metadata.uid).map(({ port: port2 }) => port2);
  }
  get text() {
    return this.seats.map(
      ({ uid, servicePort, port: port2, since }) => `${uid}/${servicePort}=${port2}${since === void 0 ? "" : `~${since}`}`
    ).join(",");
  }
};
function hasTable({ metadata }, { seats }) {
  return metadata.name === seats?.name && metadata.namespace === seats?.namespace;
}
function seatOf(text) {
  const match = /^([^/]+)\/(\d+)=(\d+)(?:~(\d+))?$/.exec(text);
  return match ? [
    {
      uid: match[1],
      servicePort: Number(match[2]),
      port: Number(match[3]),
      ...match[4] === void 0 ? {} : { since: Number(match[4]) }
    }
  ] : [];
}

// src/tenancy/runtime/hook/assign-seats.ts
var GIVEN_UP_SECONDS = 3;
function assignSeats(request, config2, now) {
  const { object } = request;
  if (!hasTable(object, config2)) {
    return { status: null, attachments: [] };
  }
  const seconds = Math.floor(Date.parse(now) / 1e3);
  const cluster = new Cluster(request, config2);
  const before = withHolders(SeatTable.of(object, config2).seats, cluster);
  const kept = before.filter(({ since }) => since === void 0 || seconds - since < GIVEN_UP_SECONDS);
  const seats = kept.map(
    (seat) => seat.since === void 0 && !cluster.wants(seat, kept) ? { ...seat, since: seconds } : seat
  );
  withinRoom(seats, cluster, seconds);
  for (const service of cluster.services) {
    seats.push(...cluster.newSeats(service, seats));
  }
  const isGivingUp = seats.some(({ since }) => since !== void 0);
  return {
    status: null,
    attachments: [],
    annotations: { [config2.keys.seats]: new SeatTable(seats).text || null },
    ...isGivingUp ? { resyncAfterSeconds: GIVEN_UP_SECONDS } : {}
  };
}
var Cluster = class {
  constructor({ related }, config2) {
    this.config = config2;
    this.publisher = PUBLISHERS[config2.publisher];
    this.services = ofKind(related, "Service").filter((service) => mayBePublished(service, config2, this.publisher)).sort((one, other) => orderOf2(one) < orderOf2(other) ? -1 : 1);
    this.byUid = new Map(this.services.map((service) => [service.metadata.uid, service]));
    this.gateway = balancerIn(related, this.publisher.balancer, config2.balancers[0]);
    const holders = ofKind(related, this.publisher.holder.kind);
    this.made = holders.filter((holder) => ownerOf(holder) !== void 0);
    this.foreign = holders.filter((holder) => ownerOf(holder) === void 0);
  }
  config;
  /** The Services that may be published, in the order in which they get ports. */
  services;
  byUid;
  gateway;
  made;
  foreign;
  publisher;
  /** What was made for Services already: they keep it where the table was lost. */
  get holders() {
    return this.made.filter((holder) => this.byUid.has(ownerOf(holder)));
  }
  service(holder) {
    return this.byUid.get(ownerOf(holder));
  }
  /** The ports that its annotation has. */
  writtenPorts({ metadata }) {
    return portsOfText(metadata.annotations?.[this.config.keys.endpoints]);
  }
  portsIn(holder) {
    return this.publisher.holder.portsOf(holder);
  }
  /** Whether a port that is set aside is still the one that its Service would get. */
  wants({ uid, servicePort, port: port2 }, seats) {
    const service = this.byUid.get(uid);
    return service !== void 0 && this.placed(service, seats).some((one) => one.servicePort === servicePort && one.port === port2);
  }
  /** The ports that a Service gets beside those that it has. */
  newSeats(service, seats) {
    const { uid } = service.metadata;
    const has = new Set(seats.filter((seat) => seat.uid === uid).map(({ servicePort }) => servicePort));
    const wanted = this.placed(service, seats).flatMap(
      ({ servicePort, port: port2 }) => port2 === void 0 || has.has(servicePort) ? [] : [{ uid, servicePort, port: port2 }]
    );
    const found = [];
    for (const seat of wanted) {
      if (this.roomBeside([...seats, ...found], seat.port) > 0) {
        found.push(seat);
      }
    }
    return found;
  }
  /** How many ports fit beside some, where a further one is counted if it is none of them. */
  roomBeside(seats, further) {
    const { capacity } = this.config;
    const used = this.used(seats);
    const isCounted = further !== void 0 && used.has(further);
    return capacity ? capacity.ports - used.size + (isCounted ? 1 : 0) : Number.POSITIVE_INFINITY;
  }
  used(seats) {
    const { capacity, balancers, settings } = this.config;
    const foreign = this.foreign.filter((one) => this.publisher.holder.isAt(one, balancers[0], settings));
    return /* @__PURE__ */ new Set([
      ...capacity?.locked ?? [],
      ...foreign.flatMap((one) => this.portsIn(one)),
      ...seats.map(({ port: port2 }) => port2)
    ]);
  }
  placed(service, seats) {
    const { config: config2, publisher } = this;
    const { uid, name, namespace } = service.metadata;
    const mine = this.made.find((holder) => ownerOf(holder) === uid);
    const holders = new PortHolders(config2, publisher.holder, this.gateway, this.foreign, mine);
    const others = new Set(seats.filter((seat) => seat.uid !== uid).map(({ port: port2 }) => port2));
    const own = seats.filter((seat) => seat.uid === uid);
    return placePorts({
      conflict: config2.conflict,
      range: config2.tenants[namespace].ports ?? { first: 1, last: 0 },
      key: `${namespace}/${name}`,
      servicePorts: (service.spec.ports ?? []).map(({ port: port2 }) => port2),
      held: [Object.fromEntries(own.map(({ servicePort, port: port2 }) => [servicePort, port2])), this.writtenPorts(service)],
      hasOther: (port2) => others.has(port2) || holders.hasOther(port2)
    });
  }
};
function withHolders(seats, cluster) {
  const all = [...seats];
  for (const holder of cluster.holders) {
    const service = cluster.service(holder);
    const { uid } = service.metadata;
    if (!all.some((seat) => seat.uid === uid)) {
      const written = Object.entries(cluster.writtenPorts(service));
      for (const port2 of cluster.portsIn(holder)) {
        const servicePort = Number(written.find(([, there]) => there === port2)?.[0] ?? port2);
        all.push({ uid, servicePort, port: port2 });
      }
    }
  }
  return all;
}
function withinRoom(seats, cluster, seconds) {
  for (let i = seats.length - 1; i >= 0 && cluster.roomBeside(seats.filter(({ since }) => since === void 0)) < 0; i--) {
    if (seats[i].since === void 0) {
      seats[i] = { ...seats[i], since: seconds };
    }
  }
}
function ownerOf({ metadata }) {
  return (metadata.ownerReferences ?? []).find(
    ({ kind, controller }) => kind === "Service" && controller === true
  )?.uid;
}
function orderOf2({ metadata }) {
  return [metadata.creationTimestamp, metadata.namespace, metadata.name].join(" ");
}

// src/tenancy/runtime/hook/suspension.ts
function namespaceOf({ metadata }) {
  return { apiVersion: "v1", resource: "namespaces", names: [metadata.namespace] };
}
function isSuspended({ object, related }) {
  return ofKind(related, "Namespace").some(
    ({ metadata }) => metadata.name === object.metadata.namespace && metadata.labels?.[SUSPENDED_LABEL] === SUSPENDED
  );
}

// src/tenancy/runtime/hook/customize.ts
var { version } = GATEWAY_API;
function customize(service, config2) {
  const { namespace } = service.metadata;
  const { kinds, tellsConflicts, balancer, holder } = PUBLISHERS[config2.publisher];
  const holders = kinds.find(({ kind }) => kind === holder.kind)?.resource;
  const resources = [...new Set(kinds.map(({ apiVersion: apiVersion2, resource }) => `${apiVersion2} ${resource}`))];
  const near = [.../* @__PURE__ */ new Set([...resources, ...balancer.kind === "Gateway" ? [`${version} tlsroutes`] : []])].sort().map((one) => one.split(" ")).flatMap(([apiVersion2, resource]) => [
    { apiVersion: apiVersion2, resource, namespace },
    ...resource === holders && (!tellsConflicts || config2.capacity) ? ofTenants({ apiVersion: apiVersion2, resource }, config2, namespace) : []
  ]);
  const balancers = [...new Set(config2.balancers.map((one) => one.namespace))].map((home) => ({
    apiVersion: balancer.apiVersion,
    resource: balancer.resource,
    namespace: home,
    names: config2.balancers.filter((one) => one.namespace === home).map(({ name }) => name)
  }));
  const { seats } = config2;
  const table = seats ? [{ apiVersion: "v1", resource: "services", namespace: seats.namespace, names: [seats.name] }] : [];
  return { relatedResources: [...balancers, ...table, namespaceOf(service), ...near] };
}
function customizeSeats(service, config2) {
  if (!hasTable(service, config2)) {
    return { relatedResources: [] };
  }
  const { kinds, balancer, holder } = PUBLISHERS[config2.publisher];
  const [{ name, namespace }] = config2.balancers;
  const holders = kinds.filter(({ kind }) => kind === holder.kind);
  const services = ofTenants(
    { apiVersion: "v1", resource: "services", labelSelector: { matchLabels: config2.serviceLabels } },
    config2
  );
  return {
    relatedResources: [
      { apiVersion: balancer.apiVersion, resource: balancer.resource, namespace, names: [name] },
      ...services,
      ...holders.flatMap(({ apiVersion: apiVersion2, resource }) => ofTenants({ apiVersion: apiVersion2, resource }, config2))
    ]
  };
}
function ofTenants({ apiVersion: apiVersion2, resource, labelSelector }, { namespaceLabels, tenants }, but) {
  if (namespaceLabels) {
    const namespaceSelector = { matchLabels: namespaceLabels };
    return [{ apiVersion: apiVersion2, resource, labelSelector: labelSelector ?? {}, namespaceSelector }];
  }
  return Object.keys(tenants).filter((namespace) => namespace !== but).sort().map((namespace) => ({ apiVersion: apiVersion2, resource, namespace, ...labelSelector ? { labelSelector } : {} }));
}

// src/tenancy/runtime/hook/most-holders.ts
function mostHolders({ first, last }, balancers) {
  return last - first + 1 + balancers;
}

// src/tenancy/runtime/hook/publish-service.ts
function publishService(request, config2, publisher, tenant) {
  const { object: service, attachments, related } = request;
  const [balancer] = config2.balancers;
  const { holder } = publisher;
  const gateway = balancerIn(related, publisher.balancer, balancer);
  const name = setName(service);
  const own = ofKind(attachments, holder.kind).find(({ metadata }) => metadata.name === name);
  const routes = ofKind(attachments, "TCPRoute");
  const table = SeatTable.sentWith(request, config2);
  const mine = table?.portsFor(service);
  const holders = new PortHolders(
    config2,
    holder,
    gateway,
    ofKind(related, holder.kind),
    own,
    table?.portsOfOthers(service)
  );
  const wanted = placePorts({
    conflict: config2.conflict,
    range: tenant.ports,
    key: `${service.metadata.namespace}/${service.metadata.name}`,
    servicePorts: (service.spec.ports ?? []).map(({ port: port2 }) => port2),
    held: [
      ...mine ? [mine] : [],
      holder.heldBy(own, routes),
      portsOfText(service.metadata.annotations?.[config2.keys.endpoints])
    ],
    hasOther: (port2) => holders.hasOther(port2)
  });
  const placed = mine ? seated(wanted, mine, config2, holders) : withinCapacity(wanted, config2.capacity, holders);
  const publish = (ports) => {
    const attachment = attachmentOf(service, config2, tenant, ports);
    return attachment.services[0].ports.length > 0 ? publisher.publish(attachment, config2.settings) : [];
  };
  const foreign = strangersAmong(publish(placed), request);
  const takenRoutes = new Set(foreign.filter(({ kind }) => kind === "TCPRoute").map(({ metadata }) => metadata.name));
  const takenOther = foreign.find(({ kind }) => kind !== "TCPRoute");
  const isFull = !own && hasNoSetLeft(request, config2, holder, tenant);
  const isFree = ({ servicePort }) => !takenRoutes.has(`${service.metadata.name}-${servicePort}`);
  const addresses = addressesOf(balancer, gateway);
  return {
    placed,
    documents: takenOther || isFull ? [] : publish(placed.filter(isFree)),
    outcomes: placed.map((one) => {
      const { servicePort, port: port2, lack } = one;
      if (port2 === void 0) {
        return { servicePort, port: servicePort, ...stateOf(lack) };
      }
      const route = `${service.metadata.name}-${servicePort}`;
      if (takenOther || !isFree(one)) {
        const why = takenOther ? `${takenOther.kind} ${takenOther.metadata.name}` : `TCPRoute ${route}`;
        return { servicePort, port: port2, state: "name-taken", why };
      }
      if (isFull) {
        return { servicePort, port: port2, state: "no-set" };
      }
      return outcomeOf(publisher, servicePort, {
        balancer: gateway,
        holder: own,
        route: routes.find(({ metadata }) => metadata.name === route),
        port: port2,
        byHost: false
      });
    }),
    addresses,
    isReported: publisher.reportsPorts,
    host: addresses.length > 0 ? hostOf(addresses[0]) : void 0,
    range: `${tenant.ports.first} to ${tenant.ports.last}`
  };
}
function publishByName(request, config2, publisher, tenant) {
  const { object: service, attachments, related } = request;
  const [balancer] = config2.balancers;
  const [{ port: servicePort }] = service.spec.ports;
  const port2 = config2.tlsPort;
  const hostnames = hostNamesOf(service, config2) ?? [];
  const taken = takenNames(hostnames, request, setName(service));
  const free2 = hostnames.filter((name) => !taken.some((one) => one.name === name));
  const attachment = {
    ...attachmentOf(service, config2, tenant, []),
    listenersByName: true,
    services: [{ name: service.metadata.name, ports: [{ servicePort, port: port2, hostnames: free2 }] }]
  };
  const documents = free2.length > 0 ? publisher.publish(attachment, config2.settings) : [];
  const foreign = strangersAmong(documents, request)[0];
  const own = ofKind(attachments, publisher.holder.kind).find(({ metadata }) => metadata.name === attachment.name);
  const isFull = documents.length > 0 && !own && hasNoSetLeft(request, config2, publisher.holder, tenant);
  const outcomes = taken.map(({ name, holder }) => ({
    servicePort,
    port: port2,
    state: "host-taken",
    why: `${name} is that of ${holder}`
  }));
  if (foreign) {
    outcomes.push({ servicePort, port: port2, state: "name-taken", why: `${foreign.kind} ${foreign.metadata.name}` });
  } else if (isFull) {
    outcomes.push({ servicePort, port: port2, state: "no-set" });
  } else if (free2.length > 0) {
    outcomes.push(
      outcomeOf(publisher, servicePort, {
        balancer: balancerIn(related, publisher.balancer, balancer),
        holder: own,
        route: ofKind(attachments, "TLSRoute")[0],
        port: port2,
        byHost: true
      })
    );
  }
  return {
    placed: [{ servicePort, port: port2 }],
    documents: foreign || isFull ? [] : documents,
    outcomes,
    addresses: free2.map((hostname) => ({ hostname })),
    isReported: publisher.reportsPorts,
    host: free2[0]
  };
}
function hasNoSetLeft({ object: service, related }, { balancers }, { kind }, { ports }) {
  const { namespace } = service.metadata;
  const there = ofKind(related, kind).filter(({ metadata }) => metadata.namespace === namespace);
  return ports !== void 0 && there.length >= mostHolders(ports, balancers.length);
}
function stateOf(lack = "conflict") {
  return lack === "waiting" ? { state: "pending", why: "no port has been set aside for it yet" } : { state: lack };
}
function outcomeOf(publisher, servicePort, port2) {
  const why = publisher.pending(port2);
  const state = publisher.isConflicted(port2) ? "conflict" : why === void 0 ? "served" : "pending";
  return { servicePort, port: port2.port, state, why };
}
function setName({ metadata }) {
  return `service-${metadata.name}`;
}
function attachmentOf(service, { balancers: [balancer] }, { domain, connections, bytesPerSecond }, placed) {
  const { name, namespace } = service.metadata;
  const ports = placed.flatMap(({ servicePort, port: port2 }) => port2 === void 0 ? [] : [{ servicePort, port: port2 }]);
  return {
    name: setName(service),
    namespace,
    balancer: { name: balancer.name, namespace: balancer.namespace },
    domain,
    services: [{ name, ports, sourceRanges: sourceRangesOf(service) }],
    connections,
    bytesPerSecond
  };
}
function strangersAmong(documents, { object: service, related }) {
  return documents.filter(
    ({ kind, metadata }) => ofKind(related, kind).some(
      (there) => there.metadata.name === metadata.name && there.metadata.namespace === metadata.namespace && !isOf(there, service)
    )
  );
}

// src/tenancy/runtime/hook/sync.ts
function sync(request, config2, now) {
  const { object: service } = request;
  if (service.metadata.deletionTimestamp !== void 0) {
    return { status: null, attachments: [] };
  }
  if (service.spec.type !== "LoadBalancer" || service.spec.loadBalancerClass !== config2.loadBalancerClass) {
    return release(service, config2);
  }
  const { name, namespace } = service.metadata;
  const known = tenantOf(config2, namespace);
  const tenant = known && isSuspended(request) ? { ...known, suspended: true } : known;
  const publisher = PUBLISHERS[config2.publisher];
  const isByName = hostNamesOf(service, config2) !== void 0;
  const refusal = refusalOf(service, tenant, powersOf(config2, publisher), isByName);
  if (!tenant || refusal) {
    return refuse(service, config2, refusal, now);
  }
  if (tenant.published?.includes(name)) {
    return { attachments: [], status: statusOf(service, reportOnPublished(request, config2, publisher), config2, now) };
  }
  const unnamed = hostNameRefusal(service, tenant, config2);
  if (unnamed) {
    return refuse(service, config2, unnamed, now);
  }
  const { ports } = tenant;
  if (!ports) {
    return refuse(service, config2, withoutRange(tenant), now);
  }
  const published = isByName ? publishByName(request, config2, publisher, tenant) : publishService(request, config2, publisher, { ...tenant, ports });
  const { addresses, host, placed, documents } = published;
  return {
    attachments: documents,
    status: statusOf(service, published, config2, now),
    ...(config2.conflict === "REMAP" || isByName) && host !== void 0 ? {
      annotations: {
        [config2.keys.endpoints]: endpointsText(placed, isByName ? addresses.map(hostOf) : [host]) || null
      }
    } : {}
  };
}
function statusOf(service, report, { keys }, now) {
  return {
    ...service.status,
    loadBalancer: loadBalancerStatus(service, report, keys),
    conditions: withCondition(service, keys.condition, verdictOn(report), now)
  };
}
function refuse(service, { keys }, finding, now) {
  return {
    attachments: [],
    status: { ...service.status, loadBalancer: {}, conditions: withCondition(service, keys.condition, finding, now) }
  };
}
function release(service, { keys }) {
  const own = conditionOf(service, keys.condition);
  if (!own) {
    return { status: null, attachments: [] };
  }
  const conditions = service.status.conditions.filter((condition) => condition !== own);
  return {
    attachments: [],
    status: { ...service.status, conditions },
    annotations: { [keys.endpoints]: null }
  };
}
function reportOnPublished({ object: service, related }, config2, publisher) {
  const { name, namespace } = service.metadata;
  const { balancers } = config2;
  const isHere = ({ metadata }) => metadata.namespace === namespace;
  const routes = [...ofKind(related, "TCPRoute"), ...ofKind(related, "TLSRoute")].filter(isHere);
  const holders = ofKind(related, publisher.holder.kind).filter(isHere);
  let [balancer] = balancers;
  const outcomes = (service.spec.ports ?? []).map(({ port: servicePort }) => {
    const found = publisher.holder.find(name, servicePort, { holders, routes }, balancers);
    if (!found) {
      return { servicePort, port: servicePort, state: "pending", why: "the platform has not published it yet" };
    }
    balancer = balancers.find((one) => one.name === found.at) ?? balancer;
    return outcomeOf(publisher, servicePort, {
      ...found,
      balancer: balancerIn(related, publisher.balancer, balancer)
    });
  });
  const addresses = addressesOf(balancer, balancerIn(related, publisher.balancer, balancer));
  return {
    outcomes,
    addresses,
    isReported: publisher.reportsPorts,
    host: addresses.length > 0 ? hostOf(addresses[0]) : void 0
  };
}

// src/tenancy/runtime/hook/withdraw.ts
var LAST_LOOK_SECONDS = 1;
function withdraw(request, config2, now) {
  const { object: service, attachments } = request;
  const { condition, endpoints } = config2.keys;
  const own = conditionOf(service, condition);
  const made = Object.values(attachments ?? {}).flatMap((objects) => Object.values(objects ?? {}));
  const left = leftBehind(request, config2);
  const isLookedAt = own?.status !== "Unknown" || secondsBetween(own.lastTransitionTime, now) < LAST_LOOK_SECONDS;
  if (made.length > 0 || left || own && isLookedAt) {
    return {
      attachments: [],
      status: statusWith(service, config2, withCondition(service, condition, findingOn(left), now)),
      finalized: false,
      resyncAfterSeconds: LAST_LOOK_SECONDS
    };
  }
  const others = (service.status?.conditions ?? []).filter((one) => one !== own);
  return {
    attachments: [],
    status: own ? statusWith(service, config2, others) : null,
    annotations: { [endpoints]: null },
    finalized: true
  };
}
function statusWith(service, { loadBalancerClass }, conditions) {
  const isOurs = service.spec.loadBalancerClass === loadBalancerClass;
  return { ...service.status, ...isOurs ? { loadBalancer: {} } : {}, conditions };
}
function findingOn(left) {
  return left ? {
    status: "Unknown",
    reason: "LeftBehind",
    message: `${left.kind} ${left.metadata.name} has lost its owner by a deletion with --cascade=orphan and keeps its ports: ask the platform to delete it`
  } : { status: "Unknown", reason: "Withdrawing", message: "its ports at the shared load balancer are being closed" };
}
function leftBehind({ object: service, related }, config2) {
  const { namespace } = service.metadata;
  return PUBLISHERS[config2.publisher].kinds.flatMap(({ kind }) => ofKind(related, kind)).find(
    (object) => object.metadata.namespace === namespace && object.metadata.name === setName(service) && isLeftBehind(object, config2)
  );
}
function secondsBetween(first, second) {
  return (Date.parse(second) - Date.parse(first)) / 1e3;
}

// src/tenancy/runtime/hook/server.ts
var MOST_BYTES = 32 * 1024 * 1024;
var HOOKS = ["/sync", "/finalize", "/customize", "/seats", "/customize-seats"];
var BadMessage = class extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
  status;
};
function hookServer(config2, now = () => /* @__PURE__ */ new Date()) {
  return (0, import_node_http.createServer)((request, response) => {
    answerTo(request, config2, now).then(
      (answer) => send(response, 200, answer),
      (error) => send(response, error instanceof BadMessage ? error.status : 500, { error: `${request.url}: ${error.message}` })
    );
  });
}
async function answerTo(request, config2, now) {
  const { method, url } = request;
  if (url === "/healthz") {
    return { ok: true };
  }
  if (url === void 0 || !HOOKS.includes(url)) {
    throw new BadMessage(404, `there is no such hook; there are ${HOOKS.join(", ")}`);
  }
  if (method !== "POST") {
    throw new BadMessage(405, `a hook is called with POST, not with ${method}`);
  }
  const message = parsed(await bodyOf(request));
  if (url === "/customize" || url === "/customize-seats") {
    return (url === "/customize" ? customize : customizeSeats)(message.parent ?? message.object, config2);
  }
  const seconds = `${now().toISOString().slice(0, 19)}Z`;
  const hook = url === "/seats" ? assignSeats : url === "/finalize" ? withdraw : sync;
  return hook(message, config2, seconds);
}
function bodyOf(request) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    let bytes = 0;
    request.on("data", (chunk) => {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) {
        chunks.length = 0;
        reject(new BadMessage(413, `the message has more than ${MOST_BYTES} bytes`));
      } else {
        chunks.push(chunk);
      }
    });
    request.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    request.on("error", reject);
  });
}
function parsed(body) {
  try {
    const message = JSON.parse(body);
    if (!(message?.object ?? message?.parent)?.metadata) {
      throw new Error("it names no object");
    }
    return message;
  } catch (error) {
    throw new BadMessage(400, `the message cannot be read: ${error.message}`);
  }
}
function send(response, status, answer) {
  if (!response.headersSent) {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
  }
}

// scripts/hook/main.ts
var [file, port] = process.argv.slice(2);
var config = JSON.parse((0, import_node_fs.readFileSync)(file, "utf8"));
if (!Object.hasOwn(PUBLISHERS, config.publisher)) {
  throw new Error(
    `${file}: the publisher '${config.publisher}' is unknown; there are ${Object.keys(PUBLISHERS).join(", ")}`
  );
}
var server = hookServer(config);
server.listen(Number(port));
process.once("SIGTERM", () => {
  server.close();
  server.closeIdleConnections();
});
