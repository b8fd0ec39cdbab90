import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { errorMessage } from '../errors/error-message.ts';
import { ConnectionConfigError } from './connection-config-error.ts';

/** A mapping of a kubeconfig, not yet trusted to have any particular shape. */
type Section = Record<string, unknown>;

/** A named entry of `clusters`, `users` or `contexts`, and the folder that its relative paths start from. */
export interface Entry {
  body: Section;
  directory: string;
  file: string;
}

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
  const merged: Kubeconfig = {
    files,
    currentContext: undefined,
    clusters: new Map(),
    users: new Map(),
    contexts: new Map(),
  };
  for (const file of files) merge(merged, file, await parse(file));
  return merged;
}

function isSection(value: unknown): value is Section {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function parse(file: string): Promise<Section> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new ConnectionConfigError(
      `cannot read the kubeconfig ${file}: ${errorMessage(error)}`,
      'Check the path in --kubeconfig or KUBECONFIG, and who may read the file.',
      error,
    );
  }
  // Loaded here because most operators run in a pod, where there is no YAML to read.
  const { parse: parseYaml } = await import('yaml');
  let content: unknown;
  try {
    content = parseYaml(text);
  } catch (error) {
    throw malformed(file, `not valid YAML: ${errorMessage(error).split('\n')[0] ?? ''}`, error);
  }
  if (!isSection(content)) throw malformed(file, 'expected a mapping with clusters, users and contexts');
  return content;
}

function merge(into: Kubeconfig, file: string, content: Section): void {
  const current = content['current-context'];
  if (!into.currentContext && typeof current === 'string') into.currentContext = current;
  collect(into.clusters, file, content, 'clusters', 'cluster');
  collect(into.users, file, content, 'users', 'user');
  collect(into.contexts, file, content, 'contexts', 'context');
}

function collect(into: Map<string, Entry>, file: string, content: Section, list: string, key: string): void {
  const entries = content[list] ?? [];
  if (!Array.isArray(entries)) throw malformed(file, `${list} is not a list`);
  for (const entry of entries as unknown[]) {
    if (!isSection(entry) || typeof entry['name'] !== 'string')
      throw malformed(file, `an entry of ${list} has no name`);
    const body = entry[key] ?? {};
    if (!isSection(body)) throw malformed(file, `${key} of ${entry['name']} is not a mapping`);
    if (!into.has(entry['name'])) into.set(entry['name'], { body, directory: dirname(resolve(file)), file });
  }
}

function malformed(file: string, what: string, cause?: unknown): ConnectionConfigError {
  return new ConnectionConfigError(
    `the kubeconfig ${file} is malformed: ${what}`,
    'Compare it with the output of `kubectl config view`.',
    cause,
  );
}
