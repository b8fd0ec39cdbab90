// Packs every package as npm does and checks what is in it: npm run check:packages
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { readJson, remove } from 'fs-extra/esm';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const rootDirectory = fileURLToPath(new URL('..', import.meta.url));

const { version } = await readJson(join(rootDirectory, 'package.json'));

/** What a package must hold, and all that it may hold. */
const packages = [
  {
    directory: '.',
    must: [
      'bin/ots.cjs',
      'dist/cli.cjs',
      'dist/dev-page/icon.svg',
      'dist/dev-page/index.html',
      'dist/dev-page/page.css',
      'dist/dev-page/page.js',
      `dist/vendor/ots-${version}.tgz`,
      `dist/vendor/ots-runtime-${version}.tgz`,
      'docs/change-a-project.md',
      'docs/check.md',
      'docs/dev.md',
      'docs/manifests.md',
      'docs/olm.md',
      'docs/torture.md',
      'docs/runtime/README.md',
      'docs/update.md',
      'dist/templates/typescript/init.json',
    ],
    may: /^(package\.json|README\.md|LICENSE|bin\/|dist\/|docs\/(change-a-project|check|dev|manifests|olm|torture|update|runtime\/).*\.md$|docs\/pictures\/.*\.(png|svg)$)/,
  },
  ...['kubernetes', 'cel', 'runtime', 'apiserver', 'testing'].map((name) => ({
    directory: `packages/${name}`,
    must: ['dist/index.js', 'dist/index.d.ts', ...(name === 'runtime' ? ['dist/index.js.map'] : [])],
    may: /^(package\.json|README\.md|LICENSE|dist\/.*\.(js|js\.map|d\.ts|json)$)/,
  })),
];
/** What is bundled because it is not published. Declarations that users reach cannot import it either. */
const unpublished = /['"]ots-apimachinery\b/;
const neverPacked = /\.test\.(js|d\.ts)$|tsbuildinfo$|(^|\/)(node_modules|\.env)/;

async function pack(directory, target) {
  const flags = ['--json', '--ignore-scripts', '--pack-destination', target];
  const { stdout } = await execa('npm', ['pack', ...flags], { cwd: directory });
  const [packed] = Object.values(JSON.parse(stdout));
  return packed;
}

const target = await mkdtemp(join(tmpdir(), 'ots-pack-'));
const problems = [];
try {
  for (const { directory, must, may } of packages) {
    const cwd = join(rootDirectory, directory);
    const { name, files, size } = await pack(cwd, target);
    const paths = files.map(({ path }) => path);
    problems.push(
      ...must.filter((path) => !paths.includes(path)).map((path) => `${name} lacks ${path}`),
      ...paths
        .filter((path) => !may.test(path) || neverPacked.test(path))
        .map((path) => `${name} holds ${path}`),
    );
    for (const path of paths.filter((file) => /\.(js|d\.ts)$/.test(file))) {
      const text = await readFile(join(cwd, path), 'utf8');
      if (unpublished.test(text)) problems.push(`${name} imports ots-apimachinery in ${path}`);
    }
    const manifest = await readJson(join(cwd, 'package.json'));
    const { messages } = await publint({ pkgDir: cwd, strict: true, pack: 'npm' });
    problems.push(
      ...messages.map((message) => `${name}: ${formatMessage(message, manifest, { color: false })}`),
    );
    console.log(`${name}: ${paths.length} files, ${Math.round(size / 1024)} KiB`);
  }
} finally {
  await remove(target);
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}
