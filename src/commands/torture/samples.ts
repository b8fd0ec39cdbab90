import { posix, relative, resolve, sep } from 'node:path';
import { YamlError, YamlFile } from '../../check/yaml-file.ts';
import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';
import { apiGroup } from '../../project/names/api-group.ts';
import { quoted } from '../../project/names/quoted.ts';
import type { Project } from '../../project/project.ts';
import { isData } from '../../project/yaml/data.ts';
import type { Tree } from '../../scaffold/tree.ts';
import type { Sample } from '../../torture/torture-result.ts';
import { workingDirectory } from '../shared/report-options.ts';
import type { TortureCommandOptions } from './torture-options.ts';

const directory = 'config/samples';

/**
 * The samples that the command line names. Without names, all whose kind has a controller in the project.
 *
 * @throws OtsError `NO_SAMPLES` if there are none, `NO_SUCH_SAMPLE`, `INVALID_SAMPLE`
 */
export function chooseSamples(
  tree: Tree,
  project: Project,
  options: TortureCommandOptions,
  context: Context,
): Sample[] {
  const known = tree
    .list(directory)
    .filter((path) => /\.ya?ml$/.test(path) && !posix.basename(path).startsWith('kustomization.'))
    .flatMap((path) => samplesIn(path, tree, project));
  const names = options.sample ?? [];
  if (names.length > 0) {
    const cwd = workingDirectory(options, context);
    return [...new Set(names.flatMap((name) => samplesNamed(name, known, relativePath(name, cwd, tree))))];
  }
  if (known.length > 0) return known;
  throw new OtsError('NO_SAMPLES', `No object in ${directory} has a controller in this project`, {
    hint: `Add a sample of a kind that the operator reconciles to ${directory}.`,
  });
}

function relativePath(name: string, cwd: string, { root }: Tree): string {
  return relative(root, resolve(cwd, name)).replaceAll(sep, '/');
}

function samplesNamed(name: string, known: readonly Sample[], path: string): Sample[] {
  const found = known.filter(
    ({ file, kind }) => file === path || file === name || kind.toLowerCase() === name.toLowerCase(),
  );
  if (found.length > 0) return found;
  const names = known.map(({ file, kind }) => `${oneLine(file)} (${oneLine(kind)})`);
  throw new OtsError('NO_SUCH_SAMPLE', `${quoted(name)} is not a sample of a kind with a controller`, {
    hint:
      names.length === 0 ? `Add a sample to ${directory}.` : `Use a file or a kind of ${names.join(', ')}.`,
  });
}

/** One for each kind: an operator goes through plans with one object at a time. */
function samplesIn(file: string, tree: Tree, project: Project): Sample[] {
  const kinds = valuesOf(file, tree.read(file) ?? '').flatMap((value) =>
    isData(value) && hasController(value, project) ? [String(value['kind'])] : [],
  );
  return [...new Set(kinds)].map((kind) => ({ file, kind }));
}

function hasController({ apiVersion, kind }: Record<string, unknown>, { resources }: Project): boolean {
  if (typeof apiVersion !== 'string') return false;
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return resources.some(
    (resource) =>
      (resource.controller || resource.controllers.length > 0) &&
      resource.kind === kind &&
      apiGroup(resource) === group,
  );
}

function valuesOf(file: string, text: string): readonly unknown[] {
  try {
    return new YamlFile(file, text).values;
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const { line, column, message } = error;
    throw new OtsError('INVALID_SAMPLE', `${oneLine(file)}:${line}:${column}: The file ${oneLine(message)}`, {
      hint: 'Correct it, or delete it and its entry in config/samples/kustomization.yaml.',
    });
  }
}
