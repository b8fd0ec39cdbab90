import type { Finding, TortureReport } from 'ots-testing';

/** A finding with all of its parts. */
export function findingOf(changes: Partial<Finding> = {}): Finding {
  return {
    id: 'crash-converges-services',
    pattern: 'crash',
    oracle: 'converges',
    consequence: 'The Service is never created',
    details: ['The Service is never created', 'status.phase: Pending instead of Ready'],
    plan: { phase: 'crash', step: 0, write: 2 },
    description:
      'The operator crashes after write 2 (patch statefulsets.apps default/db) when the object is created',
    plans: 3,
    replays: true,
    timeline: [
      { time: 0, actor: 'user', what: 'create captains.crew.example.com default/hook' },
      { time: 52, actor: 'operator', what: 'patch statefulsets.apps default/db', isCause: true },
      { time: 61_000, actor: 'plan', what: 'the operator crashes' },
    ],
    source: { file: 'src/controllers/captain.controller.ts', line: 42 },
    cure: 'Look for each object that the spec asks for, and create what is missing.',
    link: 'docs/runtime/patterns.md#two-writes',
    ...changes,
  };
}

/** The report of a search with a sample. */
export function reportOf(changes: Partial<TortureReport> = {}): TortureReport {
  return {
    object: 'Captain default/hook',
    seed: 1,
    writes: ['patch statefulsets.apps default/db', 'create services default/db'],
    plans: { all: 48, tried: 48, skipped: 12 },
    patterns: ['undisturbed', 'crash', 'deletion'],
    milliseconds: 34_200,
    findings: [findingOf()],
    prevented: {},
    fields: { 'spec.size': true },
    masked: [],
    ...changes,
  };
}
