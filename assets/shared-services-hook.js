// Made by scripts/hook/write.ts of its sources in src/tenancy; not to be edited.

// scripts/hook/main.ts
var import_node_fs = require("node:fs");

// src/tenancy/tenancy.facts.ts
var GATEWAY_API = {
  group: "gateway.networking.k8s.io",
  version: "gateway.networking.k8s.io/v1"
};

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
function listenerSet({ name, namespace, balancer, domain, services }) {
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
        ...byHost.map(
          (port2) => listener(port2, { protocol: "TLS", hostname: `*.${domain}`, tls: { mode: "Passthrough" } }, "TLSRoute")
        )
      ]
    }
  };
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
        { group, kind: "ListenerSet", name: attachment.name, sectionName: listenerName(port2.port, !!port2.hostnames) }
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

// src/tenancy/guard/dangerous-kinds.facts.ts
var AWS_GATEWAY_GROUP = "gateway.k8s.aws";
var ENVOY_GATEWAY_GROUP = "gateway.envoyproxy.io";
var HAPROXY_GROUP = "ingress.v3.haproxy.org";
var NLB_DANGEROUS_KINDS = [
  { group: "elbv2.k8s.aws", resource: "targetgroupbindings" },
  { group: AWS_GATEWAY_GROUP, resource: "targetgroupconfigurations" },
  { group: AWS_GATEWAY_GROUP, resource: "loadbalancerconfigurations" },
  { group: AWS_GATEWAY_GROUP, resource: "listenerruleconfigurations" }
];
var HAPROXY_DANGEROUS_KINDS = [
  ...["tcps", "backends", "frontends", "defaults", "globals", "validationrules"].map((resource) => ({
    group: HAPROXY_GROUP,
    resource
  })),
  ...["tcps", "backends", "defaults", "globals"].map((resource) => ({ group: "ingress.v1.haproxy.org", resource }))
];
var DANGEROUS_KINDS_OF_ENGINES = [
  ...NLB_DANGEROUS_KINDS,
  { group: AWS_GATEWAY_GROUP, resource: "*" },
  { group: ENVOY_GATEWAY_GROUP, resource: "*" },
  ...HAPROXY_DANGEROUS_KINDS
];

// src/tenancy/engines/envoy-gateway/facts.ts
var ENVOY_GATEWAY_VERSION = "gateway.envoyproxy.io/v1alpha1";

// src/tenancy/engines/envoy-gateway/documents.ts
function envoyDocuments(attachment, settings = {}) {
  const { name, namespace, connections, services } = attachment;
  const spec = clientSpec(connections, settings.proxyProtocol);
  return [
    ...services.length > 0 && spec ? [clientTrafficPolicy(name, namespace, "ListenerSet", spec)] : [],
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

// src/tenancy/engines/publishers.ts
var LISTENER_SET = { apiVersion: GATEWAY_API.version, kind: "ListenerSet", resource: "listenersets" };
var TCP_ROUTE = { apiVersion: GATEWAY_API.version, kind: "TCPRoute", resource: "tcproutes" };
var PUBLISHERS = {
  "aws-network-load-balancer": {
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
    publish: envoyDocuments,
    kinds: [
      { apiVersion: ENVOY_GATEWAY_VERSION, kind: "ClientTrafficPolicy", resource: "clienttrafficpolicies" },
      { apiVersion: ENVOY_GATEWAY_VERSION, kind: "SecurityPolicy", resource: "securitypolicies" },
      LISTENER_SET,
      TCP_ROUTE
    ],
    tellsConflicts: true
  },
  "existing-gateway": {
    publish: gatewayDocuments,
    kinds: [LISTENER_SET, TCP_ROUTE],
    tellsConflicts: false
  }
};

// src/tenancy/runtime/hook/server.ts
var import_node_http = require("node:http");

// src/tenancy/runtime/hook/customize.ts
var { version } = GATEWAY_API;
function customize(service, config2) {
  const { namespace } = service.metadata;
  const { kinds, tellsConflicts } = PUBLISHERS[config2.publisher];
  const resources = [...new Set(kinds.map(({ apiVersion: apiVersion2, resource }) => `${apiVersion2} ${resource}`))];
  const near = [.../* @__PURE__ */ new Set([...resources, `${version} tlsroutes`])].sort().map((one) => one.split(" ")).flatMap(([apiVersion2, resource]) => [
    { apiVersion: apiVersion2, resource, namespace },
    ...resource === "listenersets" && (!tellsConflicts || config2.capacity) ? ofTenants({ apiVersion: apiVersion2, resource }, service, config2) : []
  ]);
  const gateways = [...new Set(config2.balancers.map((balancer) => balancer.namespace))].map((home) => ({
    apiVersion: version,
    resource: "gateways",
    namespace: home,
    names: config2.balancers.filter((balancer) => balancer.namespace === home).map(({ name }) => name)
  }));
  return { relatedResources: [...gateways, ...near] };
}
function ofTenants({ apiVersion: apiVersion2, resource }, { metadata }, { namespaceLabels, tenants }) {
  if (namespaceLabels) {
    return [{ apiVersion: apiVersion2, resource, labelSelector: {}, namespaceSelector: { matchLabels: namespaceLabels } }];
  }
  return Object.keys(tenants).filter((namespace) => namespace !== metadata.namespace).sort().map((namespace) => ({ apiVersion: apiVersion2, resource, namespace }));
}

// src/tenancy/runtime/hook/cluster-state.ts
function ofKind(map, kind) {
  return Object.entries(map ?? {}).filter(([key]) => key.split(".", 1)[0] === kind).flatMap(([, objects]) => Object.values(objects ?? {}));
}
function isOf(object, service) {
  const owners = object.metadata.ownerReferences ?? [];
  return owners.some(({ controller, uid }) => controller === true && uid === service.metadata.uid);
}
function addressesOf({ hostname }, gateway) {
  if (hostname !== void 0) {
    return [{ hostname }];
  }
  return (gateway?.status?.addresses ?? []).filter(({ value }) => value).map(({ type, value }) => type === "Hostname" ? { hostname: value } : { ip: value, ipMode: "Proxy" });
}
function hostOf(address) {
  return address.hostname ?? address.ip;
}
function gatewayOf(related, balancer) {
  return ofKind(related, "Gateway").find(
    ({ metadata }) => metadata.name === balancer.name && metadata.namespace === balancer.namespace
  );
}
function withCondition(service, type, verdict, now) {
  const before = service.status?.conditions ?? [];
  const own = before.find((condition) => condition.type === type);
  const { status, reason, message } = verdict;
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
function isTrue(conditions, type) {
  return (conditions ?? []).some((condition) => condition.type === type && condition.status === "True");
}
function isConflicted({ set, listener: listener2 }) {
  return isTrue(listenerStatus(set, listener2)?.conditions, "Conflicted");
}
function pendingOf(state) {
  const { gateway, set, route, listener: listener2 } = state;
  const parents = route?.status?.parents ?? [];
  const parent = parents.find(
    ({ parentRef }) => parentRef?.kind === "ListenerSet" && parentRef.name === set?.metadata.name && parentRef.sectionName === listener2
  );
  return lacking("the shared Gateway", gateway?.status?.conditions, ["Accepted", "Programmed"]) ?? lacking("the ListenerSet", set?.status?.conditions, ["Accepted"]) ?? lacking("the listener", listenerStatus(set, listener2)?.conditions, ["Programmed"]) ?? lacking("the route", parent?.conditions, ["Accepted", "ResolvedRefs"]);
}
function listenerStatus(set, listener2) {
  return (set?.status?.listeners ?? []).find(({ name }) => name === listener2);
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

// src/tenancy/runtime/hook/port-report.ts
var REASONS = {
  outside: "PortNotAllowed",
  full: "NoFreePort",
  "no-room": "BalancerFull",
  "name-taken": "NameTaken",
  conflict: "PortConflict",
  pending: "Pending"
};
function verdictOn({ outcomes, host, range, addresses }) {
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
  return addresses.length === 0 ? { status: "False", reason: "Pending", message: "the shared load balancer has no address yet" } : { status: "True", reason: "Programmed", message: `served at ${host}` };
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
    case "conflict":
      return `${ports} ${are} taken: choose ${outcomes.length > 1 ? "others" : "another"}${among}`;
    case "pending":
      return `${ports}: ${outcomes[0].why}`;
  }
}
function loadBalancerStatus(service, report, keys) {
  const { outcomes, addresses } = report;
  if (outcomes.every(({ state }) => state === "served") && addresses.length > 0) {
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
function endpointsText(ports, host) {
  const name = host.includes(":") ? `[${host}]` : host;
  return ports.filter(({ port: port2 }) => port2 !== void 0).map(({ servicePort, port: port2 }) => `${servicePort}=${name}:${port2}`).join(",");
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
function heldPorts(set, routes) {
  const ports = new Map((set?.spec?.listeners ?? []).map(({ name, port: port2 }) => [name, port2]));
  const held = {};
  for (const { spec } of routes) {
    const servicePort = spec?.rules?.[0]?.backendRefs?.[0]?.port;
    const port2 = ports.get(spec?.parentRefs?.[0]?.sectionName);
    if (typeof servicePort === "number" && typeof port2 === "number") {
      held[servicePort] = port2;
    }
  }
  return held;
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

// src/tenancy/runtime/hook/port-holders.ts
var PortHolders = class {
  /**
   * @param gateway the Gateway, with listeners of its own
   * @param sets all ListenerSets that are known
   * @param mine the one of the Service, where there is one
   */
  constructor(config2, gateway, sets, mine) {
    this.config = config2;
    this.mine = mine;
    const [balancer] = config2.balancers;
    const listeners = gateway?.spec?.listeners ?? [];
    this.own = /* @__PURE__ */ new Set([...config2.reserved ?? [], ...listeners.map(({ port: port2 }) => port2)]);
    this.sets = sets.filter(
      (set) => set.metadata.uid !== mine?.metadata.uid && isAt(set, balancer) && set.spec?.listeners && canHold(config2, set)
    );
  }
  config;
  mine;
  sets;
  own;
  /** Whether the Service has no right to a port: what somebody has is taken from nobody, and of two the older one has it. */
  hasOther(port2) {
    if (this.own.has(port2)) {
      return true;
    }
    const others = this.sets.filter((set) => hasPort(set, port2));
    const { mine } = this;
    return others.length > 0 && !(mine && hasPort(mine, port2) && others.every((other) => this.isBefore(mine, other)));
  }
  /** Whether the Service has a port already. */
  isMine(port2) {
    return this.mine?.spec?.listeners !== void 0 && hasPort(this.mine, port2);
  }
  /** What all others have. */
  portsOfOthers() {
    return this.sets.flatMap(portsOf);
  }
  /** What those have who come before the Service: everybody where it has nothing yet. */
  portsBefore() {
    const { mine } = this;
    return this.sets.filter((other) => !mine || this.isBefore(other, mine)).flatMap(portsOf);
  }
  /** Which of two has a port that both want: what the platform published, then the older, then by name. */
  isBefore(one, other) {
    const first = [this.isPublished(one) ? "0" : "1", one.metadata.creationTimestamp, nameOf(one)];
    const second = [this.isPublished(other) ? "0" : "1", other.metadata.creationTimestamp, nameOf(other)];
    const i = first.findIndex((value, at) => value !== second[at]);
    return i >= 0 && first[i] < second[i];
  }
  isPublished(set) {
    return isPublishedSet(this.config, set);
  }
};
function isPublishedSet({ balancers, tenants }, { metadata }) {
  return balancers.some(({ name }) => name === metadata.name) && Object.hasOwn(tenants, metadata.namespace);
}
function isAt(set, balancer) {
  const { name, namespace } = set.spec?.parentRef ?? {};
  return name === balancer.name && (namespace ?? set.metadata.namespace) === balancer.namespace;
}
function canHold({ tenants }, { metadata, status }) {
  const isShut = ({ type, status: said, reason }) => type === "Accepted" && said === "False" && reason === NOT_ALLOWED;
  return Object.hasOwn(tenants, metadata.namespace) && !(status?.conditions ?? []).some(isShut);
}
var NOT_ALLOWED = "NotAllowed";
function hasPort(set, port2) {
  return portsOf(set).includes(port2);
}
function portsOf({ spec }) {
  return spec.listeners.map(({ port: port2 }) => port2);
}
function nameOf({ metadata }) {
  return `${metadata.namespace}/${metadata.name}`;
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

// src/tenancy/runtime/hook/refusal.ts
function refusalOf(service, tenant, { canRestrictClients, isIpv4Alone }) {
  const ports = service.spec.ports ?? [];
  const others = [...new Set(ports.map(protocolOf).filter((protocol) => protocol !== "TCP"))].sort();
  const ranges = sourceRangesOf(service);
  if (!tenant) {
    return refused("NotATenant", "this namespace has no ports at the shared load balancer: ask the platform to add it");
  }
  if (tenant.suspended) {
    return refused("Suspended", "the platform has withdrawn what this namespace publishes; its ports stay reserved");
  }
  if (others.length > 0) {
    return refused(
      "ProtocolNotServed",
      `the shared load balancer serves TCP and not ${others.join(", ")}: give these ports a Service of their own`
    );
  }
  if (ports.length > AT_MOST.listeners) {
    return refused(
      "TooManyPorts",
      `${ports.length} ports are more than the ${AT_MOST.listeners} of one Service: split it`
    );
  }
  if (isIpv4Alone && (service.spec.ipFamilies ?? []).includes("IPv6")) {
    return refused(
      "IpFamilyNotServed",
      "the shared load balancer has IPv4 alone: set spec.ipFamilyPolicy to SingleStack and spec.ipFamilies to IPv4"
    );
  }
  if (ranges && !canRestrictClients) {
    return refused(
      "SourceRangesNotKept",
      `the shared load balancer cannot keep other clients than ${ranges.join(", ")} away: remove loadBalancerSourceRanges, or use a load balancer of your own`
    );
  }
  return void 0;
}
function withoutRange({ ports }) {
  return ports ? void 0 : refused(
    "NoRuntimePorts",
    "this namespace has no ports for Services that are created at run time: ask the platform for some"
  );
}
function refused(reason, message) {
  return { status: "False", reason, message };
}
function protocolOf({ protocol = "TCP" }) {
  return protocol;
}
var EVERYBODY = ["0.0.0.0/0", "::/0"];
function sourceRangesOf({ metadata, spec }) {
  const text = metadata.annotations?.[SOURCE_RANGES_ANNOTATION] ?? "";
  const written = spec.loadBalancerSourceRanges?.length ? spec.loadBalancerSourceRanges : text.split(",");
  const ranges = written.map((range) => range.trim()).filter((range) => range !== "");
  return ranges.every((range) => EVERYBODY.includes(range)) ? void 0 : [...new Set(ranges)].sort();
}

// src/tenancy/runtime/hook/publish-service.ts
function publishService(request, config2, publisher, tenant) {
  const { object: service, attachments, related } = request;
  const [balancer] = config2.balancers;
  const gateway = gatewayOf(related, balancer);
  const name = setName(service);
  const own = ofKind(attachments, "ListenerSet").find(({ metadata }) => metadata.name === name);
  const routes = ofKind(attachments, "TCPRoute");
  const holders = new PortHolders(config2, gateway, ofKind(related, "ListenerSet"), own);
  const wanted = placePorts({
    conflict: config2.conflict,
    range: tenant.ports,
    key: `${service.metadata.namespace}/${service.metadata.name}`,
    servicePorts: (service.spec.ports ?? []).map(({ port: port2 }) => port2),
    held: [heldPorts(own, routes), portsOfText(service.metadata.annotations?.[config2.keys.endpoints])],
    hasOther: (port2) => holders.hasOther(port2)
  });
  const placed = withinCapacity(wanted, config2.capacity, holders);
  const publish = (ports) => {
    const attachment = attachmentOf(service, config2, tenant, ports);
    return attachment.services[0].ports.length > 0 ? publisher.publish(attachment, config2.settings) : [];
  };
  const foreign = strangersAmong(publish(placed), request);
  const takenRoutes = new Set(foreign.filter(({ kind }) => kind === "TCPRoute").map(({ metadata }) => metadata.name));
  const takenOther = foreign.find(({ kind }) => kind !== "TCPRoute");
  const isFree = ({ servicePort }) => !takenRoutes.has(`${service.metadata.name}-${servicePort}`);
  const addresses = addressesOf(balancer, gateway);
  return {
    placed,
    documents: takenOther ? [] : publish(placed.filter(isFree)),
    outcomes: placed.map((one) => {
      const { servicePort, port: port2, lack } = one;
      if (port2 === void 0) {
        return { servicePort, port: servicePort, state: lack ?? "conflict" };
      }
      const route = `${service.metadata.name}-${servicePort}`;
      if (takenOther || !isFree(one)) {
        const why2 = takenOther ? `${takenOther.kind} ${takenOther.metadata.name}` : `TCPRoute ${route}`;
        return { servicePort, port: port2, state: "name-taken", why: why2 };
      }
      const state = {
        gateway,
        set: own,
        route: routes.find(({ metadata }) => metadata.name === route),
        listener: listenerName(port2, false)
      };
      const why = pendingOf(state);
      return {
        servicePort,
        port: port2,
        state: isConflicted(state) ? "conflict" : why === void 0 ? "served" : "pending",
        why
      };
    }),
    addresses,
    host: addresses.length > 0 ? hostOf(addresses[0]) : void 0,
    range: `${tenant.ports.first} to ${tenant.ports.last}`
  };
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
  const tenant = Object.hasOwn(config2.tenants, namespace) ? config2.tenants[namespace] : void 0;
  const publisher = PUBLISHERS[config2.publisher];
  const refusal = refusalOf(service, tenant, {
    canRestrictClients: config2.sourceRanges,
    isIpv4Alone: publisher.isIpv4Alone === true
  });
  if (!tenant || refusal) {
    return refuse(service, config2, refusal, now);
  }
  if (tenant.published?.includes(name)) {
    return { attachments: [], status: statusOf(service, reportOnPublished(request, config2), config2, now) };
  }
  const { ports } = tenant;
  if (!ports) {
    return refuse(service, config2, withoutRange(tenant), now);
  }
  const published = publishService(request, config2, publisher, { ...tenant, ports });
  const { host, placed, documents } = published;
  return {
    attachments: documents,
    status: statusOf(service, published, config2, now),
    ...config2.conflict === "REMAP" && host !== void 0 ? { annotations: { [config2.keys.endpoints]: endpointsText(placed, host) || null } } : {}
  };
}
function statusOf(service, report, { keys }, now) {
  return {
    ...service.status,
    loadBalancer: loadBalancerStatus(service, report, keys),
    conditions: withCondition(service, keys.condition, verdictOn(report), now)
  };
}
function refuse(service, { keys }, verdict, now) {
  return {
    attachments: [],
    status: { ...service.status, loadBalancer: {}, conditions: withCondition(service, keys.condition, verdict, now) }
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
function reportOnPublished({ object: service, related }, config2) {
  const { name, namespace } = service.metadata;
  const isHere = ({ metadata }) => metadata.namespace === namespace;
  const routes = [...ofKind(related, "TCPRoute"), ...ofKind(related, "TLSRoute")].filter(isHere);
  const sets = ofKind(related, "ListenerSet").filter(isHere);
  let balancer = config2.balancers[0];
  const outcomes = (service.spec.ports ?? []).map(({ port: servicePort }) => {
    const called = routeName({ name, ports: [] }, { port: servicePort, servicePort });
    const route = routes.find(({ metadata, spec }) => metadata.name === called && leadsTo(spec, name, servicePort));
    const parent = route?.spec.parentRefs?.[0];
    const at = config2.balancers.find((one) => one.name === parent?.name);
    const set = at && sets.find(({ metadata }) => metadata.name === at.name);
    const listener2 = (set?.spec?.listeners ?? []).find((one) => one.name === parent?.sectionName);
    if (!at || !listener2) {
      return { servicePort, port: servicePort, state: "pending", why: "the platform has not published it yet" };
    }
    balancer = at;
    const state = { gateway: gatewayOf(related, at), set, route, listener: listener2.name };
    const why = pendingOf(state);
    return {
      servicePort,
      port: listener2.port,
      state: isConflicted(state) ? "conflict" : why === void 0 ? "served" : "pending",
      why
    };
  });
  const addresses = addressesOf(balancer, gatewayOf(related, balancer));
  return { outcomes, addresses, host: addresses.length > 0 ? hostOf(addresses[0]) : void 0 };
}
function leadsTo(spec, name, port2) {
  const backends = spec.rules?.[0]?.backendRefs ?? [];
  return backends.length === 1 && backends[0].name === name && backends[0].port === port2;
}

// src/tenancy/runtime/hook/server.ts
var MOST_BYTES = 32 * 1024 * 1024;
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
  if (url !== "/sync" && url !== "/customize") {
    throw new BadMessage(404, "there is no such hook; there are /sync and /customize");
  }
  if (method !== "POST") {
    throw new BadMessage(405, `a hook is called with POST, not with ${method}`);
  }
  const message = parsed(await bodyOf(request));
  if (url === "/customize") {
    return customize(message.parent ?? message.object, config2);
  }
  const seconds = `${now().toISOString().slice(0, 19)}Z`;
  return sync(message, config2, seconds);
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
