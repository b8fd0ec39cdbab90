import { builtinModules } from 'node:module';

const maxPackageNameLength = 214;

/** Packages that a scaffolded project depends on: a package cannot be installed into one of its own name. */
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

/** Tells whether npm takes the name for a new package (validate-npm-package-name): lower case, safe in URLs. */
export function isPackageName(name: string): boolean {
  return (
    name.length <= maxPackageNameLength &&
    /^(@[a-z0-9-][a-z0-9-._]*\/)?[a-z0-9-][a-z0-9-._]*$/.test(name) &&
    !taken.has(name)
  );
}

/** Tells whether `repo` is a path such as `github.com/acme/jobwatcher`, which names where the code lives. */
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
 * Makes the `name` of package.json: a package name stays what it is, a repository path gives its last part
 * (`github.com/acme/JobWatcher/v2` → `jobwatcher`), and a name that something else has gets `-operator` behind it.
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
