import type { PolicyRule } from 'ots-apimachinery/rbac/policy-rule';
import { ruleAllows } from 'ots-apimachinery/rbac/rule-matching';
import { proposeRules } from '../../manifests/rbac/propose-rules.ts';
import { type RecordedAccess, readRecord } from '../../manifests/rbac/read-record.ts';
import { boundRules } from '../bound-rules.ts';
import type { Problem } from '../finding.ts';
import type { ProjectView } from '../project-view.ts';

/** Where tests write what they recorded: beside their other reports, which git ignores. */
const recordDirectory = 'coverage/rbac';

/** Compares the @rbac tags with all requests that tests recorded. Without a record there is nothing to compare. */
export async function checkRbacRecords(view: ProjectView): Promise<Problem[]> {
  const { manifests } = view;
  const files = view.list(recordDirectory).filter((path) => path.endsWith('.json'));
  if (files.length === 0) {
    view.skip('rbac-record', `no test wrote a record to ${recordDirectory}`);
    return [];
  }
  if (!manifests || manifests.diagnostics.length > 0) return [];
  const records = files.map((file) => ({ file, record: readRecord(view.read(file) ?? '') }));
  const broken = records.filter(({ record }) => !record);
  const tagged = manifests.rules.map(({ rule }) => rule);
  const others = (await boundRules(view)).flatMap(({ rules }) => rules);
  // What another role of the operator grants, such as leader election, needs no tag.
  const requests = records
    .flatMap(({ record }) => record?.requests ?? [])
    .filter((request) => allows(tagged, request) || !allows(others, request));
  return [
    ...broken.map(({ file }): Problem => ({
      file,
      line: 1,
      severity: 'error',
      message: `${file} is not a record of requests`,
      hint: 'Delete it, or write it in a test with environment.requests.write(file, account).',
    })),
    // What a broken record has would seem unused.
    ...(broken.length > 0 ? [] : findings(view, files, requests)),
  ];
}

function allows(rules: readonly PolicyRule[], request: RecordedAccess): boolean {
  return rules.some((rule) => ruleAllows(rule, request));
}

function findings(
  { manifests }: ProjectView,
  files: readonly string[],
  requests: readonly RecordedAccess[],
): Problem[] {
  const found = proposeRules(manifests?.rules ?? [], requests, manifests?.classes ?? []);
  return found.map(({ code, message, hint, at }) => ({
    ...(at ? { file: at.file, line: at.line, column: at.column } : { file: files[0]!, line: 1 }),
    severity: code === 'missing-rule' ? 'error' : 'warning',
    message:
      code === 'missing-rule' ? `A test recorded a request, for which ${message}` : firstUpper(message),
    hint,
  }));
}

function firstUpper(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
