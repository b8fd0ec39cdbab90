import { proposeRules } from '../../manifests/rbac/propose-rules.ts';
import { readRecord } from '../../manifests/rbac/read-record.ts';
import type { Problem } from '../finding.ts';
import type { ProjectView } from '../project-view.ts';

/** Where tests write what they recorded: beside their other reports, which git ignores. */
export const recordDirectory = 'coverage/rbac';

/** Compares the @rbac tags with all requests that tests recorded. Without a record there is nothing to compare. */
export function checkRbacRecords(view: ProjectView): Problem[] {
  const { manifests } = view;
  const files = view.list(recordDirectory).filter((path) => path.endsWith('.json'));
  if (files.length === 0) {
    view.skip('rbac-record', `no test wrote a record to ${recordDirectory}`);
    return [];
  }
  if (!manifests || manifests.diagnostics.length > 0) return [];
  const records = files.map((file) => ({ file, record: readRecord(view.read(file) ?? '') }));
  const broken = records.filter(({ record }) => !record);
  const requests = records.flatMap(({ record }) => record?.requests ?? []);
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

function findings(
  { manifests }: ProjectView,
  files: readonly string[],
  requests: Parameters<typeof proposeRules>[1],
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
