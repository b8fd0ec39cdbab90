import type { Finding, TimelineEntry } from 'ots-testing';
import { escapeXml } from '../../output/escape-xml.ts';
import { oneLine } from '../../output/one-line.ts';
import type { SampleFailure, SampleResult, TortureResult } from '../torture-result.ts';
import {
  commandFor,
  countOf,
  describePrevented,
  describeSearch,
  describeSource,
  describeTime,
  doubtsOf,
  fieldsWithoutEffect,
  furtherDetails,
  hasMorePlans,
  summaryOf,
} from './describe-report.ts';

const style = `
  :root {
    color-scheme: light dark;
    --text: #1f2328; --quiet: #59636e; --page: #ffffff; --box: #f6f8fa; --line: #d1d9e0; --bad: #b3261e; --link: #0969da;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --text: #e6edf3; --quiet: #9198a1; --page: #0d1117; --box: #151b23; --line: #3d444d; --bad: #ff8a80; --link: #4493f8;
    }
  }
  body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; background: var(--page); color: var(--text);
    font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
  h1 { font-size: 1.5rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; } h3 { font-size: 1rem; margin: 0; }
  code, td, h3 { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 0.875rem; }
  a { color: var(--link); }
  .quiet { color: var(--quiet); }
  article { background: var(--box); border: 1px solid var(--line); border-radius: 6px; margin: 1rem 0; padding: 1rem; }
  .consequence { color: var(--bad); font-weight: 600; margin: 0.5rem 0; }
  dl { display: grid; grid-template-columns: 6rem 1fr; gap: 0.25rem 1rem; margin: 0.5rem 0; }
  dt { color: var(--quiet); } dd { margin: 0; }
  @media (max-width: 40rem) { dl { grid-template-columns: 1fr; } }
  table { border-collapse: collapse; width: 100%; }
  td, th { padding: 0.125rem 0.75rem 0.125rem 0; text-align: left; vertical-align: top; }
  td:first-child { color: var(--quiet); text-align: right; white-space: nowrap; }
  td:last-child { width: 100%; }
  tr.cause td { color: var(--bad); font-weight: 600; }
`;

/** The result as one page, which needs no other file and runs no script. The colors follow the setting of the reader. */
export function htmlOf(result: TortureResult): string {
  const { samples, failures, unused, isInterrupted } = result;
  const notes = [
    ...(isInterrupted ? ['The search was interrupted: there may be more findings.'] : []),
    ...(hasMorePlans(result) && !isInterrupted ? ['Some plans were not tried.'] : []),
    ...unused.map(({ finding, line }) => `torture-baseline.yaml:${line}: no plan shows ${finding} any more.`),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>ots torture: ${text(summaryOf(result))}</title>
<style>${style}</style>
</head>
<body>
<h1>ots torture: ${text(summaryOf(result))}</h1>
${notes.map((note) => `<p>${text(note)}</p>\n`).join('')}${samples.map((sample) => sampleSection(sample, result)).join('')}${failures.map(failureSection).join('')}</body>
</html>
`;
}

/** A foreign text as content or attribute. */
function text(value: string): string {
  return escapeXml(oneLine(value));
}

function sampleSection(sample: SampleResult, result: TortureResult): string {
  const { report, findings, accepted } = sample;
  return `<section>
<h2>${text(report.object)}</h2>
<p class="quiet">${text(`${sample.sample.file}: ${describeSearch(sample)}`)}</p>
${findings.length === 0 ? '<p>No findings.</p>\n' : ''}${findings.map((finding) => findingArticle(finding, sample, result)).join('')}${list(
    'Accepted in torture-baseline.yaml',
    accepted.map(({ id, reason }) => `${id}: ${reason}`),
  )}${list(
    'Prevented',
    Object.entries(report.prevented).map(([name, count]) => `${name}: ${describePrevented(count)}`),
  )}${list('Fields of the spec without a visible effect', fieldsWithoutEffect(report))}${list('Not compared, because it differs from run to run', report.masked)}${list('Writes of the undisturbed operator', report.writes)}</section>
`;
}

function failureSection({ sample, problem, hint }: SampleFailure): string {
  return `<section>
<h2>${text(`${sample.kind} of ${sample.file}`)}</h2>
<p class="consequence">${text(problem)}</p>
<p>${text(hint)}</p>
</section>
`;
}

function findingArticle(finding: Finding, sample: SampleResult, result: TortureResult): string {
  const { id, pattern, consequence, description, plans, timeline, plan, cure, link } = finding;
  const source = describeSource(finding);
  const terms = [
    ...furtherDetails(finding).map((detail) => ['also', text(detail)]),
    ['pattern', text(pattern)],
    ['plan', text(`${description} (shown by ${countOf(plans, 'plan')})`)],
    ...(source === undefined ? [] : [['source', code(source)]]),
    ...doubtsOf(finding).map((doubt) => ['note', text(doubt)]),
    ['replay', code(commandFor('--replay', finding, sample, result))],
    ['test', code(commandFor('--write-test', finding, sample, result))],
    ...(cure === '' ? [] : [['cure', text(cure)]]),
    ...(link === '' ? [] : [['see', linkTo(link)]]),
  ];
  return `<article>
<h3>${text(id)}</h3>
<p class="consequence">${text(consequence)}</p>
<dl>
${terms.map(([term, content]) => `<dt>${term}</dt><dd>${content}</dd>\n`).join('')}</dl>
${timelineTable(timeline)}<details><summary>Plan as data</summary><p>${code(JSON.stringify(plan))}</p></details>
</article>
`;
}

function timelineTable(timeline: readonly TimelineEntry[]): string {
  if (timeline.length === 0) return '';
  const rows = timeline.map(({ time, actor, what, isCause }) => {
    const cells = [describeTime(time), actor, what].map((cell) => `<td>${text(cell)}</td>`).join('');
    return `<tr${isCause ? ' class="cause"' : ''}>${cells}</tr>\n`;
  });
  return `<table>\n${rows.join('')}</table>\n`;
}

function list(title: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  const entries = items.map((item) => `<li>${code(item)}</li>\n`).join('');
  return `<details><summary>${title} (${items.length})</summary>\n<ul>\n${entries}</ul></details>\n`;
}

function code(value: string): string {
  return `<code>${text(value)}</code>`;
}

/** Only a page of the web is a link: the others are files of this package. */
function linkTo(link: string): string {
  return link.startsWith('https://') ? `<a href="${text(link)}">${text(link)}</a>` : code(link);
}
