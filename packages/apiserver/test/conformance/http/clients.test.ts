import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { normalize } from '../../support/normalize.ts';
import { hasRealServer, onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

const sources = fileURLToPath(new URL('../../clients', import.meta.url));
const hasGo = spawnSync('go', ['version']).status === 0;
// The first build of the programs takes minutes, so they are built only when servers are compared.
if (hasRealServer && !hasGo)
  console.warn('conformance: Go is not installed; the cases of its clients are skipped');

const run = promisify(execFile);

// Programs that use client-go and controller-runtime. They print what they saw of a server.
describe.skipIf(!hasGo || !hasRealServer)('clients in Go', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clients-'));
    await run('go', ['build', '-o', `${directory}/`, './clients', './operator'], { cwd: sources });
  }, 900_000);
  afterAll(async () => {
    await rm(directory, { recursive: true });
  });

  onEachServer('programs', (server) => {
    beforeAll(async () => {
      await writeFile(join(directory, 'kubeconfig'), server.environment.kubeconfig, { mode: 0o600 });
    });

    test.each(['clients', 'operator'])(
      '%s',
      async (program) => {
        const env = { ...process.env, KUBECONFIG: join(directory, 'kubeconfig') };
        const { stdout } = await run(join(directory, program), { env, timeout: 150_000, maxBuffer: 2 ** 26 });
        for (const [part, facts] of Object.entries(normalize(JSON.parse(stdout)))) {
          const file = `../recorded/clients/${program}-${part}.yaml`;
          await expect(asRecorded(facts)).toMatchFileSnapshot(file);
        }
      },
      180_000,
    );
  });
});
