import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { UnstructuredObject } from 'ots-runtime';
import { parseAllDocuments } from 'yaml';
import { OtsError } from '../../../errors/ots-error.ts';
import { reasonOf } from '../../../errors/reason-of.ts';
import { oneLine } from '../../../output/one-line.ts';
import { quoted } from '../../../project/names/quoted.ts';
import { textOf, valueOf } from '../../bundle/json.ts';
import type { Release } from './release.ts';

/** Where OLM's manifests come from. */
export interface ManifestSource {
  /** A file, or a directory with YAML files. */
  readonly manifests?: string | undefined;
  readonly version?: string | undefined;
}

/** How to get a file of a release. @throws Error if that fails */
export type Download = (url: string, signal: AbortSignal) => Promise<string>;

/** How to read. */
export interface ReadOptions {
  /** Of relative paths. */
  readonly cwd: string;
  readonly download: Download;
  readonly signal: AbortSignal;
  /** Learns what is about to be downloaded. */
  readonly announce: (text: string) => void;
}

const offline =
  "Check the version and the network, or get the files of OLM's release another way and name them with --manifests.";

/**
 * Reads OLM's manifests from files, or else from its release on GitHub.
 *
 * @throws OtsError `NO_MANIFESTS`, `INVALID_MANIFESTS`, `DOWNLOAD_FAILED`
 */
export async function readManifests(
  source: ManifestSource,
  release: Release,
  options: ReadOptions,
): Promise<UnstructuredObject[]> {
  const texts =
    source.manifests === undefined
      ? await downloadAll(source.version ?? release.version, release, options)
      : await readFiles(source.manifests, options.cwd);
  const objects = texts.flatMap(([name, text]) => objectsIn(name, text));
  if (objects.some(({ kind }) => kind === 'Deployment')) return objects;
  const [name = ''] = texts[0] ?? [];
  throw new OtsError(
    'INVALID_MANIFESTS',
    `${oneLine(source.manifests ?? name)} does not contain ${release.title}`,
    {
      hint: `Name the files of a release: ${release
        .urls('<version>')
        .map((url) => path.basename(url))
        .join(' and ')}.`,
    },
  );
}

type Text = readonly [name: string, text: string];

async function readFiles(manifests: string, cwd: string): Promise<Text[]> {
  const absolute = path.resolve(cwd, manifests);
  const info = await stat(absolute).catch(() => undefined);
  if (info?.isFile()) return [[manifests, await readFile(absolute, 'utf8')]];
  const names = info?.isDirectory() ? (await readdir(absolute)).filter((name) => /\.ya?ml$/.test(name)) : [];
  if (names.length === 0)
    throw new OtsError(
      'NO_MANIFESTS',
      `${quoted(manifests)} ${info ? 'has no YAML files' : 'does not exist'}`,
      { hint: "Name a file or a directory with the YAML files of OLM's release." },
    );
  return Promise.all(
    names
      .toSorted()
      .map(
        async (name) =>
          [path.join(manifests, name), await readFile(path.join(absolute, name), 'utf8')] as const,
      ),
  );
}

async function downloadAll(
  typed: string,
  release: Release,
  { download, signal, announce }: ReadOptions,
): Promise<Text[]> {
  const version = typed.replace(/^v/, '');
  if (!/^\d+\.\d+\.\d+(?:-[-.\w]+)?$/.test(version))
    throw new OtsError('INVALID_VERSION', `${quoted(typed)} is not a version of ${release.title}`, {
      hint: `Use one such as ${release.version}.`,
    });
  const urls = release.urls(version);
  announce(`Downloading ${urls.join(' and ')}`);
  const texts: Text[] = [];
  for (const url of urls) {
    try {
      texts.push([url, await download(url, signal)]);
    } catch (cause) {
      signal.throwIfAborted();
      throw new OtsError('DOWNLOAD_FAILED', `Cannot download ${url}: ${oneLine(reasonOf(cause))}`, {
        hint: offline,
        cause,
      });
    }
  }
  return texts;
}

/** Downloads over HTTPS. Node explains what went wrong in the cause of its error. */
export const downloadText: Download = async (url, signal) => {
  let response: Response;
  try {
    response = await fetch(url, { signal });
  } catch (error) {
    throw error instanceof Error && error.cause instanceof Error ? error.cause : error;
  }
  if (!response.ok) throw new Error(`the server responds ${response.status} ${response.statusText}`.trim());
  return response.text();
};

function objectsIn(name: string, text: string): UnstructuredObject[] {
  const invalid = (problem: string) =>
    new OtsError('INVALID_MANIFESTS', oneLine(`${name}: ${problem}`), {
      hint: "Get the files of OLM's release again: this one is damaged, or another kind of file.",
    });
  return parseAllDocuments(text, { logLevel: 'error' }).flatMap((document) => {
    const [error] = document.errors;
    if (error) throw invalid(error.message.split('\n')[0]!);
    const object: unknown = document.toJS();
    if (object === null || object === undefined) return [];
    if (!isWhole(object)) throw invalid('contains something without apiVersion, kind or metadata.name');
    return [object];
  });
}

function isWhole(object: unknown): object is UnstructuredObject {
  const name = textOf(valueOf(object, 'metadata'), 'name');
  return textOf(object, 'apiVersion') !== '' && textOf(object, 'kind') !== '' && name !== '';
}
