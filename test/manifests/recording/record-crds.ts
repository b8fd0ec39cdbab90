import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import type * as generator from '../../../src/manifests/generate-manifests.ts';

const directory = process.env['RECORDED_CRDS'];
if (!directory) throw new Error('RECORDED_CRDS does not say where to keep the CRDs');

vi.mock('../../../src/manifests/generate-manifests.ts', async (importOriginal) => {
  const original = await importOriginal<typeof generator>();
  const generateManifests: typeof generator.generateManifests = (...args) => {
    const result = original.generateManifests(...args);
    for (const [path, text] of result.files) {
      if (!path.startsWith('config/crd/')) continue;
      const name = createHash('sha256').update(text).digest('hex');
      writeFileSync(join(directory, `${name}.yaml`), text);
    }
    return result;
  };
  return { ...original, generateManifests };
});
