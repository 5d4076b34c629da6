import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTEXT, Folder, Repository, service } from './repository';

const ECHO = service('echo');

describe('a revision against the working tree', () => {
  test('what nobody touched is kept', () => {
    const repository = new Repository({ 'k8s/echo.yaml': ECHO });
    expect(repository.diff(['--git', 'main'])).toMatchObject({ code: 0, out: expect.stringContaining('1 kept') });
  });

  test('what is new is created, and what is gone is lost, each with its file', () => {
    const repository = new Repository({ 'k8s/echo.yaml': ECHO, 'k8s/other.yaml': service('other') });
    repository.write({ 'k8s/other.yaml': undefined, 'k8s/web.yaml': service('web', { port: 80, namespace: 'shop' }) });
    const { changes, before, after } = repository.json('--git', 'main', '--prune');
    expect(changes.map(({ title, outcome }) => [title, outcome])).toEqual([
      ['edge/other', 'deleted'],
      ['shop/web', 'created'],
      ['edge/echo', 'kept'],
    ]);
    expect(changes[0].before?.place).toEqual({
      file: 'k8s/other.yaml',
      line: 1,
      column: 1,
      shown: 'main:k8s/other.yaml:1',
    });
    expect(changes[1].after?.place.shown).toBe('k8s/web.yaml:1');
    expect([before.name, after.name]).toEqual(['main', 'the working tree']);
    expect(repository.diff(['--git', 'main', '--prune']).code).toBe(1);
  });

  test('a folder is asked for from where one is', () => {
    const repository = new Repository({ 'k8s/echo.yaml': ECHO, 'other/web.yaml': service('web') });
    expect(JSON.parse(repository.diff(['--git', 'main', '--format', 'json'], 'k8s').out).before.balancers).toBe(1);
    expect(JSON.parse(repository.diff(['--git', 'main', '../other', '--format', 'json'], 'k8s').out).changes).toEqual([
      expect.objectContaining({ title: 'edge/web', outcome: 'kept' }),
    ]);
    expect(repository.outcomes('--git', 'main', join(repository.path, 'other'))).toEqual({ 'edge/web': 'kept' });
    expect(repository.outcomes('--git', 'main', '*/e*.yaml')).toEqual({ 'edge/echo': 'kept' });
  });

  test('files that git ignores, hidden ones and those of packages are on neither side', () => {
    const repository = new Repository({ 'k8s/echo.yaml': ECHO, '.gitignore': 'dist/\n', '.ci/a.yaml': service('a') });
    repository.write({ 'dist/b.yaml': service('b'), 'node_modules/c.yaml': service('c'), 'new/d.yaml': service('d') });
    expect(repository.outcomes('--git', 'main')).toEqual({ 'edge/echo': 'kept', 'edge/d': 'created' });
    expect(repository.outcomes('--git', 'main', '.ci')).toEqual({ 'edge/a': 'kept' });
  });

  test('a folder that the revision has not is new as a whole, and says so', () => {
    const repository = new Repository({ 'k8s/echo.yaml': ECHO }).write({ 'new/web.yaml': service('web') });
    const { changes, notes } = repository.json('--git', 'main', 'new');
    expect(changes.map(({ outcome }) => outcome)).toEqual(['created']);
    expect(notes).toContain('new: not in main; if it was moved, name its other path as well');
    repository.write({ 'k8s/echo.yaml': undefined, 'new/echo.yaml': ECHO });
    expect(repository.outcomes('--git', 'main', 'new', 'k8s')).toEqual({ 'edge/web': 'created', 'edge/echo': 'kept' });
  });

  test('a link to a file is that file, and one out of the repository is not read', () => {
    const repository = new Repository({ 'base/echo.yaml': ECHO, 'k8s/readme.txt': '' });
    symlinkSync('../base/echo.yaml', join(repository.path, 'k8s/echo.yaml'));
    repository.commit();
    expect(repository.outcomes('--git', 'main', 'k8s')).toEqual({ 'edge/echo': 'kept' });
    symlinkSync('nowhere.yaml', join(repository.path, 'k8s/broken.yaml'));
    repository.commit();
    expect(repository.diff(['--git', 'main', 'k8s']).code).toBe(0);
    symlinkSync(
      join(new Folder({ 'web.yaml': service('web') }).path, 'web.yaml'),
      join(repository.path, 'k8s/web.yaml'),
    );
    repository.commit();
    const { out, code } = repository.diff(['--git', 'main', 'k8s']);
    expect(out).toContain('main:k8s/web.yaml:1:1  cannot be read');
    expect([out.includes('CREATED'), code]).toEqual([false, 2]);
  });
});

describe('two revisions', () => {
  const repository = new Repository({ 'k8s/echo.yaml': ECHO });
  beforeAll(() => {
    repository.git('checkout', '-q', '-b', 'topic');
    repository.commit({ 'k8s/web.yaml': service('web') });
    repository.git('checkout', '-q', 'main');
    repository.commit({ 'k8s/echo.yaml': ECHO, 'k8s/other.yaml': service('other') });
    repository.write({ 'k8s/third.yaml': service('third') });
  });

  test.each([
    ['main..topic', { 'edge/echo': 'kept', 'edge/other': expect.not.stringMatching('kept'), 'edge/web': 'created' }],
    ['main...topic', { 'edge/echo': 'kept', 'edge/web': 'created' }],
    ['main~1..main', { 'edge/echo': 'kept', 'edge/other': 'created' }],
    ['main~1..', { 'edge/echo': 'kept', 'edge/other': 'created' }],
    ['main~1', { 'edge/echo': 'kept', 'edge/other': 'created', 'edge/third': 'created' }],
  ])('%s', (range, outcomes) => expect(repository.outcomes('--git', range, '--prune')).toMatchObject(outcomes));
});

describe('the context file', () => {
  test('is that of the revision where there is one, else that of the newer side', () => {
    const repository = new Repository({ 'k8s/echo.yaml': ECHO });
    repository.write({ 'load-balancers.yaml': CONTEXT });
    expect(repository.json('--git', 'main', 'k8s').context.map(({ from }) => from)).toEqual(['load-balancers.yaml']);
    repository.commit().write({ 'load-balancers.yaml': 'controllers: [metallb]\n' });
    const { context, changes } = repository.json('--git', 'main', 'k8s');
    expect(context.map(({ from }) => from)).toEqual([
      'load-balancers.yaml of the working tree',
      'load-balancers.yaml of main',
    ]);
    expect(changes[0].before?.owner).toBe('aws-load-balancer-controller');
    expect(changes[0].after?.owner).not.toBe('aws-load-balancer-controller');
  });

  test('a mistake in that of the newer side is one of usage; one that was mended is a note', () => {
    const repository = new Repository({ 'k8s/echo.yaml': ECHO, 'load-balancers.yaml': 'controlers: []\n' });
    expect(repository.diff(['--git', 'main'])).toMatchObject({
      code: 2,
      error: expect.stringContaining('load-balancers.yaml:1:1: controlers is unknown; write controllers'),
    });
    repository.write({ 'load-balancers.yaml': CONTEXT });
    expect(repository.json('--git', 'main').notes).toEqual([
      'main:load-balancers.yaml:1:1: controlers is unknown; write controllers; the file of the newer side is used for both',
    ]);
  });
});

describe('what a revision has and cannot be read', () => {
  test('a submodule is named, and one of another commit fails', () => {
    const inner = new Repository({ 'echo.yaml': ECHO });
    const repository = new Repository({ 'k8s/echo.yaml': ECHO });
    repository.git('submodule', '--quiet', 'add', inner.path, 'vendor');
    repository.commit();
    const { notes, changes } = repository.json('--git', 'main');
    expect(notes).toEqual(['vendor is a submodule, of the same commit on both sides; it is not looked into']);
    expect(changes).toHaveLength(1);
    inner.commit({ 'web.yaml': service('web') });
    repository.git('-C', 'vendor', 'pull', '-q');
    expect(repository.diff(['--git', 'main']).code).toBe(2); // the working tree has it, and the index not yet
    repository.git('add', 'vendor');
    const { out, code } = repository.diff(['--git', 'main']);
    expect(code).toBe(2);
    expect(out).toMatch(
      /vendor:1:1 {2}cannot be read\n.*is a submodule, of commit [0-9a-f]{10} in the working tree alone/,
    );
  });

  test('a pointer of Git LFS: what it stands for is not created', () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 123\n`;
    const repository = new Repository({ 'k8s/echo.yaml': pointer });
    repository.write({ 'k8s/echo.yaml': ECHO });
    expect(repository.outcomes('--git', 'main')).toEqual({ 'edge/echo': 'unknown' });
    expect(repository.diff(['--git', 'main']).out).toContain('main:k8s/echo.yaml:1:1  cannot be read');
  });
});

test('a template of a chart that no source has is noted, and changes no result', () => {
  const template = 'apiVersion: v1\nkind: Service\nmetadata: { name: {{ .Release.Name }} }\n';
  const repository = new Repository({ 'k8s/web/Chart.yaml': 'name: web\n', 'k8s/web/templates/a.yaml': template });
  repository.commit({ 'k8s/echo.yaml': ECHO });
  repository.write({ 'k8s/web/templates/a.yaml': `${template}spec: {}\n` });
  const { code, out } = repository.diff(['--git', 'main', 'k8s/echo.yaml', 'k8s/web/templates/a.yaml']);
  expect(out).toContain('k8s/web holds templates; declare the chart as a helm source in load-balancers.yaml');
  expect([code, out.includes('1 kept')]).toEqual([0, true]);
});

describe('is told in words where it', () => {
  const repository = new Repository({ 'k8s/echo.yaml': ECHO, '.gitignore': 'dist/\n' });
  repository.write({ 'dist/echo.yaml': ECHO });

  test.each([
    [['--git', 'mian'], "revision 'mian' is not in this repository; write a branch, a tag or a commit"],
    [['--git', '--output=x'], "revision '--output=x' begins with '-', as no revision does; write one such as main"],
    [['--git', ''], '--git compares nothing: it is empty, as where a variable is not set; write one such as main'],
    [
      ['--git', '..HEAD'],
      "--git compares nothing: '..HEAD' has no older revision, as where a variable is not set; write one such as main",
    ],
    [['--git', 'main..-x'], "revision '-x' begins with '-', as no revision does; write one such as main"],
    [
      ['--git', 'main', 'nowhere'],
      'nowhere is neither in main nor in the working tree; name a path that one of them has',
    ],
    [
      ['--git', 'main', 'dist'],
      'git ignores dist, so main has none of it; render both versions into folders: diff OLD NEW',
    ],
    [['--git', 'main', '-'], 'standard input is in no revision; name files or folders beside --git'],
    [['--git', 'main', '/etc'], `/etc is outside of the repository ${repository.path}; name paths in it`],
  ])('%j', (args, message) => expect(repository.diff(args)).toEqual({ out: '', error: `${message}\n`, code: 2 }));

  test('is outside of a repository', () => {
    expect(new Folder({ 'echo.yaml': ECHO }).diff(['--git', 'main'])).toMatchObject({
      code: 2,
      error: expect.stringContaining('this folder is in no working tree of git; go to one, or name two folders'),
    });
  });

  test('is in a shallow clone, or means a branch that only the remote has', () => {
    const clone = new Folder({});
    rmSync(clone.path, { recursive: true });
    repository.git('branch', '-f', 'topic');
    repository.git('clone', '-q', '--depth', '1', '--no-single-branch', `file://${repository.path}`, clone.path);
    expect(clone.diff(['--git', 'topic']).error).toBe(
      "revision 'topic' is not in this repository; write origin/topic\n",
    );
    expect(clone.diff(['--git', 'gone']).error).toContain('the clone is shallow: fetch the whole history');
  });
});

test('names of files are never options, patterns or commands', () => {
  const repository = new Repository({ 'k8s/--output=x.yaml': ECHO, 'k8s/a\tb.yaml': service('tab') });
  mkdirSync(join(repository.path, 'k8s/$(touch x)'));
  writeFileSync(join(repository.path, 'k8s/$(touch x)/web.yaml'), service('web'));
  repository.commit();
  expect(repository.outcomes('--git', 'main', 'k8s')).toEqual({
    'edge/echo': 'kept',
    'edge/tab': 'kept',
    'edge/web': 'kept',
  });
});
