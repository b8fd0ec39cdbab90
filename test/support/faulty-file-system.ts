import { type FileSystem, diskFileSystem } from '../../src/scaffold/file-system.ts';

/** The operations that change something on disk. */
const writeOperations = ['write', 'makeDirectory', 'rename', 'removeFile', 'removeDirectory'] as const;

/** Counts the operations that change something, and lets `onWrite` fail, or die, at any of them. */
export function watchedFileSystem(
  onWrite: (count: number, operation: string, path: string, content?: unknown) => void,
): FileSystem {
  let count = 0;
  const watched = { ...diskFileSystem };
  for (const name of writeOperations) {
    const operation = diskFileSystem[name] as (...args: unknown[]) => void;
    (watched[name] as (...args: unknown[]) => void) = (...args) => {
      count += 1;
      onWrite(count, name, String(args[0]), args[1]);
      operation(...args);
    };
  }
  return watched;
}
