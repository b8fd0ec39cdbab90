import { resolve } from 'node:path';
import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { reasonOf } from '../../errors/reason-of.ts';
import { formatDiagnostic } from '../../manifests/diagnostics/format-diagnostic.ts';
import { type RbacFinding, proposeRules } from '../../manifests/rbac/propose-rules.ts';
import { type RbacRecord, readRecord } from '../../manifests/rbac/read-record.ts';
import { oneLine } from '../../output/one-line.ts';
import { diskFileSystem } from '../../scaffold/file-system.ts';
import { workingDirectory } from '../shared/report-options.ts';
import type { ManifestsOptions } from './manifests-options.ts';
import { planManifests } from './plan-manifests.ts';

/**
 * `ots manifests --rbac-from <record>`: says which @rbac tags to add, change or remove, so that they grant what recorded requests used
 * and nothing else. Writes nothing.
 *
 * @throws OtsError `RBAC_RECORD` for a file that is not a record, and errors in reading the sources
 */
export async function proposeRbac(options: ManifestsOptions, context: Context): Promise<void> {
  const file = options.rbacFrom ?? '';
  const { user, requests } = recordIn(file, options, context);
  const { generated } = await planManifests(options, context, false);
  const findings = proposeRules(generated.rules, requests, generated.classes);
  if (options.json) {
    const report = { command: 'manifests', rbac: { record: file, user, findings: findings.map(flat) } };
    context.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  } else if (!options.quiet) {
    const text = findings.length > 0 ? findings.map(format).join('\n') : upToDate(requests.length);
    context.stdout.write(`${text}\n`);
  }
}

function upToDate(requests: number): string {
  const recorded = requests === 1 ? '1 recorded request' : `${requests} recorded requests`;
  return `The @rbac tags grant what ${recorded} used, and nothing else.`;
}

function recordIn(file: string, options: ManifestsOptions, context: Context): RbacRecord {
  const failed = (problem: string, cause?: unknown) =>
    new OtsError('RBAC_RECORD', `${oneLine(file)} ${problem}`, {
      hint: 'Write it in a test, with environment.requests.write(file, account).',
      cause,
    });
  const fs = context.fs ?? diskFileSystem;
  let content: Buffer | undefined;
  try {
    content = fs.read(resolve(workingDirectory(options, context), file));
  } catch (error) {
    throw failed(`cannot be read: ${reasonOf(error)}`, error);
  }
  if (!content) throw failed('does not exist');
  const record = readRecord(content.toString('utf8'));
  if (!record) throw failed('is not a record of requests');
  return record;
}

function format({ at, message, hint, code }: RbacFinding): string {
  return at ? formatDiagnostic({ ...at, message, hint, code }) : `${oneLine(message)}\n  hint: ${hint}`;
}

/** For programs: the place among the other fields. */
function flat({ at, ...finding }: RbacFinding): object {
  return { ...finding, ...at };
}
