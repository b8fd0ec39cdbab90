import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { isObject, textOf, valueOf } from '../../olm/bundle/json.ts';
import type { OperatorDescription } from '../../olm/base/describe-operator.ts';
import { parseSemver } from '../../olm/versions/semver.ts';
import { quoted } from '../../project/names/quoted.ts';
import { ask } from '../../prompts/ask.ts';
import { type DescriptionFlags, descriptionQuestions, keywordsIn } from './description-questions.ts';
import { parseMaintainers } from './parse-maintainers.ts';

/** How the description of an operator is chosen. */
export interface DescribeOptions extends DescriptionFlags {
  minKubeVersion?: string;
  /** Default: asks on a terminal if there is no base. */
  interactive?: boolean;
}

/**
 * The description of an operator, from flags and from answers to questions. Without a base, it is complete.
 *
 * @param spec of the base; undefined without one
 * @throws UsageError `MISSING_FLAG`, `NO_TERMINAL`; OtsError `INVALID_DESCRIPTION`, `INVALID_MAINTAINERS`, `INVALID_VERSION`,
 *   `CANCELED`
 */
export async function describeBase(
  options: DescribeOptions,
  spec: unknown,
  context: Context,
): Promise<OperatorDescription> {
  const { minKubeVersion } = options;
  if (minKubeVersion !== undefined && parseSemver(minKubeVersion) === undefined) {
    throw new OtsError('INVALID_VERSION', `${quoted(minKubeVersion)} is not a version of Kubernetes`, {
      hint: 'Name three numbers with --min-kube-version, such as 1.29.0.',
    });
  }
  const answers = await answersOf(options, spec, context);
  const { keywords, maintainers, ...texts } = answers;
  return {
    ...texts,
    minKubeVersion,
    keywords: keywords === undefined ? undefined : keywordsIn(keywords),
    maintainers: maintainers === undefined ? undefined : parseMaintainers(maintainers),
  };
}

async function answersOf(
  options: DescribeOptions,
  spec: unknown,
  context: Context,
): Promise<DescriptionFlags> {
  for (const { key, check } of descriptionQuestions) if (options[key] !== undefined) check(options[key]);
  const isAsking = options.interactive ?? (context.interactive && spec === undefined);
  if (isAsking && !context.interactive) {
    throw new UsageError('NO_TERMINAL', '--interactive needs a terminal', {
      hint: `Answer with ${descriptionQuestions.map(({ flag }) => flag).join(', ')}.`,
    });
  }
  const missing = descriptionQuestions.filter(
    ({ key, isOptional }) => options[key] === undefined && !isOptional,
  );
  if (!isAsking && spec === undefined && missing.length > 0) throw missingFlags(missing);
  const answers: DescriptionFlags = {};
  for (const question of descriptionQuestions) {
    const given = options[question.key];
    if (given === undefined && !isAsking) continue;
    const answer = await ask({ ...question, given, initial: formerAnswer(question.key, spec) }, context);
    answers[question.key] = answer.trim();
  }
  return answers;
}

function missingFlags(questions: readonly { readonly flag: string; readonly example: string }[]): UsageError {
  const flags = questions.map(({ flag }) => flag).join(', ');
  const examples = questions.map(({ flag, example }) => `${flag} "${example}"`).join(' ');
  return new UsageError('MISSING_FLAG', `${flags} ${questions.length === 1 ? 'is' : 'are'} missing`, {
    hint: `Run the command on a terminal, or add them, for example ${examples}.`,
  });
}

/** What the base says, as the user would type it. */
function formerAnswer(key: keyof DescriptionFlags, spec: unknown): string {
  const list = (name: string): unknown[] => {
    const value = valueOf(spec, name);
    return Array.isArray(value) ? (value as unknown[]) : [];
  };
  switch (key) {
    case 'providerName':
      return textOf(valueOf(spec, 'provider'), 'name');
    case 'providerUrl':
      return textOf(valueOf(spec, 'provider'), 'url');
    case 'keywords':
      return list(key).join(',');
    case 'maintainers':
      return list(key)
        .filter(isObject)
        .map((each) => `${textOf(each, 'name')}:${textOf(each, 'email')}`)
        .join(', ');
    default:
      return textOf(spec, key);
  }
}
