import { closestName } from 'ots-apimachinery/closest-name';
import { didYouMean } from '../../project/names/did-you-mean.ts';
import { isData } from '../../project/yaml/data.ts';
import type { Place, Problem } from '../finding.ts';
import type { ProjectView } from '../project-view.ts';
import { installsAnew } from './dockerfile.ts';

const directory = '.github/workflows';

/** Text of people who may not write to the repository. In a script, it runs as code. */
const foreignText =
  /\$\{\{[^}]*github\.(?:head_ref|event\.(?:[\w.]+\.)?(?:title|body|message|label|ref|name|email|default_branch))\b[^}]*\}\}/;

/** Checks the workflows: their rights, what they run, and the scripts that they and the Makefile call. */
export function checkWorkflows(view: ProjectView): Problem[] {
  const scripts = scriptsOf(view);
  const workflows = view.list(directory).filter((path) => /\.ya?ml$/.test(path));
  return [
    ...workflows.flatMap((path) => workflowProblems(view, path, scripts)),
    ...scriptProblems(view.read('Makefile') ?? '', { file: 'Makefile', line: 1 }, scripts),
  ];
}

function workflowProblems(
  view: ProjectView,
  path: string,
  scripts: readonly string[] | undefined,
): Problem[] {
  const [workflow] = view.yaml(path)?.values ?? [];
  const jobs = isData(workflow) && isData(workflow['jobs']) ? Object.entries(workflow['jobs']) : [];
  const problems: Problem[] = [];
  const isLimited = isData(workflow) && 'permissions' in workflow;
  for (const [name, job] of jobs) {
    if (!isData(job)) continue;
    if (!isLimited && !('permissions' in job)) {
      const message = `The job ${name} has all rights of the repository's token`;
      const hint = 'Add "permissions: {}" to the workflow, and to the job the rights that it needs.';
      problems.push({ ...view.place(path, 0, ['jobs', name]), severity: 'warning', message, hint });
    }
    for (const [index, step] of (Array.isArray(job['steps']) ? job['steps'] : []).entries()) {
      if (!isData(step)) continue;
      const keys = ['jobs', name, 'steps', index];
      const { uses, run } = step;
      if (typeof uses === 'string')
        problems.push(...actionProblems(uses, view.place(path, 0, [...keys, 'uses'])));
      if (typeof run === 'string')
        problems.push(...runProblems(run, placeOfScript(view, path, [...keys, 'run']), scripts));
    }
  }
  return problems;
}

/** A tag moves when its owner wants, a branch with each commit. */
function actionProblems(uses: string, place: Place): Problem[] {
  if (uses.startsWith('./') || uses.startsWith('docker://')) return [];
  const [name = '', version] = uses.split('@');
  const isPinned = /^[0-9a-f]{40}$/.test(version ?? '');
  const isOfGitHub = /^(?:actions|github)\//.test(name);
  const isVersion = /^v?\d/.test(version ?? '');
  if (isPinned || (isOfGitHub && isVersion)) return [];
  return [
    {
      ...place,
      severity: 'warning',
      message: `The action ${name} can change at any time: ${version === undefined ? 'it has no version' : `${version} is not a commit`}`,
      hint: 'Write the full commit ID after @, and the version in a comment.',
    },
  ];
}

function runProblems(run: string, place: Place, scripts: readonly string[] | undefined): Problem[] {
  const lines = run.split('\n');
  const at = (index: number): Place => ({ file: place.file, line: place.line + index });
  const problems = lines.flatMap((line, index): Problem[] => {
    const found: Problem[] = [];
    if (installsAnew.test(line)) {
      const message = 'npm install may choose other versions than package-lock.json';
      found.push({ ...at(index), severity: 'warning', message, hint: 'Write npm ci.' });
    }
    if (foreignText.test(line)) {
      const message = 'The script contains text of others, which runs as code';
      found.push({
        ...at(index),
        severity: 'error',
        message,
        hint: 'Pass the text in an environment variable (env).',
      });
    }
    return found;
  });
  return [...problems, ...scriptProblems(run, place, scripts)];
}

/** `npm run <script>` of scripts that package.json does not have. */
function scriptProblems(text: string, place: Place, scripts: readonly string[] | undefined): Problem[] {
  if (!scripts) return [];
  return text.split('\n').flatMap((line, index) => {
    const called = Array.from(
      line.matchAll(/\bnpm (?:run |run-script )(?!.*--prefix)([\w:.-]+)/g),
      ([, name = '']) => name,
    );
    return called
      .filter((name) => !name.startsWith('-') && !scripts.includes(name))
      .map((name) => ({
        file: place.file,
        line: place.line + index,
        severity: 'error' as const,
        message: `package.json has no script ${name}`,
        hint: didYouMean(closestName(name, scripts), 'Correct the name, or add the script.'),
      }));
  });
}

/** The first line of a script, which begins below its key if it is a block. */
function placeOfScript(view: ProjectView, path: string, keys: readonly (string | number)[]): Place {
  const { line } = view.place(path, 0, keys);
  const isBlock = /:\s*[|>][+-]?\s*(?:#.*)?$/.test(view.read(path)?.split(/\r?\n/)[line - 1] ?? '');
  return { file: path, line: isBlock ? line + 1 : line };
}

/** Undefined if package.json cannot be read, which another rule reports. */
function scriptsOf(view: ProjectView): string[] | undefined {
  try {
    const manifest: unknown = JSON.parse(view.read('package.json') ?? '');
    const scripts = isData(manifest) ? manifest['scripts'] : undefined;
    return isData(scripts) ? Object.keys(scripts) : [];
  } catch {
    return undefined;
  }
}
