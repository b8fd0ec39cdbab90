import { parse } from 'yaml';
import { OtsError } from '../../errors/ots-error.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { quoted } from '../../project/names/quoted.ts';
import { projectFile } from '../../scaffold/project-root.ts';

/** What PROJECT says for a bundle. */
export interface PackageInfo {
  readonly packageName: string;
  /** The layouts, comma-separated; `unknown` without PROJECT. */
  readonly layout: string;
}

/**
 * The package of a project: the flag, or else projectName in PROJECT. The PROJECT of kubebuilder and operator-sdk will do.
 *
 * @param project the text of PROJECT
 * @throws UsageError `NO_PACKAGE` if neither says; OtsError `INVALID_PACKAGE`
 */
export function packageOf(flag: string | undefined, project: string | undefined): PackageInfo {
  const data = project === undefined ? undefined : settingsIn(project);
  const { projectName, layout } = data ?? {};
  const packageName = flag ?? (typeof projectName === 'string' ? projectName : undefined);
  if (packageName === undefined || packageName === '') {
    throw new UsageError(
      'NO_PACKAGE',
      'The name of the package is missing: there is no PROJECT with a projectName',
      {
        hint: 'Name the package with --package, or run the command in a project.',
      },
    );
  }
  if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(packageName)) {
    throw new OtsError('INVALID_PACKAGE', `${quoted(packageName)} cannot be the name of a package`, {
      hint: 'Use lower case letters, digits, - and dots, such as my-operator.',
    });
  }
  const layouts = (Array.isArray(layout) ? layout : [layout]).filter((each) => typeof each === 'string');
  return { packageName, layout: layouts.join(',') || 'unknown' };
}

function settingsIn(text: string): Record<string, unknown> {
  try {
    const data: unknown = parse(text);
    return typeof data === 'object' && data !== null ? { ...data } : {};
  } catch (cause) {
    throw new OtsError('INVALID_PROJECT', `${projectFile} is not valid YAML`, {
      hint: 'Restore it from version control, or name the package with --package in a directory without it.',
      cause,
    });
  }
}
