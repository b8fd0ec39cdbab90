import { fileURLToPath } from 'node:url';

/** How many calls lie between the author's code and a request. */
const depth = 60;

/** Where the code of ots and of other packages is: as packages, or in the repository of ots. */
const libraries = ['/node_modules/', 'node:', ...repositoryOf(fileURLToPath(import.meta.url))];

function repositoryOf(file: string): string[] {
  const index = file.lastIndexOf('/packages/');
  return file.includes('/node_modules/') || index === -1 ? [] : [file.slice(0, index + '/packages/'.length)];
}

/** Lets errors know enough calls for {@link sourceOf}. @returns what ends that */
export function keepLongStacks(): () => void {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = depth;
  return () => (Error.stackTraceLimit = before);
}

/**
 * The first line in the stack of an error that is the author's.
 *
 * @returns undefined if there is none
 */
export function sourceOf({ stack = '' }: Error): { file: string; line: number } | undefined {
  for (const call of stack.split('\n').slice(1)) {
    const { place = '', line = '' } =
      /[\s(](?<place>(?:file:\/\/)?\/[^()]+):(?<line>\d+):\d+\)?$/.exec(call)?.groups ?? {};
    const file = place.startsWith('file://') ? fileURLToPath(place) : place;
    if (file !== '' && !libraries.some((library) => file.includes(library)))
      return { file, line: Number(line) };
  }
  return undefined;
}
