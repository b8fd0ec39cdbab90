import type { TortureResult } from '../torture-result.ts';

/** The result as a document for programs. */
export function tortureDocument({ samples, failures, unused, isInterrupted }: TortureResult): object {
  const count = (key: 'findings' | 'accepted'): number =>
    samples.reduce((total, sample) => total + sample[key].length, 0);
  return {
    command: 'torture',
    interrupted: isInterrupted,
    counts: { findings: count('findings'), accepted: count('accepted'), failures: failures.length },
    samples: samples.map(({ sample, report, findings, accepted }) => ({
      ...sample,
      ...report,
      findings,
      accepted,
    })),
    failures: failures.map(({ sample, problem, hint }) => ({ ...sample, message: problem, hint })),
    unusedBaselineEntries: unused,
  };
}
