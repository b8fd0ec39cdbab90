// Lets Node load the TypeScript of a project: a bundle of its own, because Node runs module hooks in a thread of their own.
import { readFile } from 'node:fs/promises';
import type { LoadFnOutput, LoadHook, ResolveFnOutput, ResolveHook } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'oxc-transform';

/** What the compiled code of new syntax, such as `using`, imports. It is a dependency of ots, not of the project. */
const helpers = '@oxc-project/runtime/';

export const resolve: ResolveHook = (specifier, context, next): ResolveFnOutput | Promise<ResolveFnOutput> =>
  next(specifier, specifier.startsWith(helpers) ? { ...context, parentURL: import.meta.url } : context);

export const load: LoadHook = async (url, context, next): Promise<LoadFnOutput> => {
  if (!isSource(url)) return next(url, context);
  const path = fileURLToPath(url);
  // As in the project's tsconfig.json.
  const options = { sourcemap: true, target: 'es2022', typescript: { onlyRemoveTypeImports: true } };
  const { code, map, errors } = transformSync(path, await readFile(path, 'utf8'), options);
  const [error] = errors;
  if (error) throw new SyntaxError(`${error.message}\n${error.codeframe ?? path}`);
  const sourceMap = Buffer.from(JSON.stringify(map)).toString('base64');
  const source = `${code}\n//# sourceMappingURL=data:application/json;base64,${sourceMap}\n`;
  return { format: 'module', source, shortCircuit: true };
};

function isSource(url: string): boolean {
  return url.startsWith('file:') && url.endsWith('.ts') && !url.includes('/node_modules/');
}
