import { join } from 'node:path';
import { downloadedModules } from '../../scripts/go/go-modules';
import { FakeGo } from './fake-go';

const environment = process.env;
let go: FakeGo;

beforeEach(() => {
  go = new FakeGo();
  process.env = { ...environment, ...go.environment };
});

afterEach(() => {
  process.env = environment;
  go.remove();
});

test('modules are found by name', () => {
  expect(downloadedModules(go.module, ['example.com/a'])).toEqual({ 'example.com/a': '/modules/a' });
});

test('a module that cannot be downloaded is told with a way out', () => {
  go.install('go1.26.8', 'no-download');
  process.env.GOPROXY = 'https://proxy.example';
  expect(() => downloadedModules(go.module, ['example.com/a'])).toThrow(
    `the download of example.com/a, which ${join(go.module, 'go.mod')} pins, failed, since go could not download: ` +
      'set GOPROXY to a module proxy that this machine reaches (it is https://proxy.example now)\n',
  );
});

test('a module that go says nothing of is told', () => {
  expect(() => downloadedModules(go.module, ['example.com/b'])).toThrow(/^the download of example\.com\/b, .* failed$/);
});
