// Checks the part of docs/style.md that a program can check: npm run lint, or node scripts/check-style.mjs [path...]
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Visitor, parseSync } from 'oxc-parser';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Folders that git ignores, git's own, and the recorded answers of kube-apiserver. */
const ignoredFolder = /^(?:node_modules|dist|coverage|\.cache|\.git|\.examples-.*|recorded)$/;

/** Words to avoid in comments, strings and prose, and what to write. */
const words = [
  [/\bnobody\b/, 'the subject that acts'],
  [
    /\bsomebody\b|\bsomeone\b|\banybody\b|\beverybody\b/i,
    'the subject that acts: the user, the author, a process',
  ],
  [/\bwhoever\b/, 'the subject that acts'],
  [/\b(?:is|are|was|were|be|been) told\b/, 'receives, knows, is notified'],
  [
    /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|need\b|reason\b|different\b)[a-z]+/i,
    'is not a …, has no …',
  ],
  [/\bmend(?:s|ed|ing)?\b/, 'fix, update, repair'],
  [/\banew\b/, 'again'],
  [/\bmistakes? in the code\b/, 'a bug'],
  [/\bas it should be\b/, 'up to date'],
  [/\bwhat there is not\b/, 'not supported'],
  [/\bwhich there (?:is|are) not\b/, 'which does not exist'],
  [/\bthere is not\b(?! (?:a|an|enough)\b)/, 'does not exist, is missing'],
  [/\bone (?:folder|file|line|candidate) an? [a-z]+/, 'one … per …'],
  [/\bfor ever\b/, 'forever'],
];

/** British spellings, which identifiers must not have either. */
const spellings = [
  [/behaviour/, 'behavior'],
  [/colour/, 'color'],
  [/favour/, 'favor'],
  [/honour/, 'honor'],
  [/neighbour/, 'neighbor'],
  [/licence/, 'license'],
  [/cancell(?:ed|ing)/, 'canceled, canceling'],
  [/labell(?:ed|ing)/, 'labeled, labeling'],
  [/modell(?:ed|ing)/, 'modeled, modeling'],
  [/\bgrey\b/, 'gray'],
  [/\bcentre\b/, 'center'],
  [/misspelt/, 'misspelled'],
  [/\bwhilst\b/, 'while'],
  [/(?:normal|initial|serial|recogn|organ|optim|summar|util)is(?:e[ds]?|ing|ation)\b/, '-ize, -ization'],
  [/analys(?:e[ds]?|ing)\b/, 'analyze'],
];

/** Words of Kubernetes and of its recorded answers, and the avoided words as the subject of a text. */
const allowed = [
  { path: 'scripts/check-style.mjs' },
  { path: 'test/scripts/check-style.test.ts' },
  { path: 'docs/style.md' },
  { path: 'test/project/plural.test.ts', text: /\bAnalysis analyses\b/ },
  { path: 'packages/apiserver/', text: /\bthe server is currently\b|\bis no match for\b|\bno kind "/ },
  {
    // Names and inputs of cases, which are keys and file names in recorded/.
    path: 'packages/apiserver/test/conformance/',
    text: /\bthat nobody (?:knows|named|describes)\b|\b(?:of[ =]|looks at )nobody\b|^nobody to ask$|^(?:may )?somebody\b|\b(?:is|are) no (?:base64|configuration|failure|JSON|list|number|object|resources|texts)\b|\blabelled\b|\bfor ever$/,
  },
  {
    path: 'packages/cel/',
    text: /\bno such (?:key|overload|attribute)\b|\bno matching overload\b|\boperation cancelled\b/,
  },
  // The event of the taint-eviction-controller.
  { path: 'packages/testing/', text: /Cancelling deletion of Pod/ },
];

/** Files that are read as a program, and those that are read line by line. */
const isCode = (path) => /\.(?:ts|tsx|mts|js|mjs)$/.test(path);
const isPlainText = (path) => /\.(?:md|hbs|ya?ml|go|py|sh)$/.test(path);
const isKebabCase = (name) => /^[a-z0-9]+(?:[-_][a-z0-9]+)*(?:\.[a-z0-9-]+)*$/.test(name);

/** Every file of a tree that has text of ours. */
function filesBelow(path) {
  if (!existsSync(path)) throw new Error(`${path} does not exist`);
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !ignoredFolder.test(name))
    .flatMap(({ name }) => filesBelow(join(path, name)))
    .filter((file) => isCode(file) || isPlainText(file));
}

/** The parts of a program that a person reads, with what only the syntax tree can tell. */
function readProgram(path, source) {
  const { program, comments } = parseSync(path, source);
  const texts = comments.map(({ start, value }) => ({ offset: start + 2, text: value }));
  const problems = [];
  const report = (node, found, write) => problems.push({ offset: node.start, found, write });
  new Visitor({
    Literal(node) {
      if (typeof node.value === 'string')
        texts.push({ offset: node.start + 1, text: source.slice(node.start + 1, node.end - 1) });
    },
    TemplateElement(node) {
      texts.push({ offset: node.start, text: source.slice(node.start, node.end) });
    },
    NewExpression(node) {
      if (node.callee.type === 'Identifier' && node.callee.name.endsWith('Error')) checkError(node, report);
    },
    ClassDeclaration(node) {
      const parent = node.superClass?.type === 'Identifier' ? node.superClass.name : '';
      if (parent.endsWith('Error') && !node.id?.name.endsWith('Error'))
        report(node, node.id?.name ?? 'class', '…Error');
    },
    VariableDeclarator({ id, init }) {
      if (id.type !== 'Identifier') return;
      if (/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(id.name) && id.name.length > 1)
        report(id, id.name, 'camelCase');
      if (!isNumber(init)) return;
      if (/^(?:longest|largest|greatest|most)[A-Z]/.test(id.name)) report(id, id.name, 'max…');
      if (/^(?:shortest|smallest|fewest|least)[A-Z]/.test(id.name)) report(id, id.name, 'min…');
    },
    ImportDeclaration(node) {
      const hasIt = node.specifiers.some(({ imported }) => imported?.name === 'it');
      if (node.source.value === 'vitest' && hasIt) report(node, 'it', 'test');
    },
  }).visit(program);
  return { texts, problems };
}

/** An error's code is UPPER_SNAKE_CASE, and its message does not end with a period. */
function checkError({ arguments: [first, second] }, report) {
  // Errors without a code begin with their message, which has spaces.
  const hasCode =
    first?.type === 'Literal' &&
    typeof first.value === 'string' &&
    !first.value.includes(' ') &&
    second !== undefined;
  if (hasCode && isText(second) && !/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(first.value))
    report(first, first.value, 'UPPER_SNAKE_CASE');
  const message = hasCode && isText(second) ? second : first;
  if (message && /[^.]\.$/.test(endOf(message)))
    report(message, `…${endOf(message).slice(-20)}`, 'no period at the end');
}

function isText({ type, value }) {
  return type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string');
}

function isNumber(node) {
  return node?.type === 'BinaryExpression' || (node?.type === 'Literal' && typeof node.value === 'number');
}

function endOf({ type, value, quasis }) {
  if (type === 'TemplateLiteral') return quasis.at(-1).value.raw;
  return type === 'Literal' && typeof value === 'string' ? value : '';
}

/** Every place in a text where a rule finds something. */
function find(rules, { offset, text }) {
  return rules.flatMap(([pattern, write]) =>
    Array.from(text.matchAll(new RegExp(pattern, 'gi')), (match) => ({
      offset: offset + match.index,
      found: match[0],
      write,
    })),
  );
}

/** What a file should say differently. */
function problemsOf(path) {
  const source = readFileSync(path, 'utf8');
  const { texts, problems } = isCode(path)
    ? readProgram(path, source)
    : { texts: lines(source), problems: [] };
  const name = basename(path);
  if (isCode(path) && !isKebabCase(name)) problems.push({ offset: 0, found: name, write: 'kebab-case' });
  const found = texts.flatMap((text) => (isAllowed(path, text.text) ? [] : find(words, text)));
  const misspelled = lines(source).flatMap((line) =>
    isAllowed(path, line.text) ? [] : find(spellings, line),
  );
  return [...problems, ...found, ...misspelled];
}

function lines(source) {
  let offset = 0;
  return source.split('\n').map((text) => {
    const line = { offset, text };
    offset += text.length + 1;
    return line;
  });
}

function isAllowed(path, text) {
  return allowed.some((entry) => path.includes(entry.path) && (!entry.text || entry.text.test(text)));
}

const files = (process.argv.length > 2 ? process.argv.slice(2) : [root]).flatMap(filesBelow);
const reports = files.flatMap((path) => {
  if (allowed.some((entry) => !entry.text && path.endsWith(entry.path))) return [];
  const source = readFileSync(path, 'utf8');
  return problemsOf(path)
    .toSorted((a, b) => a.offset - b.offset)
    .map(({ offset, found, write }) => {
      const line = source.slice(0, offset).split('\n').length;
      return `${path.replace(root, '')}:${line}: "${found}": write ${write}`;
    });
});
for (const report of reports) console.error(report);
if (reports.length > 0) {
  console.error(
    `\n${reports.length === 1 ? '1 problem' : `${reports.length} problems`}. The rules are in docs/style.md.`,
  );
  process.exitCode = 1;
}
