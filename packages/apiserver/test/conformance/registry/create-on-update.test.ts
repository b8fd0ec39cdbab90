import { expect, test } from 'vitest';
import { refusal } from '../../support/normalize.ts';
import { onEachServer } from '../../support/on-each-server.ts';
import { asRecorded } from '../../support/recorded.ts';

/** Kinds that a PUT can create, and one that it cannot. */
const objects: Readonly<Record<string, object>> = {
  '/apis/coordination.k8s.io/v1/namespaces/default/leases': { spec: { holderIdentity: 'me' } },
  '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles': { rules: [] },
  '/api/v1/namespaces/default/limitranges': { spec: { limits: [] } },
  '/api/v1/namespaces/default/configmaps': { data: { a: 'b' } },
};
const uid = '11111111-2222-3333-4444-555555555555';
/** The identity in the metadata of the sent object. */
const identities: Readonly<Record<string, object>> = {
  nothing: {},
  'a resource version': { resourceVersion: '5' },
  'a uid': { uid },
  'a uid and a resource version': { uid, resourceVersion: '5' },
  'no resource version': { resourceVersion: '0' },
};

onEachServer('a PUT of an object that does not exist', (server) => {
  test('some kinds are created, others are not found', async () => {
    const found: Record<string, unknown> = {};
    for (const [collection, fields] of Object.entries(objects)) {
      for (const [said, identity] of Object.entries(identities)) {
        const name = said.replaceAll(' ', '-');
        const body = { ...fields, metadata: { name, ...identity } };
        const answer = await server.session.send('PUT', `${collection}/${name}`, { body });
        found[`${collection}: ${said}`] =
          answer.code < 300
            ? { code: answer.code, isSame: answer.body.metadata.uid === uid }
            : refusal(answer);
      }
    }
    await expect(asRecorded(found)).toMatchFileSnapshot('../recorded/create-on-update.yaml');
  });
});
