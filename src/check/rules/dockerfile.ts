import type { Problem } from '../finding.ts';
import type { ProjectView } from '../project-view.ts';

const file = 'Dockerfile';

/** An instruction of a Dockerfile, with the lines that continue it. */
interface Instruction {
  readonly name: string;
  readonly args: string;
  readonly line: number;
}

/** What `FROM` names. */
interface Stage {
  readonly image: string;
  readonly line: number;
  readonly user: Instruction | undefined;
}

/**
 * Checks what matters about the image: it does not run as root, its base does not change by itself, and it has the packages of the lock
 * file. The rest of the file belongs to the author.
 */
export function checkDockerfile(view: ProjectView): Problem[] {
  const text = view.read(file);
  if (text === undefined) return [];
  const instructions = instructionsOf(text);
  return [...baseProblems(instructions), ...userProblems(instructions), ...installProblems(instructions)];
}

function baseProblems(instructions: readonly Instruction[]): Problem[] {
  const stages = new Set<string>(['scratch']);
  return instructions.flatMap(({ name, args, line }) => {
    if (name !== 'FROM') return [];
    const [image = '', , stage] = args.split(/\s+/).filter((word) => !word.startsWith('--'));
    const isStage = stages.has(image.toLowerCase());
    if (stage !== undefined) stages.add(stage.toLowerCase());
    // A variable can be anything.
    if (isStage || image.includes('$') || image.includes('@sha256:')) return [];
    const tag = /:([\w.-]+)$/.exec(image)?.[1];
    if (tag !== undefined && tag !== 'latest') return [];
    const message = `The base image ${image} has ${tag === undefined ? 'no tag' : 'the tag latest'}, so each build may get another one`;
    return [problem(line, message, 'Name a version, such as node:24-bookworm-slim, or a digest.', 'warning')];
  });
}

function userProblems(instructions: readonly Instruction[]): Problem[] {
  const last = finalStage(instructions);
  if (!last) return [];
  const { user } = last;
  if (!user) {
    if (/[:-]nonroot(?:@|$)/.test(last.image)) return [];
    const message = 'The image runs as root: its last stage has no USER';
    return [problem(last.line, message, 'Add "USER 65532:65532" before ENTRYPOINT.')];
  }
  const [name = ''] = user.args.split(':');
  if (/^0*$/.test(name) || name === 'root')
    return [problem(user.line, `The image runs as root: USER ${user.args}`, 'Write "USER 65532:65532".')];
  if (/^\d+$/.test(name) || name.includes('$')) return [];
  const message = `USER ${user.args} is not a number, so Kubernetes cannot check runAsNonRoot`;
  return [
    problem(user.line, message, 'Write the number of the user, such as "USER 65532:65532".', 'warning'),
  ];
}

function finalStage(instructions: readonly Instruction[]): Stage | undefined {
  const start = instructions.findLastIndex(({ name }) => name === 'FROM');
  const from = instructions[start];
  if (!from) return undefined;
  const [image = ''] = from.args.split(/\s+/).filter((word) => !word.startsWith('--'));
  const user = instructions.slice(start).findLast(({ name }) => name === 'USER');
  return { image, line: from.line, user };
}

function installProblems(instructions: readonly Instruction[]): Problem[] {
  return instructions
    .filter(({ name, args }) => name === 'RUN' && installsAnew.test(args))
    .map(({ line }) =>
      problem(
        line,
        'npm install may choose other versions than package-lock.json',
        'Write npm ci.',
        'warning',
      ),
    );
}

/** `npm install` of the project's dependencies; not of a package by its name, or for all users. */
export const installsAnew =
  /\bnpm (?:install|i)(?=\s*(?:$|[;&|\n]|--(?!global)[\w-]+(?:=\S*)?\s*(?:$|[;&|\n])))/;

function instructionsOf(text: string): Instruction[] {
  const instructions: Instruction[] = [];
  let open = '';
  let start = 1;
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    if (open === '') start = index + 1;
    open += ` ${line.replace(/\\$/, '')}`;
    if (line.endsWith('\\')) continue;
    const [, name = '', args = ''] = /^(\w+)\s*(.*)$/s.exec(open.trim()) ?? [];
    instructions.push({ name: name.toUpperCase(), args: args.trim(), line: start });
    open = '';
  }
  return instructions;
}

function problem(
  line: number,
  message: string,
  hint: string,
  severity: Problem['severity'] = 'error',
): Problem {
  return { file, line, severity, message, hint };
}
