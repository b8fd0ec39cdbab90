import { describe, expect, test } from 'vitest';
import { updateImports } from '../../src/layouts/typescript/update-imports.ts';

const moves = new Map([
  ['src/api/v1/job.ts', 'src/api/batch/v1/job.ts'],
  ['src/api/v1/shared.ts', 'src/api/batch/v1/shared.ts'],
]);

describe('updateImports', () => {
  test('updates every form of import and nothing else', () => {
    const text = [
      "// Ünïcödé 🎉 before: './api/v1/job.ts' stays",
      "import { Job } from './api/v1/job.ts';",
      'import type { Spec } from "./api/v1/job.js";',
      "import * as shared from './api/v1/shared';",
      "export { x } from './api/v1/job.ts';",
      "export * from './api/v1/shared.ts';",
      "import './other.ts';",
      "import fs from 'node:fs';",
      "const lazy = () => import('./api/v1/job.ts');",
      'const computed = (name: string) => import(`./api/${name}.ts`);',
      'const text = "./api/v1/job.ts";',
      '',
    ].join('\r\n');
    expect(updateImports(text, 'src/main.ts', 'src/main.ts', moves)).toBe(
      text
        .replace("from './api/v1/job.ts';\r\nimport type", "from './api/batch/v1/job.ts';\r\nimport type")
        .replace('"./api/v1/job.js"', '"./api/batch/v1/job.js"')
        .replace("'./api/v1/shared'", "'./api/batch/v1/shared'")
        .replace("x } from './api/v1/job.ts'", "x } from './api/batch/v1/job.ts'")
        .replace("* from './api/v1/shared.ts'", "* from './api/batch/v1/shared.ts'")
        .replace("import('./api/v1/job.ts')", "import('./api/batch/v1/job.ts')"),
    );
  });

  test('updates the imports of a file that moves', () => {
    const text = "import { a } from '../../util.ts';\nimport { s } from './shared.ts';\n";
    expect(updateImports(text, 'src/api/v1/job.ts', 'src/api/batch/v1/job.ts', moves)).toBe(
      "import { a } from '../../../util.ts';\nimport { s } from './shared.ts';\n",
    );
  });

  test('refuses a file that it cannot read', () => {
    expect(() => updateImports('import {', 'src/a.ts', 'src/a.ts', moves)).toThrow(
      'src/a.ts is not valid TypeScript',
    );
  });
});
