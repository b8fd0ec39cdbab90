/** The first frame of a stack that is in the project's own sources, such as `src/controllers/a.controller.ts:12:5`. */
export function locationInStack(stack: string): string | undefined {
  return /^ +at (?!.*\/node_modules\/).*?\b(src\/[^\s():]+:\d+:\d+)\)?$/m.exec(stack)?.[1];
}
