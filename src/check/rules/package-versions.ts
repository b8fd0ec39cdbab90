import { posix } from 'node:path';
import { isData } from '../../project/yaml/data.ts';
import { packageVersion } from '../../version.ts';
import type { Problem } from '../finding.ts';
import type { ProjectView } from '../project-view.ts';

const manifestFile = 'package.json';
const lockFile = 'package-lock.json';

/** A dependency on a package of ots. */
interface Dependency {
  readonly name: string;
  /** As package.json states it. */
  readonly range: string;
  /** Undefined for a range such as `latest`. */
  readonly version: string | undefined;
  readonly line: number;
}

const isOfOts = (name: string): boolean => /^ots(?:-(?:runtime|kubernetes|apiserver|testing))?$/.test(name);

/** Checks that the packages of ots have one version, which is that of the command, and that their archives are there. */
export function checkPackageVersions(view: ProjectView): Problem[] {
  const text = view.read(manifestFile);
  if (text === undefined)
    return [
      problem(1, `${manifestFile} is missing`, `Restore it, for example with git checkout ${manifestFile}.`),
    ];
  const manifest = parse(text);
  if (!manifest) return [problem(1, `${manifestFile} is not valid JSON`, `Correct ${manifestFile}.`)];
  const dependencies = dependenciesIn(manifest, text);
  return [
    ...versionProblems(dependencies),
    ...archiveProblems(view, dependencies),
    ...lockProblems(view, dependencies),
  ];
}

function versionProblems(dependencies: readonly Dependency[]): Problem[] {
  const known = dependencies.filter(({ version }) => version !== undefined);
  const command = known.find(({ name }) => name === 'ots');
  const wanted = command?.version ?? known[0]?.version;
  const different = known
    .filter(({ version }) => version !== wanted)
    .map(({ name, version, line }) =>
      problem(
        line,
        `${name} has version ${version}, but ${(command ?? known[0])?.name} has ${wanted}`,
        'The packages of ots work together in one version only: write the same version for all.',
      ),
    );
  if (!command || command.version === packageVersion) return different;
  return [
    ...different,
    {
      ...problem(
        command.line,
        `The project uses ots ${command.version}, but this command is ots ${packageVersion}`,
        'Run it with npx ots check, or npm run check.',
      ),
      severity: 'warning',
    },
  ];
}

/** Archives that package.json names must be in the repository. */
function archiveProblems(view: ProjectView, dependencies: readonly Dependency[]): Problem[] {
  return dependencies.flatMap(({ name, range, line }) => {
    if (!range.startsWith('file:')) return [];
    const file = posix.normalize(range.slice('file:'.length));
    if (file.startsWith('..') || view.exists(file) || view.list(file).length > 0) return [];
    return [
      problem(
        line,
        `${name} comes from ${file}, which does not exist`,
        `Restore it, for example with git checkout ${file}, and commit it.`,
      ),
    ];
  });
}

/** npm ci refuses a lock file that does not fit, but not an older archive of the same name. */
function lockProblems(view: ProjectView, dependencies: readonly Dependency[]): Problem[] {
  const text = view.read(lockFile);
  const lock = text === undefined ? undefined : parse(text);
  if (text === undefined) return [];
  if (!lock)
    return [problem(1, `${lockFile} is not valid JSON`, 'Run npm install and commit the result.', lockFile)];
  const packages = isData(lock['packages']) ? lock['packages'] : {};
  return dependencies.flatMap(({ name, version }) => {
    const locked = packages[`node_modules/${name}`];
    const found = isData(locked) ? locked['version'] : undefined;
    if (version === undefined || found === version) return [];
    const has = typeof found === 'string' ? `has ${name} ${found}` : `does not have ${name}`;
    const line = lineOf(text, `"node_modules/${name}"`);
    return [
      problem(
        line,
        `${lockFile} ${has}, but ${manifestFile} wants ${version}`,
        'Run npm install and commit the result.',
        lockFile,
      ),
    ];
  });
}

function dependenciesIn(manifest: Record<string, unknown>, text: string): Dependency[] {
  const sections = [manifest['dependencies'], manifest['devDependencies']].filter(isData);
  return sections.flatMap((section) =>
    Object.entries(section).flatMap(([name, range]) =>
      isOfOts(name) && typeof range === 'string'
        ? [
            {
              name,
              range,
              version: /\d+\.\d+\.\d+(?:-[\w.]*\w)?(?=\.tgz|$)/.exec(range)?.[0],
              line: lineOf(text, `"${name}": "${range}"`),
            },
          ]
        : [],
    ),
  );
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isData(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The line of a text; 1 if it is written in another way. */
function lineOf(text: string, part: string): number {
  const at = text.indexOf(part);
  return at < 0 ? 1 : text.slice(0, at).split('\n').length;
}

function problem(line: number, message: string, hint: string, file = manifestFile): Problem {
  return { file, line, severity: 'error', message, hint };
}
