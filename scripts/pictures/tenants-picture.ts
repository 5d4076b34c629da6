import type { Content } from '../../src/report/page/markup';
import { arrow, box, rectangle, svgFile, text, WIDTH } from './canvas';
import { lockedPorts, type TenantService, tenantServices } from './tenants-scene';

// The tenants of examples/tenants: a balancer for each Service, and one for all of them.

const MARGIN = 16;
const HEADING = 40;
const ROW = 78;
const CHIP = 42;
const CLIENTS = { x: MARGIN + 12, width: 84 };
const BALANCER = { x: 138, width: 208 };
const PROXIES = { x: 370, width: 116 };
const NAMESPACE = { x: 526, width: 166 };
const NAMESPACE_TITLE = 20;
const NOTE = 17;

/** A part of a picture, and where it ends. */
interface Part {
  readonly content: Content;
  readonly bottom: number;
  readonly words: string;
}

const portsOf = (ports: readonly number[]) => `port${ports.length === 1 ? '' : 's'} ${ports.join(', ')}`;

/** Each tenant with a balancer of its own. */
export function tenantsBefore(): string {
  return picture('Three tenants with a load balancer each', [before]);
}

/** All tenants at one balancer. */
export function tenantsAfter(): string {
  return picture('Three tenants behind one load balancer', [after]);
}

/** One above the other. */
export function tenantsStory(): string {
  return picture('Three tenants with a load balancer each, and behind one', [before, after]);
}

function picture(title: string, parts: readonly ((top: number) => Part)[]): string {
  let top = MARGIN;
  const drawn = parts.map((part) => {
    const { content, bottom, words } = part(top);
    const frame = { x: MARGIN, y: top, width: WIDTH - 2 * MARGIN, height: bottom - top };
    top = bottom + MARGIN;
    return { content: [rectangle(frame, 'frame', 8), '\n', content], words };
  });
  return svgFile(
    { title, description: drawn.map(({ words }) => words).join(' ') },
    top,
    drawn.map(({ content }) => content),
  );
}

function before(top: number): Part {
  const services = tenantServices();
  const balancers = `${services.length} Network Load Balancers`;
  const first = top + HEADING;
  const middle = first + (services.length * ROW) / 2;
  const content = [
    heading(`Before: a Service of type LoadBalancer each, ${balancers}`, top),
    services.map((service, index) => {
      const y = first + index * ROW + ROW / 2;
      return [
        arrow([CLIENTS.x + CLIENTS.width, middle, BALANCER.x, y], 'way', 0.3),
        arrow([BALANCER.x + BALANCER.width, y, NAMESPACE.x + 10, y + NAMESPACE_TITLE / 2], 'way', 0.3),
        box(
          { x: BALANCER.x, y: y - CHIP / 2, width: BALANCER.width, height: CHIP },
          'warn',
          'Network Load Balancer',
          'an address of its own',
        ),
        tenant(service, y),
      ];
    }),
    clients(middle),
  ];
  const bottom = first + services.length * ROW + 12;
  const words = services.map((service) => `${nameOf(service)} with ${portsOf(service.ports)}`).join(', ');
  return { content, bottom, words: `Before: ${words}; ${balancers}.` };
}

function after(top: number): Part {
  const services = tenantServices();
  const first = top + HEADING;
  const middle = first + (services.length * ROW) / 2;
  const ports = services.flatMap(lockedPorts);
  const content = [
    heading('After: SharedLoadBalancer, one Network Load Balancer', top),
    arrow([CLIENTS.x + CLIENTS.width, middle, BALANCER.x, middle], 'way', 0.6),
    arrow([BALANCER.x + BALANCER.width, middle, PROXIES.x, middle], 'way', 0.6),
    services.map((service, index) => {
      const y = first + index * ROW + ROW / 2;
      return [
        arrow([PROXIES.x + PROXIES.width, middle, NAMESPACE.x + 10, y + NAMESPACE_TITLE / 2], 'way', 0.3),
        tenant(service, y),
      ];
    }),
    box(
      { x: BALANCER.x, y: middle - 32, width: BALANCER.width, height: 64 },
      'good',
      'Network Load Balancer',
      `one address, ${ports.length} ports:`,
      ports.join(', '),
    ),
    box(
      { x: PROXIES.x, y: middle - 32, width: PROXIES.width, height: 64 },
      'box',
      'Gateway',
      'a listener',
      'for each port',
    ),
    clients(middle),
    text(
      'Policies of the API server keep each tenant to its own ports and host names.',
      MARGIN + 12,
      first + services.length * ROW + 14,
      'note',
    ),
  ];
  const words = services.map((service) => `${nameOf(service)} at ${portsOf(lockedPorts(service))}`).join(', ');
  return {
    content,
    bottom: first + services.length * ROW + 12 + NOTE,
    words: `After: one Network Load Balancer and a Gateway with a listener for each port; ${words}.`,
  };
}

const nameOf = ({ tenant: namespace, name }: TenantService) => `Service ${namespace}/${name}`;

function heading(said: string, top: number): Content {
  return text(said, MARGIN + 12, top + 26, 'heading');
}

function clients(middle: number): Content {
  return box({ x: CLIENTS.x, y: middle - CHIP / 2, width: CLIENTS.width, height: CHIP }, 'box', 'clients');
}

/** A namespace with its Service. */
function tenant({ tenant: namespace, name, ports }: TenantService, middle: number): Content {
  const frame = { x: NAMESPACE.x, y: middle - ROW / 2 + 4, width: NAMESPACE.width, height: ROW - 8 };
  const chip = { x: frame.x + 10, y: frame.y + NAMESPACE_TITLE, width: frame.width - 20, height: CHIP };
  return [
    rectangle(frame, 'off', 8),
    '\n',
    text(`namespace ${namespace}`, frame.x + 12, frame.y + 14, 'note'),
    box(chip, 'box', name, portsOf(ports)),
  ];
}
