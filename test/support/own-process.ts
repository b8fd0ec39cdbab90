import { readFileSync, readdirSync } from 'node:fs';

/**
 * What a test does to the process it runs in, or asks about it: modules that it replaces, listeners, the environment,
 * open handles, globals.
 */
const processWideCalls = [
  /\bvi\.(?!fn\(|waitFor\(|waitUntil\()\w+\(/,
  /\bprocess\.(?:on|once|off|emit|listeners|listenerCount|removeAllListeners|chdir|exit|getActiveResourcesInfo)\(/,
  /\bexpectNothingOpen\(/,
  /\bprocess\.(?:memoryUsage|argv = |exitCode = |env\S+ \?{0,2}= )/,
  /\bdelete process\.env\b/,
  /\bglobalThis\b/,
  /\bsetGlobal\w*\(/,
];

/**
 * The test files below some directories that must run in a process in which no other test file ran. The others share
 * one for each processor, where what they import is loaded and compiled once: that is half of the time they take.
 *
 * @param root absolute path of the repository, ending in a slash
 * @param directories relative to it
 * @returns paths relative to the root
 */
export function filesWithOwnProcess(root: string, directories: readonly string[]): string[] {
  return directories
    .flatMap((directory) => testFilesBelow(root, directory))
    .filter((path) => {
      const text = readFileSync(`${root}${path}`, 'utf8');
      return processWideCalls.some((pattern) => pattern.test(text));
    });
}

function testFilesBelow(root: string, directory: string): string[] {
  return readdirSync(`${root}${directory}`, { withFileTypes: true }).flatMap((entry) => {
    const path = `${directory}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testFilesBelow(root, path);
    return path.endsWith('.test.ts') ? [path] : [];
  });
}
