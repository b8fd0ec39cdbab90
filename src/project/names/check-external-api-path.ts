import { builtinModules } from 'node:module';
import { quoted } from './quoted.ts';
import { refuse } from './refuse.ts';

const goHost =
  /^((www\.)?(github|gitlab)\.com|bitbucket\.org|gopkg\.in|go\.uber\.org|golang\.org|([a-z]+\.)*k8s\.io)\//i;

/**
 * Checks the module from which an external kind is imported: a module of an npm package, or a file of this project
 * relative to its root.
 *
 * @throws {OtsError} `INVALID_EXTERNAL_API_PATH`
 */
export function checkExternalApiPath(path: string): void {
  const problem = pathProblem(path);
  if (problem === undefined) return;
  refuse(
    'INVALID_EXTERNAL_API_PATH',
    `The types cannot be imported from ${quoted(path)}: ${problem}`,
    'Use a module such as @acme/types/v1, or a file of the project such as ./src/external/certificate.ts.',
  );
}

function pathProblem(path: string): string | undefined {
  if (path === '') return 'the path is empty';
  if (path.length > 500) return 'the path is longer than 500 characters';
  if (/^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(path)) return 'it is a URL or names a drive';
  if (path.startsWith('/')) return 'it is an absolute path';
  if (path.includes('\\')) return 'it has backslashes instead of slashes';
  if (goHost.test(path)) return 'it is a Go module, which TypeScript cannot import';
  const segments = path.split('/');
  if (segments.includes('..')) return 'it contains ".."';
  const isRelative = segments[0] === '.';
  const names = isRelative ? segments.slice(1) : segments;
  if (names.length === 0 || names.some((name) => !/^[\w@~-][\w.~-]*$/.test(name) || name === '@')) {
    return 'it has an empty part, or characters that a module path cannot have';
  }
  if (names.includes('node_modules')) return 'it names a folder in node_modules instead of a package';
  if (isRelative) return names.some((name) => name.includes('@')) ? 'a part of it has "@"' : undefined;
  return specifierProblem(names);
}

function specifierProblem(names: readonly string[]): string | undefined {
  const [first = '', second] = names;
  if (first.startsWith('@') && second === undefined) return 'the package after the scope is missing';
  const packageParts = first.startsWith('@') ? [first.slice(1), second ?? ''] : [first];
  if (packageParts.some((part) => !/^[a-z0-9~-][a-z0-9._~-]*$/.test(part))) {
    return 'it is not a valid npm package name';
  }
  if (names.slice(1).some((name) => name.includes('@'))) return 'a part of it has "@"';
  return builtinModules.includes(first) ? 'it is a built-in module of Node' : undefined;
}
