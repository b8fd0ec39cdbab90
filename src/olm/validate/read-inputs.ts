import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isObject } from '../bundle/json.ts';
import type { ValidatorInputs } from './validator.ts';

/** The variable that names the file with custom categories. */
const categoriesVariable = 'OPERATOR_BUNDLE_CATEGORIES';

/**
 * Reads the files that validators need beside the bundle. One that cannot be read becomes a finding of the validator that needs it.
 *
 * @param values of `--optional-values`
 */
export async function readInputs(
  values: Readonly<Record<string, string>>,
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<ValidatorInputs> {
  const { 'index-path': indexPath = '' } = values;
  const categories = env[categoriesVariable] ?? '';
  return {
    values,
    ...(indexPath !== '' && { indexFile: await readText(path.resolve(cwd, indexPath)) }),
    ...(categories !== '' && { categories: await readCategories(path.resolve(cwd, categories)) }),
  };
}

type Text = { readonly text: string } | { readonly problem: string };

async function readText(file: string): Promise<Text> {
  try {
    if (!(await stat(file)).isFile()) return { problem: `${file} is not a file` };
    return { text: await readFile(file, 'utf8') };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

async function readCategories(file: string): Promise<readonly string[] | { readonly problem: string }> {
  const read = await readText(file);
  if ('problem' in read) return read;
  try {
    const value: unknown = JSON.parse(read.text);
    const list = isObject(value) ? (value['categories'] ?? []) : undefined;
    if (Array.isArray(list) && list.every((each) => typeof each === 'string')) return list;
    return { problem: `${file} has no list of texts named categories` };
  } catch {
    return { problem: `${file} is not JSON` };
  }
}
