import { expect, test } from 'vitest';
import { mergePatched } from '../../support/merge-patched.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import { outcome } from './workload-outcome.ts';
import { type WorkloadKind, workloadKinds } from './workload-cases.ts';

onEachServer('the validation of workloads', (server) => {
  const kinds = Object.entries(workloadKinds);

  test.each(kinds.filter(([, { creations }]) => Object.keys(creations).length > 0))(
    'new %s',
    async (name, { path, base, creations }) => {
      const outcomes: Record<string, unknown> = {};
      for (const [title, change] of Object.entries(creations)) {
        const object = mergePatched({ metadata: { name: 'new' }, ...base }, change);
        outcomes[title] = outcome(await server.session.post(`${path}?dryRun=All`, object), () => 'ok');
      }
      await expect(asRecorded(outcomes)).toMatchFileSnapshot(
        `../recorded/workload-validation/new-${name}.yaml`,
      );
    },
  );

  async function create(name: string, { path, base, before }: WorkloadKind): Promise<string> {
    const url = `${path}/${name}`;
    const { code, body } = await server.session.post(path, { metadata: { name }, ...base });
    if (code !== 201) throw new Error(JSON.stringify(body));
    if (before) {
      const answer = await server.session.merge(`${url}/status`, before);
      if (answer.code !== 200) throw new Error(JSON.stringify(answer.body));
    }
    return url;
  }

  test.each(kinds)('updates of %s', async (name, kind) => {
    const url = await create(`updated-${name.toLowerCase()}`, kind);
    const outcomes: Record<string, unknown> = {};
    for (const [title, change] of Object.entries(kind.updates)) {
      const answer = await server.session.merge(`${url}?dryRun=All`, change);
      outcomes[title] = outcome(
        answer,
        ({ metadata: { generation = 'none', annotations = {} }, status }) => ({
          generation,
          annotations,
          ...(status && { status }),
        }),
      );
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(
      `../recorded/workload-validation/updated-${name}.yaml`,
    );
  });

  test.each(kinds.filter(([, { statuses }]) => statuses))('statuses of %s', async (name, kind) => {
    const url = await create(`status-${name.toLowerCase()}`, kind);
    const outcomes: Record<string, unknown> = {};
    for (const [title, change] of Object.entries(kind.statuses ?? {})) {
      const answer = await server.session.merge(`${url}/status?dryRun=All`, change);
      outcomes[title] = outcome(
        answer,
        ({ metadata: { generation = 'none', labels = {}, annotations = {} }, status }) => ({
          generation,
          labels,
          annotations,
          status,
        }),
      );
    }
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(
      `../recorded/workload-validation/status-${name}.yaml`,
    );
  });
});
