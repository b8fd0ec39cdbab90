// Checks that the folders of a source tree build on each other one way: part of npm run lint.
// Usage: node scripts/check-layers.mjs [directory…]
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { parseSync } from 'oxc-parser';

/** The CLI and all packages. */
const allTrees = async () => ['src', ...(await readdir('packages')).map((name) => `packages/${name}/src`)];

/**
 * An import from one layer to another. A layer is a folder at the top of the tree, or a file beside those folders.
 * @typedef {{ from: string, to: string, file: string, line: number, specifier: string }} Edge
 */

/** The imports of a module that are there at run time: `import type` is not one, `import()` is. */
function valueImports(file, text) {
  const { module } = parseSync(file, text);
  const { staticImports, staticExports, dynamicImports } = module;
  return [
    ...staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest),
    ...staticExports.flatMap(({ entries }) =>
      entries.filter(({ isType }) => !isType).flatMap(({ moduleRequest }) => moduleRequest ?? []),
    ),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      value: text.slice(start + 1, end - 1),
      start,
    })),
  ].map(({ value, start }) => ({ specifier: value, line: text.slice(0, start).split('\n').length }));
}

/** @returns {Promise<Edge[]>} */
async function edgesOf(root) {
  const names = await readdir(root, { recursive: true });
  const files = names.filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts')).toSorted();
  const edges = await Promise.all(
    files.map(async (name) => {
      const file = path.join(root, name);
      const imports = valueImports(file, await readFile(file, 'utf8'));
      return imports
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map((each) => ({ ...each, file, target: path.join(path.dirname(name), each.specifier) }))
        .filter(({ target }) => !target.startsWith('..'))
        .map(({ target, ...each }) => ({ ...each, from: layerOf(name), to: layerOf(target) }))
        .filter(({ from, to }) => from !== to);
    }),
  );
  return edges.flat();
}

function layerOf(name) {
  return name.split(path.sep)[0];
}

/**
 * A shortest ring through every layer that is in one, without those that meet a ring found before.
 * @param {Edge[]} edges
 * @returns {Edge[][]} each edge ends where the next one starts, and the last where the first starts.
 */
function ringsIn(edges) {
  const inRing = new Set();
  const rings = [];
  for (const layer of new Set(edges.map(({ from }) => from))) {
    const ring = inRing.has(layer) ? undefined : shortestWayBack(edges, layer);
    if (!ring) continue;
    for (const { from } of ring) inRing.add(from);
    rings.push(ring);
  }
  return rings;
}

/** Breadth first; undefined if no way leads back to the layer. */
function shortestWayBack(edges, layer) {
  const ways = [[]];
  const seen = new Set();
  for (const way of ways) {
    const end = way.at(-1)?.to ?? layer;
    if (way.length > 0 && end === layer) return way;
    for (const edge of edges) {
      if (edge.from !== end || seen.has(edge.to)) continue;
      seen.add(edge.to);
      ways.push([...way, edge]);
    }
  }
  return undefined;
}

function reportOf(root, ring) {
  return [
    `${root}: ${[...ring, ring[0]].map(({ from }) => from).join(' -> ')}`,
    ...ring.map(({ file, line, from, to }) => `  ${file}:${line} imports ${to} into ${from}`),
  ].join('\n');
}

const args = process.argv.slice(2);
const found = await Promise.all(
  (args.length > 0 ? args : await allTrees()).map(async (root) =>
    ringsIn(await edgesOf(root)).map((ring) => reportOf(root, ring)),
  ),
);
const reports = found.flat();
if (reports.length > 0) {
  console.error(`Folders import each other in a ring:\n\n${reports.join('\n\n')}\n`);
  console.error(
    'Move what the lower folder needs into it or below it, or let it declare an interface that the upper one implements.',
  );
  process.exitCode = 1;
}
