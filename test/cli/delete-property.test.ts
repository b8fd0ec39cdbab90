import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { memoryFileSystem } from '../support/memory-file-system.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { run } from '../support/run.ts';

/** Few, because a sequence is a dozen commands. */
const runCount = propertyRuns(6);
const root = '/home/me/ship';

/** What a command created, and what creates it again. */
interface Creation {
  /** Identifies what it creates; undefined for a setting, which stays. */
  readonly id: string | undefined;
  readonly commands: readonly (readonly string[])[];
}

const gvk = (group: string, version: string, kind: string): string[] => [
  '--group',
  group,
  '--version',
  version,
  '--kind',
  kind,
];
const own = (version: string, kind: string): string[] => gvk('crew', version, kind);
const certificate = gvk('cert-manager', 'v1', 'Certificate');

const kinds = ['Captain', 'JobWatcher'];
const kindFlags: Record<string, readonly string[]> = { Captain: ['--short-name', 'cpt'], JobWatcher: [] };

/** What a sequence consists of. A step that does not apply to a project is skipped. */
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constant('kind'), fc.constantFrom(...kinds), fc.constantFrom('1', '2')),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(
      fc.constant('webhook'),
      fc.constantFrom(...kinds),
      fc.constantFrom('--defaulting', '--programmatic-validation'),
    ),
  },
  fc.tuple(fc.constant('conversion'), fc.constantFrom(...kinds), fc.constant('')),
  fc.tuple(fc.constant('controller'), fc.constantFrom(...kinds), fc.constant('')),
  fc.tuple(fc.constant('foreign'), fc.constantFrom('Deployment', 'Pod', 'Certificate'), fc.constant('')),
  fc.tuple(
    fc.constant('setting'),
    fc.constantFrom('--multigroup', '--multigroup=false', '--namespaced', '--namespaced=false'),
    fc.constant(''),
  ),
  fc.tuple(fc.constant('olm'), fc.constantFrom('--olm', '--olm=false'), fc.constant('')),
  { weight: 6, arbitrary: fc.tuple(fc.constant('delete'), fc.nat(20).map(String), fc.constant('')) },
);
type Step = readonly [string, string, string];

const create = (...words: string[]): readonly string[] => ['create', ...words];

/** The project as commands leave it, and the commands that would have created only what it has. */
class Session {
  readonly fs;
  live: Creation[] = [];

  constructor(start = bare) {
    this.fs = memoryFileSystem(start);
  }

  async run(...args: string[]): Promise<void> {
    const { code, stderr } = await run(root, args, { fs: this.fs });
    if (code !== 0 || stderr !== '') throw new Error(`${args.join(' ')}: ${stderr}`);
  }

  has(id: string): boolean {
    return this.live.some((creation) => creation.id === id);
  }

  async create(id: string | undefined, ...commands: (readonly string[])[]): Promise<void> {
    if (id !== undefined && this.has(id)) return;
    for (const command of commands) await this.run(...command);
    this.live.push({ id, commands });
  }

  /** Deletes something, unless something else needs it. */
  async delete(id: string): Promise<void> {
    const [what = '', kind = '', detail = ''] = id.split(' ');
    const isNeeded = (other: Creation): boolean => other.id?.split(' ')[1] === kind && other.id !== id;
    const versions = (this.find(id)?.commands ?? []).map((words) => words[5] ?? '');
    switch (what) {
      case 'kind':
        if (this.live.some((other) => isNeeded(other) && !other.id?.startsWith('controller '))) return;
        return this.deleteVersion(id, kind, versions);
      case 'webhook':
        await this.run('delete', 'webhook', ...own('v1', kind), detail);
        break;
      case 'conversion':
        await this.run('delete', 'webhook', ...own('v1', kind), '--conversion');
        break;
      case 'controller':
        await this.run('delete', 'api', ...own(detail, kind), '--controller-name', controllerName(kind));
        break;
      case 'olm':
        await this.run('edit', '--olm=false');
        break;
      case 'Pod':
        await this.run('delete', 'webhook', ...gvk('core', 'v1', 'Pod'), '--programmatic-validation');
        break;
      case 'Deployment':
        await this.run('delete', 'api', ...gvk('apps', 'v1', 'Deployment'));
        break;
      case 'Certificate':
        await this.run('delete', 'api', ...certificate);
    }
    this.live = this.live.filter((other) => other.id !== id);
  }

  /** Deletes the first version of a kind. Another version gets its controllers. */
  async deleteVersion(id: string, kind: string, [first = '', heir]: readonly string[]): Promise<void> {
    await this.run('delete', 'api', ...own(first, kind));
    this.live = this.live.flatMap((creation) => {
      const owner = `controller ${kind} ${first}`;
      if (heir === undefined) return creation.id === id || creation.id === owner ? [] : [creation];
      if (creation.id === owner) return [namedController(kind, heir)];
      const flags = kindFlags[kind] ?? [];
      return creation.id === id
        ? [{ id, commands: [create('api', ...own(heir, kind), ...flags)] }]
        : [creation];
    });
  }

  find(id: string): Creation | undefined {
    return this.live.find((creation) => creation.id === id);
  }

  versionsOf(kind: string): string[] {
    return (this.find(`kind ${kind}`)?.commands ?? []).map((words) => words[5] ?? '');
  }

  async do([what, which, detail]: Step): Promise<void> {
    const versions = this.versionsOf(which);
    const [first] = versions;
    switch (what) {
      case 'kind': {
        const second = detail === '2' ? [create('api', ...own('v2', which))] : [];
        const flags = kindFlags[which] ?? [];
        return this.create(`kind ${which}`, create('api', ...own('v1', which), ...flags), ...second);
      }
      case 'webhook':
        if (first !== 'v1') return;
        return this.create(`webhook ${which} ${detail}`, create('webhook', ...own('v1', which), detail));
      case 'conversion': {
        if (versions.length < 2) return;
        const flags = ['--conversion', '--spoke', 'v2'];
        return this.create(`conversion ${which}`, create('webhook', ...own('v1', which), ...flags));
      }
      case 'controller': {
        if (first === undefined) return;
        const { id, commands } = namedController(which, first);
        return this.create(id, ...commands);
      }
      case 'foreign':
        return this.create(which, foreign[which] ?? []);
      case 'setting':
        return this.create(undefined, ['edit', which]);
      case 'olm':
        return which === '--olm' ? this.create('olm', ['edit', '--olm']) : this.deleteIfThere('olm');
      default: {
        const deletable = this.live.flatMap(({ id }) => id ?? []);
        const id = deletable[Number(which) % deletable.length];
        if (id !== undefined) await this.delete(id);
      }
    }
  }

  async deleteIfThere(id: string): Promise<void> {
    if (this.has(id)) await this.delete(id);
  }
}

const controllerName = (kind: string): string => `${kind.toLowerCase()}-backup`;
const namedController = (kind: string, version: string): Creation => ({
  id: `controller ${kind} ${version}`,
  commands: [
    create('api', ...own(version, kind), '--resource=false', '--controller-name', controllerName(kind)),
  ],
});
const foreign: Record<string, readonly string[]> = {
  Deployment: create('api', ...gvk('apps', 'v1', 'Deployment'), '--resource=false'),
  Pod: create('webhook', ...gvk('core', 'v1', 'Pod'), '--programmatic-validation'),
  Certificate: create('api', ...certificate, '--resource=false', '--external-api-domain', 'io'),
};

/** A new project. */
let bare: Record<string, string>;
beforeAll(async () => {
  const fs = memoryFileSystem({ '/': '', '/home/': '', '/home/me/': '' });
  const init = ['init', 'ship', '--skip-install', '--domain', 'example.com'];
  const { code, stderr } = await run('/home/me', init, { fs });
  if (code !== 0) throw new Error(stderr);
  // Tarballs are of no interest here, and large.
  bare = Object.fromEntries(Object.entries(fs.content()).filter(([path]) => !path.endsWith('.tgz')));
});

/** Only what differs, so a failure can be read. */
function differences(actual: Record<string, string>, expected: Record<string, string>): object {
  const paths = new Set([...Object.keys(actual), ...Object.keys(expected)]);
  return Object.fromEntries(
    [...paths]
      .filter((path) => actual[path] !== expected[path])
      .map((path) => [path, { actual: actual[path], expected: expected[path] }]),
  );
}

/** Edits of files that several commands share. Each is there no matter what other commands add and remove. */
const edits: Record<string, (text: string) => string> = {
  PROJECT: (text) => `# ours\n${text}x-team: fleet # ours\n`,
  'config/rbac/kustomization.yaml': (text) =>
    text.replace('resources:\n', 'resources: # all\n  - ours.yaml # ours\n'),
  'config/default/kustomization.yaml': (text) => `# ours\n${text}images:\n  - name: ours\n`,
  'config/network-policy/kustomization.yaml': (text) => text.replaceAll('\n', '\r\n'),
  'src/controllers/index.ts': (text) => text.replace('const controllers', '// ours\nconst controllers'),
  'src/webhooks/index.ts': (text) => `${text}\nexport const ours = [1];\n`,
  'src/main.ts': (text) => `${text}// ours\n`,
  'package.json': (text) => text.replace('"scripts": {', '"scripts": {\n    "ours": "true",'),
  Makefile: (text) => `# ours\n${text}`,
  'README.md': (text) => `${text}\nOurs.\n`,
};

describe('any sequence of creates and deletes', () => {
  test('leaves the project as if the deleted had never been', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
        const session = new Session();
        for (const words of steps) await session.do(words);
        const expected = new Session();
        for (const { commands } of session.live) for (const words of commands) await expected.run(...words);
        expect(differences(session.fs.content(), expected.fs.content())).toEqual({});
      }),
      { numRuns: runCount },
    );
  });

  test('keeps the edits of the author in shared files', { timeout: 240_000 }, async () => {
    const edited = (text: string, path: string): string =>
      Buffer.from(edits[path]!(Buffer.from(text, 'latin1').toString('utf8'))).toString('latin1');
    const paths = Object.keys(edits).map((path) => `${root}/${path}`);
    const withEdits = (files: Record<string, string>, chosen: readonly string[]): Record<string, string> => ({
      ...files,
      ...Object.fromEntries(chosen.map((path) => [path, edited(files[path]!, path.slice(root.length + 1))])),
    });
    // The new setting replaces files of init, edited or not.
    const steps = fc
      .array(step, { minLength: 6, maxLength: 12 })
      .map((all) => all.filter(([what]) => what !== 'setting'));
    await fc.assert(
      fc.asyncProperty(steps, fc.subarray(paths, { minLength: 2 }), async (before, chosen) => {
        const session = new Session(withEdits(bare, chosen));
        for (const words of before) await session.do(words);
        const expected = new Session(withEdits(bare, chosen));
        for (const { commands } of session.live) for (const words of commands) await expected.run(...words);
        expect(differences(session.fs.content(), expected.fs.content())).toEqual({});
        for (const path of chosen) expect(session.fs.content()[path]).toMatch(/ours|\r\n/i);
      }),
      { numRuns: runCount },
    );
  });
});
