import { builtinModules } from 'node:module';

const maxPackageNameLength = 214;

/** Packages that a scaffolded project depends on: npm cannot install a package into a package of the same name. */
const dependencies = [
  'ots',
  'ots-runtime',
  'ots-kubernetes',
  'ots-apiserver',
  'ots-testing',
  'oxfmt',
  'oxlint',
  'typescript',
  'vitest',
];
const taken = new Set([...builtinModules, ...dependencies, 'node_modules', 'favicon.ico', 'test']);

/** Whether npm accepts the name for a new package (validate-npm-package-name): lower case, safe in URLs. */
export function isPackageName(name: string): boolean {
  return (
    name.length <= maxPackageNameLength &&
    /^(@[a-z0-9-][a-z0-9-._]*\/)?[a-z0-9-][a-z0-9-._]*$/.test(name) &&
    !taken.has(name)
  );
}

/** Whether `repo` is the path of a repository, such as `github.com/acme/jobwatcher`. */
export function isRepositoryPath(repo: string): boolean {
  const [host = '', ...path] = repo.split('/');
  return (
    repo.length <= 1000 &&
    path.length > 0 &&
    /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(host) &&
    path.every((segment) => /^[\w~-][\w.~-]*$/.test(segment))
  );
}

/**
 * Derives the `name` of package.json: a package name stays the same, a repository path gives its last part
 * (`github.com/acme/JobWatcher/v2` → `jobwatcher`), and a name that is taken gets the suffix `-operator`.
 *
 * @param repoOrProjectName what {@link checkRepo} or {@link checkProjectName} accepted
 */
export function packageName(repoOrProjectName: string): string {
  if (isPackageName(repoOrProjectName)) return repoOrProjectName;
  const segments = repoOrProjectName.split('/').filter((segment) => !/^v[0-9]+$/.test(segment));
  const name = (segments.at(-1) ?? '')
    .toLowerCase()
    .replace(/\.git$/, '')
    .replaceAll('~', '-')
    .replace(/^[._]+/, '')
    .slice(0, maxPackageNameLength - '-operator'.length);
  return isPackageName(name) ? name : `${name}-operator`.replace(/^-/, '');
}
