import type { CheckResult } from './health-checks.ts';

export interface HealthReport {
  endpoint: string;
  results: readonly CheckResult[];
  /** The names that the caller left out. */
  excluded: readonly string[];
  /** The names of all checks. */
  known: readonly string[];
  verbose: boolean;
}

/** Formats the response to a probe, as `kubectl get --raw /readyz?verbose` shows it. A failure always has details. */
export function healthText({ endpoint, results, excluded, known, verbose }: HealthReport): string {
  const failed = results.some(({ problem }) => problem !== undefined);
  if (!failed && !verbose) return 'ok\n';
  const lines = [
    ...results.map(({ name, problem }) => ({
      name,
      line: problem === undefined ? `[+]${name} ok` : `[-]${name} failed: ${oneLine(problem)}`,
    })),
    ...excluded
      .filter((name) => known.includes(name))
      .map((name) => ({ name, line: `[+]${name} excluded: ok` })),
  ].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const unknown = excluded.filter((name) => !known.includes(name)).map((name) => JSON.stringify(name));
  if (unknown.length > 0) {
    lines.push({
      name: '',
      line: `warn: some health checks cannot be excluded: no matches for ${unknown.join(', ')}`,
    });
  }
  lines.push({ name: '', line: `${endpoint} check ${failed ? 'failed' : 'passed'}` });
  return `${lines.map(({ line }) => line).join('\n')}\n`;
}

/** A problem that quotes a response of the server must not look like more checks. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
