import type { Context } from '../../context.ts';
import { confirm } from '../../prompts/confirm.ts';
import type { Plan } from '../../scaffold/plan.ts';

/**
 * Shows what a plan would do and asks whether to do it. Asks nothing with `--yes`, and nothing without a terminal: the commands that
 * created unchanged files can create them again, and edited ones need `--force`.
 *
 * @throws OtsError `CANCELED`
 */
export function confirmDeletion(
  { yes = false }: { yes?: boolean },
  context: Context,
): (plan: Plan) => Promise<void> {
  return async ({ changes, notes }) => {
    if (yes || !context.interactive || changes.length === 0) return;
    const lines = [...changes.map(({ action, path }) => `${action} ${path}`), ...notes];
    context.stderr.write(lines.map((line) => `${line}\n`).join(''));
    const question = 'Make these changes?';
    await confirm({ question, code: 'NOT_CONFIRMED', reason: question, hint: 'Add --yes.' }, context);
  };
}
