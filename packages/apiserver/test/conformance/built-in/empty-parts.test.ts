import { expect, test } from 'vitest';
import { sorted } from '../../support/apply-session.ts';
import { type EmptyPart, emptyParts } from './empty-parts.ts';
import { normalize, refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';
import type { Answer } from '../../support/session.ts';

/** The part of an object that a case is about, or undefined if the object lacks it. */
function partAt(object: any, path: readonly (string | number)[]): unknown {
  return path.reduce((value, step) => value?.[step], object);
}

/** A copy of an object with one part set. */
function withPart(object: any, [step, ...rest]: readonly (string | number)[], part: unknown): any {
  if (step === undefined) return part;
  const copy = Array.isArray(object) ? [...object] : { ...object };
  copy[step] = withPart(copy[step] ?? {}, rest, part);
  return copy;
}

/** The first line of a text. On the others, Go prints a diff of two states of an object. */
function firstLines(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, item: unknown) =>
    typeof item === 'string' ? item.split('\n')[0] : item,
  );
}

onEachServer('empty parts of built-in kinds', (server) => {
  const patch = (path: string, type: string, body: unknown) =>
    server.session.send(
      'PATCH',
      `${path}?fieldManager=w&force=true`.replace(/&force=true$/, type === 'apply' ? '$&' : ''),
      {
        raw: JSON.stringify(body),
        contentType: type === 'apply' ? 'application/apply-patch+yaml' : `application/${type}-patch+json`,
      },
    );

  /** What a client sees of the part after a write, and what the writer owns. */
  const seen = (answer: Answer, path: readonly (string | number)[]) => {
    const { code, body } = answer;
    if (body.kind === 'Status') return firstLines(refusal(answer));
    const written = (body.metadata.managedFields ?? []).find(({ manager }: any) => manager === 'w');
    return {
      code,
      part: partAt(sorted(normalize(body)), path) ?? 'absent',
      owned: written?.fieldsV1 ?? 'nothing',
    };
  };

  test.each(emptyParts)('$resource: $title', async ({ resource, base, path, part, title }: EmptyPart) => {
    const name = base.metadata.name;
    const whole = withPart(base, path, part);
    const own = `${resource}/${name}`;
    const outcomes: Record<string, unknown> = {};
    /** Each write finds the object without the part, or no object. */
    const write = async (verb: string, isThere: boolean, act: () => Promise<Answer>) => {
      if (isThere) await server.session.post(`${resource}?fieldManager=up`, base);
      outcomes[verb] = seen(await act(), path);
      outcomes[`${verb}, again`] = seen(await server.session.get(own), path);
      await server.session.merge(own, { metadata: { finalizers: null } });
      await server.session.delete(own, { gracePeriodSeconds: 0, propagationPolicy: 'Background' });
      await server.session.merge(own, { metadata: { finalizers: null } });
      while ((await server.session.get(own)).code === 200)
        await new Promise((resolve) => setTimeout(resolve, 20));
    };
    await write('create', false, () => server.session.post(`${resource}?fieldManager=w`, whole));
    await write('apply to nothing', false, () => patch(own, 'apply', whole));
    await write('apply', true, () => patch(own, 'apply', whole));
    await write('merge patch', true, () => patch(own, 'merge', whole));
    await write('strategic merge patch', true, () => patch(own, 'strategic-merge', whole));
    await write('update', true, async () => {
      for (;;) {
        const { body } = await server.session.get(own);
        const answer = await server.session.put(`${own}?fieldManager=w`, withPart(body, path, part));
        // The controllers of a real server also write to a new definition.
        if (answer.code !== 409) return answer;
      }
    });
    const file = `${resource.split('/').at(-1)}-${title}`.replaceAll(/[^a-zA-Z0-9]+/g, '-');
    await expect(asRecorded(outcomes)).toMatchFileSnapshot(`../recorded/empty-parts/${file}.yaml`);
  });
});
