import type { Deployment } from 'ots-kubernetes/apps/v1';
import type { Container } from 'ots-kubernetes/core/v1';
import { expect, test } from 'vitest';
import { OtsError } from '../../../src/errors/ots-error.ts';
import { isOperator, operatorDeployment } from '../../../src/dev/operator/deployment.ts';

function deployment(
  container: Partial<Container>,
  parts: { namespace?: string; account?: string } = {},
): Deployment {
  const { namespace, account } = parts;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'controller-manager', ...(namespace && { namespace }) },
    spec: {
      selector: {},
      template: {
        metadata: {},
        spec: {
          ...(account && { serviceAccountName: account }),
          containers: [{ name: 'proxy' }, { name: 'manager', ...container }],
        },
      },
    },
  };
}

test('an operator runs in the namespace and as the account of its Deployment', () => {
  const other = { ...deployment({}), kind: 'StatefulSet' };
  const objects = [other, deployment({ args: ['--a'] }, { namespace: 'shop-system', account: 'manager' })];
  expect(operatorDeployment(objects, 'config/default')).toEqual({
    name: 'controller-manager',
    namespace: 'shop-system',
    serviceAccount: 'manager',
    args: ['--a'],
    env: {},
  });
  expect(objects.map(isOperator)).toEqual([false, true]);
});

test('without them, it is the default account of the default namespace', () => {
  expect(operatorDeployment([deployment({})], 'config/default')).toEqual({
    name: 'controller-manager',
    namespace: 'default',
    serviceAccount: 'default',
    args: [],
    env: {},
  });
});

test('variables have the values that a pod would have, as far as they are known', () => {
  const manager: Partial<Container> = {
    env: [
      { name: 'EMPTY' },
      { name: 'SIZE', value: '3' },
      { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
      { name: 'ACCOUNT', valueFrom: { fieldRef: { fieldPath: 'spec.serviceAccountName' } } },
      { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
      { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'login', key: 'password' } } },
      { name: 'URL', value: 'http://db.$(POD_NAMESPACE)/$(LATER)/$$(SIZE)' },
      { name: 'LATER', value: 'x' },
    ],
    args: ['--namespace=$(POD_NAMESPACE)', '--size', '$(SIZE)', '--later=$(LATER)', '--none=$(NONE)'],
  };
  expect(operatorDeployment([deployment(manager, { namespace: 'shop' })], 'config/default')).toMatchObject({
    args: ['--namespace=shop', '--size', '3', '--later=x', '--none=$(NONE)'],
    env: {
      EMPTY: '',
      SIZE: '3',
      POD_NAMESPACE: 'shop',
      ACCOUNT: 'default',
      URL: 'http://db.shop/$(LATER)/$(SIZE)',
      LATER: 'x',
    },
  });
});

test('a project without an operator is refused', () => {
  const none = deployment({ name: 'other' });
  expect(() => operatorDeployment([none], 'config/default')).toThrow(OtsError);
  expect(() => operatorDeployment([], 'config/default')).toThrow(
    'No Deployment of config/default has a container "manager"',
  );
});
