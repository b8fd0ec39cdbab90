import { createReadStream } from 'node:fs';
import type { YAMLParseError } from 'yaml';
import { errorMessage } from '../errors/error-message.ts';
import { ConnectionConfigError } from './connection-config.ts';
import { Entry, type Section, isSection } from './entry.ts';
import { printable } from './printable.ts';

/** In bytes. Much larger than a kubeconfig with thousands of clusters, but too small to exhaust the memory of a pod. */
const maxSize = 10 * 1024 * 1024;

/** Kubeconfig files merged as kubectl does: the first file that names an entry, or a current context, wins. */
export interface Kubeconfig {
  files: string[];
  currentContext: string | undefined;
  clusters: Map<string, Entry>;
  users: Map<string, Entry>;
  contexts: Map<string, Entry>;
}

/** @throws {ConnectionConfigError} when a file is missing, not YAML, or not a kubeconfig. */
export async function readKubeconfigs(files: string[]): Promise<Kubeconfig> {
  const merged = empty(files);
  for (const file of files) merge(merged, file, await parse(file, await read(file)));
  return merged;
}

/**
 * Reads a kubeconfig that is not a file.
 * @param origin what follows "the kubeconfig" in errors.
 * @throws {ConnectionConfigError} when it is not YAML, or not a kubeconfig.
 */
export async function parseKubeconfig(origin: string, text: string): Promise<Kubeconfig> {
  const parsed = empty([origin]);
  if (Buffer.byteLength(text) > maxSize) throw malformed(origin, `it is larger than ${maxSize} bytes`);
  merge(parsed, origin, await parse(origin, text));
  return parsed;
}

function empty(files: string[]): Kubeconfig {
  return {
    files,
    currentContext: undefined,
    clusters: new Map(),
    users: new Map(),
    contexts: new Map(),
  };
}

/** Also reads pipes, as in `--kubeconfig <(command)`, whose size is not known in advance. */
async function read(file: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of createReadStream(file, { end: maxSize }) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
    }
  } catch (error) {
    throw new ConnectionConfigError(
      `Cannot read the kubeconfig ${file}: ${errorMessage(error)}`,
      'Check the path in --kubeconfig or KUBECONFIG, and the permissions of the file.',
      error,
    );
  }
  if (size > maxSize) throw malformed(file, `it is larger than ${maxSize} bytes`);
  return Buffer.concat(chunks).toString('utf8');
}

async function parse(file: string, text: string): Promise<Section> {
  // Loaded here because most operators run in a pod, where there is no YAML to read.
  const { parse: parseYaml } = await import('yaml');
  let content: unknown;
  try {
    // As in kubectl, merge keys (<<) work and the last of two equal keys wins. Warnings are off: they would go to
    // the process and quote the file.
    content = parseYaml(text, { merge: true, uniqueKeys: false, logLevel: 'error' }) ?? {};
  } catch (error) {
    // Omit the parser's error: it quotes the file, which contains secrets.
    const { code, linePos } = error as Partial<YAMLParseError>;
    const at = linePos ? ` at line ${linePos[0].line}, column ${linePos[0].col}` : '';
    throw malformed(file, `not valid YAML${at} (${code ?? 'too deep, or too many aliases'})`);
  }
  if (!isSection(content)) throw malformed(file, 'expected a mapping with clusters, users and contexts');
  return content;
}

function merge(into: Kubeconfig, file: string, content: Section): void {
  const whole = new Entry(content, 'the file', file);
  const kind = whole.text('kind') ?? 'Config';
  if (kind !== 'Config') throw malformed(file, 'its kind is not Config');
  into.currentContext ??= whole.text('current-context');
  collect(into.clusters, file, content, 'clusters', 'cluster');
  collect(into.users, file, content, 'users', 'user');
  collect(into.contexts, file, content, 'contexts', 'context');
}

function collect(into: Map<string, Entry>, file: string, content: Section, list: string, key: string): void {
  const entries = content[list] ?? [];
  if (!Array.isArray(entries)) throw malformed(file, `${list} is not a list`);
  const seen = new Set<string>();
  for (const entry of entries as unknown[]) {
    if (!isSection(entry) || typeof entry['name'] !== 'string') {
      throw malformed(file, `an entry of ${list} has no name`);
    }
    const { name } = entry;
    const what = `${key} ${JSON.stringify(name)}`;
    if (seen.has(name)) throw malformed(file, `${what} appears twice`);
    seen.add(name);
    const body = entry[key] ?? {};
    if (!isSection(body)) throw malformed(file, `${what} is not a mapping`);
    if (!into.has(name)) into.set(name, new Entry(body, what, file));
  }
}

function malformed(file: string, what: string): ConnectionConfigError {
  return new ConnectionConfigError(
    `The kubeconfig ${file} is malformed: ${printable(what)}`,
    'Compare it with the output of `kubectl config view`.',
  );
}
