import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crdsPath, RealServer, hasRealServer } from './real-server.ts';

// Every CRD that any test of the generator generated: `npm run test:oracle` runs them with recording/vitest.config.ts first.
const directory = process.env['RECORDED_CRDS'];
const isReal = hasRealServer('the CRDs of all tests') && directory !== undefined;

describe.skipIf(!isReal)('a real kube-apiserver', () => {
  let server: RealServer;
  beforeAll(async () => {
    server = await RealServer.start();
  }, 120_000);
  afterAll(() => server.stop());

  test('accepts every CRD that the tests generated', async () => {
    const refused: string[] = [];
    const files = readdirSync(directory!);
    for (const file of files) {
      const text = readFileSync(join(directory!, file), 'utf8');
      const verdict = await server.verdict(crdsPath, text);
      if (verdict !== 'accepted') refused.push(`${text.slice(0, 2000)}\n${verdict}`);
    }
    expect(refused).toEqual([]);
    expect(files.length).toBeGreaterThan(300);
    console.log(`${files.length} CRDs accepted`);
  }, 300_000);
});
