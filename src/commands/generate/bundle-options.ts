import type { CommonOptions } from '../../common-options.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { parseSemver } from '../../olm/versions/semver.ts';
import { quoted } from '../../project/names/quoted.ts';

/** The flags of `ots generate bundle`. */
export interface GenerateBundleOptions extends CommonOptions {
  /** A file, a directory, or `-`. */
  input?: string;
  version?: string;
  /** Default: `IMG`, if config/manifests is built. */
  image?: string;
  channels?: string[];
  defaultChannel?: string;
  package?: string;
  outputDir?: string;
  extraServiceAccounts?: string[];
  /** Pushed images only. Default: false. */
  useImageDigests?: boolean;
  /** Default: true. */
  overwrite?: boolean;
  manifests?: boolean;
  metadata?: boolean;
  stdout?: boolean;
  strict?: boolean;
}

/**
 * Checks flags that need no file.
 *
 * @throws OtsError `INVALID_VERSION`, `INVALID_CHANNEL`; UsageError `CONFLICTING_FLAGS`
 */
export function checkOptions(options: GenerateBundleOptions): void {
  const { version, channels = [], defaultChannel, stdout, outputDir, dryRun, json } = options;
  if (version !== undefined && !isStrict(version)) {
    throw new OtsError('INVALID_VERSION', `${quoted(version)} is not a semantic version`, {
      hint: 'Name three numbers with --version, such as 0.1.0 or 1.0.0-rc.1.',
    });
  }
  const wrong = [...channels, ...(defaultChannel === undefined ? [] : [defaultChannel])].find(
    (channel) => !/^[A-Za-z0-9]([\w.-]*[A-Za-z0-9])?$/.test(channel),
  );
  if (wrong !== undefined) {
    throw new OtsError('INVALID_CHANNEL', `${quoted(wrong)} cannot be the name of a channel`, {
      hint: 'Use letters, digits, - and dots, such as stable or stable-v1.',
    });
  }
  const other = [outputDir !== undefined && '--output-dir', dryRun && '--dry-run', json && '--json'].find(
    Boolean,
  );
  if (stdout && other) {
    throw new UsageError('CONFLICTING_FLAGS', `--stdout and ${other} exclude each other`, {
      hint: `Remove one of them.`,
    });
  }
}

/** The library of the Operator Framework is tolerant of leading zeros; names of versions are not. */
function isStrict(version: string): boolean {
  return parseSemver(version) !== undefined && !/(?:^|\.)0\d/.test(version.split(/[-+]/)[0] ?? '');
}
