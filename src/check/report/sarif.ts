import { packageVersion } from '../../version.ts';
import type { CheckResult, Finding, IgnoredFinding } from '../finding.ts';
import { configurationRule, rules } from '../rules.ts';

/**
 * The result as SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html), which code scanning of GitHub and editors
 * read. What the configuration turns off is suppressed, with its reason.
 *
 * @param prefix of the paths, from the root of the repository: empty, or ending in a slash
 */
export function sarif({ findings, ignored }: CheckResult, prefix: string): object {
  const described = [
    ...rules,
    { name: configurationRule, summary: 'ots-check.yaml is wrong, or turns nothing off' },
  ];
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'ots check',
            semanticVersion: packageVersion,
            rules: described.map(({ name, summary }) => ({ id: name, shortDescription: { text: summary } })),
          },
        },
        // Columns count as in JavaScript.
        columnKind: 'utf16CodeUnits',
        results: [...findings, ...ignored].map((finding) => resultOf(finding, prefix)),
      },
    ],
  };
}

function resultOf(finding: Finding | IgnoredFinding, prefix: string): object {
  const { rule, severity, file, line, column, message, hint } = finding;
  return {
    ruleId: rule,
    level: severity,
    message: { text: `${message}. ${hint}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: encodeURI(`${prefix}${file}`), uriBaseId: '%SRCROOT%' },
          region: { startLine: line, ...(column !== undefined && { startColumn: column }) },
        },
      },
    ],
    ...('reason' in finding && { suppressions: [{ kind: 'external', justification: finding.reason }] }),
  };
}
