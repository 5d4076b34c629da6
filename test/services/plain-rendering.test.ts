import { ApiObject, App, Chart, type IResolver, Lazy, type ResolutionContext, Testing } from 'cdk8s';
import { HetznerCloud, LoadBalancedService, type LoadBalancedServiceProps } from '../../src';
import type { Json } from '../../src/contract/json';

const props = { controller: HetznerCloud.loadBalancer(), selector: { app: 'echo' }, ports: [{ port: 443 }] };

function service(app: App, more: Partial<LoadBalancedServiceProps> = {}): LoadBalancedService {
  return new LoadBalancedService(new Chart(app, 'echo'), 'Echo', { ...props, ...more });
}

const byCdk8s = (object: LoadBalancedService): Json => ApiObject.prototype.toJson.call(object);

class Shouting implements IResolver {
  public resolve(context: ResolutionContext): void {
    if (context.value === 'echo') context.replaceValue('ECHO');
  }
}

test('plain data is written as cdk8s would write it, to the byte', () => {
  const object = service(new App(), {
    publishNotReadyAddresses: true,
    ports: [{ port: 443, targetPortName: 'a', nodePort: 30443 }],
  });
  expect(JSON.stringify(object.toJson())).toBe(JSON.stringify(byCdk8s(object)));
});

test("a resolver of the app is asked, as for every other object's values", () => {
  const object = service(new App({ resolvers: [new Shouting()] }));
  expect(object.toJson().spec.selector).toEqual({ app: 'ECHO' });
});

test('keys stay in their order where the environment says so', () => {
  process.env.CDK8S_DISABLE_SORT = 'yes';
  try {
    const object = service(new App());
    expect(JSON.stringify(object.toJson())).toBe(JSON.stringify(byCdk8s(object)));
  } finally {
    delete process.env.CDK8S_DISABLE_SORT;
  }
});

test('lazy values are resolved, in maps and in lists', () => {
  const lazy = Lazy.any({ produce: () => 'echo' }) as never;
  expect(service(new App(), { selector: { app: lazy } }).toJson().spec.selector).toEqual({ app: 'echo' });
  const object = service(new App(), {
    ports: [{ port: 443, appProtocol: Lazy.any({ produce: () => 'https' }) as never }],
  });
  expect(Testing.synth(object.chart)[0].spec.ports[0].appProtocol).toBe('https');
});
