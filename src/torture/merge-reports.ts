import type { Finding, TorturePlan, TortureReport } from 'ots-testing';

/**
 * Puts together what several processes found, each with a part of the plans: the same finding is one, with the smallest of its plans.
 *
 * @param reports at least one, of the same object with the same seed
 */
export function mergeReports(reports: readonly [TortureReport, ...TortureReport[]]): TortureReport {
  const [first] = reports;
  const sum = (key: 'all' | 'tried'): number => reports.reduce((total, { plans }) => total + plans[key], 0);
  return {
    ...first,
    plans: {
      all: sum('all'),
      tried: sum('tried'),
      // Every process leaves out the same plans, and then shares the others.
      skipped: Math.max(...reports.map(({ plans }) => plans.skipped)),
    },
    patterns: [...new Set(reports.flatMap(({ patterns }) => patterns))],
    milliseconds: Math.max(...reports.map(({ milliseconds }) => milliseconds)),
    findings: mergeFindings(reports.map(({ findings }) => findings)),
    prevented: merge(
      reports.map(({ prevented }) => prevented),
      (one, other) => one + other,
    ),
    fields: merge(
      reports.map(({ fields }) => fields),
      (one, other) => one || other,
    ),
    masked: [...new Set(reports.flatMap(({ masked }) => masked))],
  };
}

/** @param join of two values of the same name */
function merge<T>(
  records: readonly Readonly<Record<string, T>>[],
  join: (one: T, other: T) => T,
): Record<string, T> {
  const merged: Record<string, T> = {};
  for (const [name, value] of records.flatMap((record) => Object.entries(record)))
    merged[name] = name in merged ? join(merged[name]!, value) : value;
  return merged;
}

/** @param lists each with the most severe finding first, which the result keeps */
function mergeFindings(lists: readonly (readonly Finding[])[]): Finding[] {
  const merged = new Map<string, Finding>();
  const most = Math.max(...lists.map(({ length }) => length));
  const inTurns = Array.from({ length: most }, (_, rank) => lists.flatMap((list) => list[rank] ?? []));
  for (const finding of inTurns.flat()) {
    const known = merged.get(finding.id);
    merged.set(finding.id, known ? mergeFinding(known, finding) : finding);
  }
  return [...merged.values()];
}

function mergeFinding(one: Finding, other: Finding): Finding {
  const smaller = comparePlans(one.plan, other.plan) <= 0 ? one : other;
  return { ...smaller, plans: one.plans + other.plans };
}

/** What users certainly do is smaller. Then an earlier plan is: less happened before it. Then the shorter one. Else texts decide, so all processes agree. */
function comparePlans(one: TorturePlan, other: TorturePlan): number {
  const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
  return (
    Number(isUnusual(one)) - Number(isUnusual(other)) ||
    numberIn(one, 'step') - numberIn(other, 'step') ||
    numberIn(one, 'write') - numberIn(other, 'write') ||
    a.length - b.length ||
    (a < b ? -1 : 1)
  );
}

/** Whether it needs a value that may be a bad one, or two changes at once. */
function isUnusual(plan: TorturePlan): boolean {
  return 'isGuess' in plan || 'changes' in plan;
}

function numberIn(plan: object, key: string): number {
  const value = (plan as Record<string, unknown>)[key];
  return typeof value === 'number' ? value : 0;
}
