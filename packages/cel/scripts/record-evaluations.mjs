// Asks the Go program beside this script what the cases of test-data/ give, and writes it down there: for cases that are new, or for a new
// version of Kubernetes. Build it first, outside of the repository, in a module that requires k8s.io/apiextensions-apiserver.
// Usage: node record-evaluations.mjs <the built program>
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const [program] = process.argv.slice(2);

function ask(requests) {
  const input = requests.map((request) => `${JSON.stringify(request)}\n`).join('');
  const output = execFileSync(program, { input, encoding: 'utf8', maxBuffer: 1 << 30 });
  return output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function update(name, toRequest) {
  const file = new URL(`../test-data/${name}.json`, import.meta.url);
  const data = JSON.parse(readFileSync(file, 'utf8'));
  const answers = ask(data.cases.map((each) => toRequest(each, data)));
  const cases = data.cases.map((each, i) => ({ ...each, result: answers[i] }));
  const broken = cases.filter(({ result }) => 'compileError' in result || 'panic' in result);
  for (const each of broken) console.error(JSON.stringify(each));
  const head = JSON.stringify({ ...data, cases: undefined }).slice(1, -1);
  const lines = cases.filter((each) => !broken.includes(each)).map((each) => JSON.stringify(each));
  writeFileSync(file, `{${head}${head && ','}"cases":[\n${lines.join(',\n')}\n]}\n`);
}

update('evaluations', ({ expr, self, oldSelf, optionalOldSelf }, { schema, values }) => ({
  expr,
  optionalOldSelf,
  ...(self && { schema, self: values[self] }),
  ...(oldSelf && { oldSelf: values[oldSelf] }),
}));
update('validations', ({ schema, root, self, oldSelf }) => ({ validate: true, schema, root, self, oldSelf }));
