import { quoted } from './quoted.ts';
import { isPackageName, isRepositoryPath } from './package-name.ts';
import { refuse } from './refuse.ts';

/**
 * Checks `--repo`: the name of an npm package, or the path of a repository, as in kubebuilder.
 *
 * @throws {OtsError} `INVALID_REPO`
 */
export function checkRepo(repo: string): void {
  if (isPackageName(repo) || isRepositoryPath(repo)) return;
  refuse(
    'INVALID_REPO',
    repo === ''
      ? 'The repo is empty'
      : `The repo ${quoted(repo)} cannot be used: it is neither an available package name nor the path of a repository`,
    'Use a package name such as @acme/jobwatcher, or a path such as github.com/acme/jobwatcher.',
  );
}
