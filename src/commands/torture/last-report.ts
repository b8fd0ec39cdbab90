import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Finding } from 'ots-testing';
import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';
import { quoted } from '../../project/names/quoted.ts';
import { isData } from '../../project/yaml/data.ts';
import type { Sample, SampleReport } from '../../torture/torture-result.ts';

const file = 'node_modules/.cache/ots-torture/report.json';
/** How many IDs a hint lists. */
const maxNames = 5;

/** Keeps the reports of a run, for --replay and --write-test. @param root absolute path of the project */
export async function keepReports(root: string, reports: readonly SampleReport[]): Promise<void> {
  const path = join(root, file);
  const temporary = `${path}.${process.pid}.tmp`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(temporary, JSON.stringify({ reports }));
  await rename(temporary, path);
}

/** A finding of the last run. */
export interface LastFinding {
  readonly sample: Sample;
  readonly finding: Finding;
  readonly seed: number;
}

/**
 * Finds a finding of the last run.
 *
 * @param isSample whether a sample may have it
 * @throws OtsError `NO_LAST_RUN`, `NO_SUCH_FINDING`, `AMBIGUOUS_FINDING`
 */
export async function lastFinding(
  root: string,
  id: string,
  isSample: (sample: Sample) => boolean,
): Promise<LastFinding> {
  const all = (await readReports(root)).flatMap(({ sample, report }) =>
    report.findings.map((finding) => ({ sample, finding, seed: report.seed })),
  );
  const found = all.filter(({ sample, finding }) => finding.id === id && isSample(sample));
  const [only, ...others] = found;
  if (only && others.length === 0) return only;
  if (only) {
    const files = found.map(({ sample }) => oneLine(sample.file)).join(' and ');
    throw new OtsError('AMBIGUOUS_FINDING', `${quoted(id)} is a finding with ${files}`, {
      hint: 'Name one of these samples, too.',
    });
  }
  const ids = [...new Set(all.map(({ finding }) => oneLine(finding.id)))];
  const more = ids.length > maxNames ? ` and ${ids.length - maxNames} more` : '';
  throw new OtsError('NO_SUCH_FINDING', `${quoted(id)} is not a finding of the last run`, {
    hint:
      ids.length === 0
        ? 'The last run found nothing. Run ots torture again.'
        : `Its findings are ${ids.slice(0, maxNames).join(', ')}${more}.`,
  });
}

async function readReports(root: string): Promise<readonly SampleReport[]> {
  const text = await readFile(join(root, file), 'utf8').catch(() => '');
  try {
    const value: unknown = JSON.parse(text);
    if (isData(value) && Array.isArray(value['reports'])) return value['reports'] as SampleReport[];
  } catch {
    // Below.
  }
  throw new OtsError('NO_LAST_RUN', 'There is no report of an earlier ots torture', {
    hint: 'Run ots torture first, or name a plan as JSON.',
  });
}
