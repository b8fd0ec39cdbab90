import type { WebhookType } from '../../support/webhook-configurations.ts';

/** A webhook that asks for a version. */
export interface Asking {
  version: string;
  /** The operations of its patch. Default: none. */
  patch?: object[];
  /** More of its configuration. */
  rest?: object;
}

/** The webhooks that see the objects of a case, in their order. */
type Case = Asking[];

const note = (value: string) => [{ op: 'add', path: '/spec/note', value }];
const tls = (value: boolean) => [{ op: 'add', path: '/spec/tls', value }];
const ignore = { failurePolicy: 'Ignore' };
const isHost = (host: string) => ({
  matchConditions: [{ name: 'host', expression: `object == null || object.spec.endpoint.host == '${host}'` }],
});

/** Mutating webhooks. */
export const mutating: Record<string, Case> = {
  'no patch': [{ version: 'v3' }],
  'a patch': [{ version: 'v3', patch: note('patched') }],
  'a patch of what the version of the request lacks': [{ version: 'v3', patch: tls(false) }],
  'a patch that removes everything': [{ version: 'v3', patch: [{ op: 'remove', path: '/spec' }] }],
  'a patch in the stored version': [
    { version: 'v2', patch: [{ op: 'replace', path: '/spec/address', value: 'x:9' }] },
  ],
  'two in one version': [{ version: 'v3', patch: tls(false) }, { version: 'v3' }],
  'two that patch in one version': [
    { version: 'v3', patch: tls(false) },
    { version: 'v3', patch: note('again') },
  ],
  'two versions': [{ version: 'v3', patch: tls(false) }, { version: 'v2' }],
  'two versions, without a patch': [{ version: 'v3' }, { version: 'v2' }],
  'there and back': [{ version: 'v3', patch: tls(false) }, { version: 'v1' }, { version: 'v3' }],
  'the version of the request, then another': [{ version: 'v1', patch: note('own') }, { version: 'v3' }],
  'another, then the version of the request': [{ version: 'v3', patch: note('other') }, { version: 'v1' }],
  'a second round': [
    { version: 'v3', rest: { reinvocationPolicy: 'IfNeeded' } },
    { version: 'v2', patch: note('late') },
  ],
  'a second round in another version': [
    { version: 'v2', rest: { reinvocationPolicy: 'IfNeeded' }, patch: note('early') },
    { version: 'v3', patch: tls(false) },
  ],
  'an exact match': [{ version: 'v3', patch: note('exact'), rest: { matchPolicy: 'Exact' } }],
  'a condition that is met': [{ version: 'v3', patch: note('met'), rest: isHost('a') }],
  'a condition that is not met': [{ version: 'v3', patch: note('met'), rest: isHost('z') }],
  'a condition on what another patched': [
    { version: 'v3', patch: [{ op: 'replace', path: '/spec/endpoint/host', value: 'z' }] },
    { version: 'v3', patch: note('met'), rest: isHost('z') },
  ],
  'an invalid patch': [{ version: 'v3', patch: [{ op: 'add', path: '/spec/endpoint/port', value: 'text' }] }],
};

/** Validating webhooks. */
export const validating: Record<string, Case> = {
  'one version': [{ version: 'v3' }],
  'two versions': [{ version: 'v3' }, { version: 'v2' }],
  'every version': [{ version: 'v3' }, { version: 'v2' }, { version: 'v1' }],
  'an exact match': [{ version: 'v3', rest: { matchPolicy: 'Exact' } }],
  'a condition that is met': [{ version: 'v3', rest: isHost('a') }],
  'a condition that is not met': [{ version: 'v3', rest: isHost('z') }],
};

/** Cases in which objects cannot be converted: which versions fail, and whose webhooks. */
export const failing: Record<WebhookType, Record<string, { fails: string; webhooks: Case }>> = {
  Mutating: {
    'to the version of a webhook': { fails: 'v1-v3', webhooks: [{ version: 'v3' }] },
    'to the version of a webhook that may fail': {
      fails: 'v1-v3',
      webhooks: [{ version: 'v3', rest: ignore }],
    },
    'to the version of a condition': { fails: 'v1-v3', webhooks: [{ version: 'v3', rest: isHost('a') }] },
    'to the version of a condition that may fail': {
      fails: 'v1-v3',
      webhooks: [{ version: 'v3', rest: { ...isHost('a'), ...ignore } }],
    },
    'back after a patch': { fails: 'v3-v1', webhooks: [{ version: 'v3', patch: note('x') }] },
    'back after a patch that may fail': {
      fails: 'v3-v1',
      webhooks: [{ version: 'v3', patch: note('x'), rest: ignore }],
    },
    'back without a patch': { fails: 'v3-v1', webhooks: [{ version: 'v3' }] },
    'between two webhooks': {
      fails: 'v3-v1',
      webhooks: [{ version: 'v3', patch: note('x') }, { version: 'v2' }],
    },
    'between two webhooks that may fail': {
      fails: 'v3-v1',
      webhooks: [
        { version: 'v3', patch: note('x'), rest: ignore },
        { version: 'v2', rest: ignore },
      ],
    },
    'between two webhooks with a condition': {
      fails: 'v3-v1',
      webhooks: [
        { version: 'v3', patch: note('x') },
        { version: 'v2', rest: { matchConditions: [{ name: 'any', expression: 'true' }] } },
      ],
    },
  },
  Validating: {
    'to the version of a webhook': { fails: 'v1-v3', webhooks: [{ version: 'v3' }] },
    'to the version of a webhook that may fail': {
      fails: 'v1-v3',
      webhooks: [{ version: 'v3', rest: ignore }],
    },
    'to the version of a condition': { fails: 'v1-v3', webhooks: [{ version: 'v3', rest: isHost('a') }] },
    'to the version of a condition that may fail': {
      fails: 'v1-v3',
      webhooks: [{ version: 'v3', rest: { ...isHost('a'), ...ignore } }],
    },
    'to one of two versions': {
      fails: 'v1-v3',
      webhooks: [{ version: 'v2' }, { version: 'v3', rest: ignore }],
    },
    'to an exact match': { fails: 'v1-v3', webhooks: [{ version: 'v3', rest: { matchPolicy: 'Exact' } }] },
  },
};
