import { projectFile } from '../../scaffold/project-root.ts';
import type { Problem } from '../finding.ts';
import type { ProjectView } from '../project-view.ts';

/** Checks that PROJECT is valid. */
export function checkProject(view: ProjectView): Problem[] {
  const error = view.projectError;
  if (!error) return [];
  const { line = 1, column } = (error.details ?? {}) as { line?: number; column?: number };
  const message = error.message.replace(/^PROJECT:\d+:\d+: /, '');
  const place = { file: projectFile, line, ...(column !== undefined && { column }) };
  return [{ ...place, severity: 'error', message, hint: error.hint }];
}
