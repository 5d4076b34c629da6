import { ApiObject, App, Chart, JsonPatch, Lazy, Testing } from 'cdk8s';
import { HetznerCloud, LoadBalancedService, LoadBalancers } from '../../src';
import { perPass } from '../../src/rules/app-objects';
import { SynthWatch } from '../../src/rules/synth-watch';
import { filesWritten } from '../support/apps';

const port = { controller: HetznerCloud.loadBalancer(), selector: { app: 'echo' }, ports: [{ port: 443 }] };

function counted(chart: Chart): { service: LoadBalancedService; renderings: () => number } {
  let renderings = 0;
  const service = new LoadBalancedService(chart, 'Echo', {
    ...port,
    selector: Lazy.any({
      produce: () => {
        renderings++;
        return { app: 'echo' };
      },
    }) as never,
  });
  return { service, renderings: () => renderings };
}

const typeOf = (chart: Chart) => Testing.synth(chart)[0].metadata.labels?.tier;
const tier = (value: string) => JsonPatch.add('/metadata/labels', { tier: value });

test('an object is rendered once in a synth, however many charts there are', () => {
  filesWritten((outdir) => {
    const app = new App({ outdir });
    const objects = ['a', 'b', 'c', 'd'].map((id) => counted(new Chart(app, id)));
    app.synth();
    expect(objects.map(({ renderings }) => renderings())).toEqual([1, 1, 1, 1]);
  });
});

test('a second synth writes what the object has become, not what it was', () => {
  filesWritten((outdir) => {
    const app = new App({ outdir });
    const chart = new Chart(app, 'a');
    const { service } = counted(chart);
    app.synth();
    service.metadata.addLabel('tier', 'two');
    expect(app.synthYaml()).toContain('tier: two');
  });
});

test('one chart can be rendered again and again, with changes in between', () => {
  const app = new App();
  const [first, second] = ['a', 'b'].map((id) => new Chart(app, id));
  const { service } = counted(first);
  counted(second);
  expect(typeOf(first)).toBeUndefined();
  service.addJsonPatch(tier('two'));
  expect(typeOf(first)).toBe('two');
  service.addJsonPatch(tier('three'));
  expect(typeOf(first)).toBe('three');
});

test('the app is written as it is, although one of its charts was rendered alone before', () => {
  const app = new App();
  const [first, second] = ['a', 'b'].map((id) => new Chart(app, id));
  counted(first);
  const { service } = counted(second);
  Testing.synth(first);
  service.metadata.addLabel('tier', 'two');
  expect(app.synthYaml()).toContain('tier: two');
});

test('an error that a later change brings stops the app before anything is written', () => {
  const files = filesWritten((outdir) => {
    const app = new App({ outdir });
    const [first, second] = ['a', 'b'].map((id) => new Chart(app, id));
    counted(first);
    const { service } = counted(second);
    Testing.synth(first);
    service.addJsonPatch(JsonPatch.replace('/spec/ports/0/port', 99999));
    expect(() => app.synth()).toThrow('99999 is not a valid port');
  });
  expect(files).toEqual({});
});

test('warnings are listed from one rendering of each object', () => {
  const app = new App();
  const objects = ['a', 'b', 'c', 'd'].map((id) => counted(new Chart(app, id)));
  expect(LoadBalancers.of(app).warnings).toEqual([]);
  expect(objects.map(({ renderings }) => renderings())).toEqual([1, 1, 1, 1]);
});

test('what is looked for in a pass is looked for once in it, and again in the next', () => {
  const app = new App();
  const watch = SynthWatch.of(app);
  const look = perPass(() => ({}));
  watch.inPass(() => expect(look(app)).toBe(look(app)));
  expect(watch.inPass(() => look(app))).not.toBe(watch.inPass(() => look(app)));
});

test('charts without balancers before the first with one cost no rendering each', () => {
  filesWritten((outdir) => {
    const app = new App({ outdir });
    for (let i = 0; i < 40; i++) {
      new ApiObject(new Chart(app, `empty${i}`), 'Map', { apiVersion: 'v1', kind: 'ConfigMap' });
    }
    const { renderings } = counted(new Chart(app, 'last'));
    app.synth();
    expect(renderings()).toBeLessThan(8);
  });
});

test('a synth that failed leaves nothing behind for the next', () => {
  const chart = new Chart(new App(), 'a');
  const service = new LoadBalancedService(chart, 'Echo', { ...port, ports: [{ port: 70000 }] });
  expect(() => Testing.synth(chart)).toThrow('70000 is not a valid port');
  service.addJsonPatch(JsonPatch.replace('/spec/ports/0/port', 7000));
  expect(Testing.synth(chart)[0].spec.ports[0].port).toBe(7000);
});

test('a synth that failed for another construct leaves nothing behind either', () => {
  const app = new App();
  const chart = new Chart(app, 'a');
  const { service } = counted(chart);
  const errors = ['not yet'];
  chart.node.addValidation({ validate: () => errors });
  expect(() => app.synthYaml()).toThrow('not yet');
  errors.pop();
  service.metadata.addLabel('tier', 'two');
  expect(app.synthYaml()).toContain('tier: two');
});

test('an object that is broken after its chart was rendered cannot be written', () => {
  const app = new App();
  const [first, second] = ['a', 'b'].map((id) => new Chart(app, id));
  const { service } = counted(first);
  counted(second);
  Testing.synth(first);
  service.addJsonPatch(JsonPatch.add('/spec/loadBalancerClass', 'service.k8s.aws/nlb'));
  expect(() => Testing.synth(first)).toThrow('claimed-by-owner');
});

test('an object can be asked for its JSON outside of a synth', () => {
  const { service } = counted(new Chart(new App(), 'a'));
  const asked: ApiObject = service;
  expect(asked.toJson().spec.type).toBe('LoadBalancer');
});

describe('cdk8s validates the app before each chart; with a balancer in it', () => {
  const appOf = (outdir: string) => {
    const app = new App({ outdir });
    const charts = ['a', 'b', 'c', 'd'].map((id) => new Chart(app, id));
    for (const chart of charts) {
      counted(chart);
    }
    let asked = 0;
    charts[3].node.addValidation({ validate: () => [asked++].filter(() => false).map(String) });
    return { app, charts, asked: () => asked };
  };

  test('it is validated at first and before the first chart', () => {
    filesWritten((outdir) => {
      const { app, asked } = appOf(outdir);
      app.synth();
      expect(asked()).toBe(2);
    });
  });

  test('a chart to which a lazy value adds an object is validated, and written with it', () => {
    const files = filesWritten((outdir) => {
      const { app, charts, asked } = appOf(outdir);
      const produce = () => {
        new ApiObject(charts[2], 'Late', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'late' } });
        return 'now';
      };
      new ApiObject(charts[1], 'Lazy', { apiVersion: 'v1', kind: 'ConfigMap', data: { made: Lazy.any({ produce }) } });
      app.synth();
      expect(asked()).toBe(3);
    });
    expect(files['c.k8s.yaml']).toContain('name: late');
  });

  test('a Service that a lazy value adds to a later chart is judged like the others', () => {
    filesWritten((outdir) => {
      const { app, charts } = appOf(outdir);
      const produce = () => {
        new LoadBalancedService(charts[2], 'Late', { ...port, name: 'Not_A_Name' });
        return 'now';
      };
      new ApiObject(charts[1], 'Lazy', { apiVersion: 'v1', kind: 'ConfigMap', data: { made: Lazy.any({ produce }) } });
      expect(() => app.synth()).toThrow('service-name');
    });
  });

  test('a chart alone is validated each time', () => {
    const { charts, asked } = appOf('unused');
    charts[0].toJson();
    charts[0].toJson();
    expect(asked()).toBe(2);
  });
});
