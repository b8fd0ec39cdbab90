import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// What the programs of the Operator Framework said about many bundles: it is beside the repository, or where OLM_CORPUS says.
const beside = fileURLToPath(new URL('../../../../shared/olm', import.meta.url));
const corpus = process.env['OLM_CORPUS'] ?? beside;

/** A case, and the absolute path of its folder. */
export interface Case<Expected> {
  readonly name: string;
  readonly directory: string;
  readonly expected: Expected;
}

/** The cases of a folder of the corpus. */
export function casesOf<Expected>(folder: string): Case<Expected>[] {
  const root = path.join(corpus, folder);
  if (!existsSync(root)) {
    console.log(`skipped: ${root} does not exist; set OLM_CORPUS to the folder with the recorded verdicts`);
    return [];
  }
  return readdirSync(root).map((name) => {
    const directory = path.join(root, name);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its README describes the form
    const expected = JSON.parse(readFileSync(path.join(directory, 'expected.json'), 'utf8')) as Expected;
    return { name, directory, expected };
  });
}

/** Whether there is a corpus. */
export const hasCorpus = existsSync(corpus);
