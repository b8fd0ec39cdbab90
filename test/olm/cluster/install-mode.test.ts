import { describe, expect, test } from 'vitest';
import { chooseMode, modeProblem } from '../../../src/olm/cluster/install-mode.ts';

/** An operator that supports some install modes. */
const csv = (...modes: string[]) => ({
  metadata: { name: 'tea.v1' },
  spec: {
    installModes: ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'].map((type) => ({
      type,
      supported: modes.includes(type),
    })),
  },
});
const all = csv('OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces');

describe('the install mode', () => {
  test.each([
    [['OwnNamespace', 'AllNamespaces'], undefined, 'AllNamespaces', []],
    [['OwnNamespace', 'SingleNamespace'], undefined, 'OwnNamespace', ['tea']],
    [['OwnNamespace', 'AllNamespaces'], 'OwnNamespace', 'OwnNamespace', ['tea']],
    [['SingleNamespace'], 'SingleNamespace=web', 'SingleNamespace', ['web']],
    [['MultiNamespace'], 'MultiNamespace=web, db,web', 'MultiNamespace', ['web', 'db']],
  ])(
    'of an operator that supports %j is with --install-mode %s %s',
    (modes, flag, mode, targetNamespaces) => {
      expect(chooseMode(csv(...modes), 'tea', flag)).toEqual({ mode, targetNamespaces });
    },
  );

  test.each([
    [csv('SingleNamespace'), undefined, 'tea.v1 supports only SingleNamespace'],
    [csv(), undefined, 'tea.v1 supports only no install mode'],
    [csv('AllNamespaces'), 'OwnNamespace', 'tea.v1 does not support the install mode OwnNamespace'],
    [all, 'Own', '"Own" is not an install mode'],
    [all, '', '"" is not an install mode'],
    [all, 'SingleNamespace', '"SingleNamespace" names no namespace'],
    [all, 'SingleNamespace=a,b', '"SingleNamespace=a,b" names several namespaces'],
    [
      all,
      'SingleNamespace=tea',
      '"SingleNamespace=tea" names the namespace of the operator, which is OwnNamespace',
    ],
    [all, 'OwnNamespace=web', '"OwnNamespace=web" names another namespace'],
    [all, 'AllNamespaces=web', '"AllNamespaces=web" names namespaces'],
    [{}, 'AllNamespaces', 'the operator does not support the install mode AllNamespaces'],
  ])('%# is refused', (operator, flag, message) => {
    expect(() => chooseMode(operator, 'tea', flag)).toThrow(message);
  });
});

test.each([
  [[], 'AllNamespaces'],
  [[''], 'AllNamespaces'],
  [['tea'], 'OwnNamespace'],
  [['web'], 'SingleNamespace'],
  [['web', 'db'], 'MultiNamespace'],
])('an OperatorGroup for %j needs %s', (targets, mode) => {
  expect(modeProblem(csv(mode), 'tea', targets)).toBeUndefined();
  const others = ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'].filter(
    (each) => each !== mode,
  );
  expect(modeProblem(csv(...others), 'tea', targets)).toMatch(`needs the install mode ${mode}`);
});

test('an OperatorGroup for several namespaces with the own one needs two modes', () => {
  expect(modeProblem(csv('MultiNamespace', 'OwnNamespace'), 'tea', ['tea', 'web'])).toBeUndefined();
  expect(modeProblem(csv('MultiNamespace'), 'tea', ['tea', 'web'])).toMatch(
    'needs the install mode OwnNamespace',
  );
});
