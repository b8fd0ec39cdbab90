import type { Context } from '../../context.ts';
import { formatAs } from '../../layouts/typescript/format-long-lines.ts';
import { stageTortureTest } from '../../layouts/typescript/stage-torture-test.ts';
import { reportPlan } from '../../output/report-plan.ts';
import type { Project } from '../../project/project.ts';
import { execute } from '../../scaffold/execute.ts';
import { diskFileSystem } from '../../scaffold/file-system.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { reportOptions } from '../shared/report-options.ts';
import { lastFinding } from './last-report.ts';
import { chooseSamples } from './samples.ts';
import type { TortureCommandOptions } from './torture-options.ts';

/**
 * `ots torture --write-test`: writes a test that fails while a finding of the last run exists.
 *
 * @param id of the finding
 * @throws OtsError `NO_LAST_RUN`, `NO_SUCH_FINDING`, `AMBIGUOUS_FINDING`; `CONFLICT` if the author has changed the test
 */
export async function writeTest(
  id: string,
  { tree: before, project }: { readonly tree: Tree; readonly project: Project },
  options: TortureCommandOptions,
  context: Context,
): Promise<void> {
  const { root } = before;
  const fs = context.fs ?? diskFileSystem;
  const samples = chooseSamples(before, project, options, context);
  const found = await lastFinding(root, id, ({ file, kind }) =>
    samples.some((sample) => sample.file === file && sample.kind === kind),
  );
  const report = reportOptions(options);
  const plan = await execute(
    { command: 'torture', root, dryRun: report.dryRun, force: false, fs },
    async (tree) => {
      const file = stageTortureTest(tree, project, found);
      const code = await formatAs(file, undefined, tree.read(file) ?? '');
      tree.edit(file, () => code);
      return { notes: [], nextSteps: [`npx vitest run ${file}`] };
    },
  );
  await reportPlan(plan, report, context);
}
